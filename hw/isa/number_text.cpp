#include "hw/isa/number_text.h"

#include <sstream>

namespace aicore {

std::string hex(std::uint64_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

std::string place(Buffer buffer, std::uint64_t addr) {
    return std::string(to_string(buffer)) + '[' + hex(addr) + ']';
}

} // namespace aicore
