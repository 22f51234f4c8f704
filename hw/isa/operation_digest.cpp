#include "hw/isa/operation_digest.h"

#include "hw/isa/operation_list.h"
#include "hw/isa/operation_table.h"

namespace aicore {

void OperationDigest::add(std::string_view kind, std::string_view text) {
    for (const char c : kind) add(static_cast<std::uint8_t>(c));
    for (const char c : text) add(static_cast<std::uint8_t>(c));
    add(std::uint8_t{0});
}

std::uint32_t operation_digest() {
    static const std::uint32_t digest = [] {
        OperationDigest all;
        for (Operation operation : all_operations()) {
            all.add("o", mnemonic(operation));
            std::visit([&all](auto& op) { describe(all, op); }, operation);
        }
        return all.value();
    }();
    return digest;
}

} // namespace aicore
