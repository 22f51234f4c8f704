#include "hw/numerics/int4.h"

namespace aicore {

void pack_int4_row(const std::int8_t* values, int count, std::uint8_t* bytes) {
    for (int i = 0; i < count; i += 2) {
        bytes[i / 2] = pack_int4(values[i], i + 1 < count ? values[i + 1] : std::int8_t{0});
    }
}

} // namespace aicore
