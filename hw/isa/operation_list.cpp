#include "hw/isa/operation_list.h"

#include "hw/isa/operation_table.h"

#include <map>
#include <utility>

namespace aicore {
namespace {

/// An operation of every kind, in the order of the variant.
template <std::size_t... index>
std::vector<Operation> one_of_each_kind(std::index_sequence<index...>) {
    return {Operation(std::in_place_index<index>)...};
}

std::vector<Operation> make_list() {
    std::vector<Operation> list =
        one_of_each_kind(std::make_index_sequence<std::variant_size_v<Operation>>());
    // The first opcode and vgather are there already.
    for (int i = 1; i < kVectorOpcodes; ++i) {
        VectorOp op;
        op.opcode = static_cast<VectorOpcode>(i);
        list.emplace_back(prototype_of(op));
    }
    VectorGather blocks;
    blocks.blocks = true;
    list.emplace_back(blocks);
    return list;
}

std::map<std::string_view, std::size_t> make_index() {
    std::map<std::string_view, std::size_t> index;
    const std::vector<Operation>& list = all_operations();
    for (std::size_t i = 0; i < list.size(); ++i) index.emplace(mnemonic(list[i]), i);
    return index;
}

} // namespace

const std::vector<Operation>& all_operations() {
    static const std::vector<Operation> list = make_list();
    return list;
}

std::optional<std::size_t> find_operation(std::string_view name) {
    static const std::map<std::string_view, std::size_t> index = make_index();
    const auto found = index.find(name);
    if (found == index.end()) return std::nullopt;
    return found->second;
}

} // namespace aicore
