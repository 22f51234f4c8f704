#include "hw/isa/vector_opcode.h"

#include <array>

namespace aicore {
namespace {

using T = DataType;

constexpr std::uint32_t bit(DataType type) { return 1u << static_cast<unsigned>(type); }

constexpr std::uint32_t kFloats = bit(T::float16) | bit(T::float32);
constexpr std::uint32_t kSigned = bit(T::int16) | bit(T::int32);
constexpr std::uint32_t kArithmetic = kFloats | kSigned;
constexpr std::uint32_t kShorts = bit(T::int16) | bit(T::uint16);
constexpr std::uint32_t kIntegers = kShorts | bit(T::int32) | bit(T::uint32);
constexpr std::uint32_t kAny16 = kShorts | bit(T::float16) | bit(T::bfloat16);
constexpr std::uint32_t kAny32 = bit(T::int32) | bit(T::uint32) | bit(T::float32);

struct OpcodeTraits {
    std::string_view name;
    VectorForm form;
    std::uint32_t types;
};

constexpr std::array<OpcodeTraits, kVectorOpcodes> kTraits{{
    {"vadd", VectorForm::binary, kArithmetic},
    {"vsub", VectorForm::binary, kArithmetic},
    {"vmul", VectorForm::binary, kArithmetic},
    {"vdiv", VectorForm::binary, kFloats},
    {"vmax", VectorForm::binary, kArithmetic},
    {"vmin", VectorForm::binary, kArithmetic},
    {"vand", VectorForm::binary, kShorts},
    {"vor", VectorForm::binary, kShorts},
    {"vaddrelu", VectorForm::binary, kFloats | bit(T::int16)},
    {"vsubrelu", VectorForm::binary, kFloats | bit(T::int16)},
    {"vmla", VectorForm::accumulate, kFloats},
    {"vmadd", VectorForm::accumulate, kFloats},
    {"vmaddrelu", VectorForm::accumulate, kFloats},
    {"vadds", VectorForm::scalar, kArithmetic},
    {"vmuls", VectorForm::scalar, kArithmetic},
    {"vmaxs", VectorForm::scalar, kArithmetic},
    {"vmins", VectorForm::scalar, kArithmetic},
    {"vlrelu", VectorForm::scalar, kFloats},
    {"vshl", VectorForm::scalar, kIntegers},
    {"vshr", VectorForm::scalar, kIntegers},
    {"vaxpy", VectorForm::accumulate_scalar, kFloats},
    {"vabs", VectorForm::unary, kFloats},
    {"vrelu", VectorForm::unary, kFloats | bit(T::int32)},
    {"vexp", VectorForm::unary, kFloats},
    {"vln", VectorForm::unary, kFloats},
    {"vsqrt", VectorForm::unary, kFloats},
    {"vrsqrt", VectorForm::unary, kFloats},
    {"vrec", VectorForm::unary, kFloats},
    {"vnot", VectorForm::unary, kShorts},
    {"vcopy", VectorForm::unary, kAny16 | kAny32},
    {"vconv", VectorForm::convert, 0},
    {"vdeqs162b8l", VectorForm::convert_half, bit(T::int16)},
    {"vdeqs162b8h", VectorForm::convert_half, bit(T::int16)},
    {"vector_dup", VectorForm::fill, kAny16 | kAny32},
    {"vcmp", VectorForm::compare_register, kFloats},
    {"vcmpv", VectorForm::compare, kFloats | bit(T::int32)},
    {"vcmpvs", VectorForm::compare_scalar, kFloats | bit(T::int32)},
    {"vsel", VectorForm::select, kFloats},
    {"vcadd", VectorForm::reduce_repeat, kFloats},
    {"vcmax", VectorForm::reduce_repeat, kFloats},
    {"vcmin", VectorForm::reduce_repeat, kFloats},
    {"vcgadd", VectorForm::reduce_block, kFloats},
    {"vcgmax", VectorForm::reduce_block, kFloats},
    {"vcgmin", VectorForm::reduce_block, kFloats},
    {"vcpadd", VectorForm::reduce_pair, kFloats},
    {"vbrcb", VectorForm::broadcast, kAny16 | kAny32},
    {"vtranspose", VectorForm::transpose, kAny16},
    {"set_cmpmask", VectorForm::set_register, ~0u},
    {"get_cmpmask", VectorForm::get_register, ~0u},
}};

const OpcodeTraits& traits_of(VectorOpcode opcode) {
    return kTraits[static_cast<std::size_t>(opcode)];
}

enum class Modes : std::uint8_t { exact, directed, directed_or_odd };

struct Conversion {
    DataType from, to;
    Modes modes;
};

/// Pairs of arch 2201 (vendor document of Cast).
constexpr std::array<Conversion, 25> kConversions{{
    {T::int4, T::float16, Modes::exact},
    {T::int8, T::float16, Modes::exact},
    {T::uint8, T::float16, Modes::exact},
    {T::int16, T::float16, Modes::directed},
    {T::int16, T::float32, Modes::exact},
    {T::float16, T::int4, Modes::directed},
    {T::float16, T::int8, Modes::directed},
    {T::float16, T::uint8, Modes::directed},
    {T::float16, T::int16, Modes::directed},
    {T::float16, T::int32, Modes::directed},
    {T::float16, T::float32, Modes::exact},
    {T::bfloat16, T::int32, Modes::directed},
    {T::bfloat16, T::float32, Modes::exact},
    {T::int32, T::int16, Modes::exact},
    {T::int32, T::float16, Modes::exact},
    {T::int32, T::float32, Modes::directed},
    {T::int32, T::int64, Modes::exact},
    {T::float32, T::int16, Modes::directed},
    {T::float32, T::float16, Modes::directed_or_odd},
    {T::float32, T::bfloat16, Modes::directed},
    {T::float32, T::int32, Modes::directed},
    {T::float32, T::float32, Modes::directed},
    {T::float32, T::int64, Modes::directed},
    {T::int64, T::int32, Modes::exact},
    {T::int64, T::float32, Modes::directed},
}};

const Conversion* find_conversion(const VectorOp& op) {
    for (const Conversion& conversion : kConversions) {
        if (conversion.from == op.type && conversion.to == op.dst_type) return &conversion;
    }
    return nullptr;
}

} // namespace

std::string_view to_string(VectorOpcode opcode) { return traits_of(opcode).name; }

VectorForm form_of(VectorOpcode opcode) { return traits_of(opcode).form; }

bool has_dst_type(VectorOpcode opcode) {
    return opcode == VectorOpcode::vconv || opcode == VectorOpcode::vmla ||
           opcode == VectorOpcode::vaxpy;
}

DataType dst_type_of(const VectorOp& op) {
    if (has_dst_type(op.opcode)) return op.dst_type;
    return form_of(op.opcode) == VectorForm::convert_half ? DataType::int8 : op.type;
}

bool allows_types(const VectorOp& op) {
    if (op.opcode == VectorOpcode::vconv) return find_conversion(op) != nullptr;
    if ((traits_of(op.opcode).types & bit(op.type)) == 0) return false;
    const bool is_compare = op.opcode == VectorOpcode::vcmpv || op.opcode == VectorOpcode::vcmpvs;
    if (is_compare && op.type == T::int32) return op.relation == Relation::eq;
    if (!has_dst_type(op.opcode)) return true;
    return op.dst_type == op.type || (op.type == T::float16 && op.dst_type == T::float32);
}

bool allows_rounding(const VectorOp& op) {
    if (op.rounding == Rounding::nearest_even) return true;
    const Conversion* conversion = find_conversion(op);
    if (conversion == nullptr || conversion->modes == Modes::exact) return false;
    if (op.rounding == Rounding::odd) return conversion->modes == Modes::directed_or_odd;
    return op.rounding != Rounding::hybrid;
}

bool obeys_mask(VectorForm form) {
    switch (form) {
    case VectorForm::broadcast:
    case VectorForm::transpose:
    case VectorForm::set_register:
    case VectorForm::get_register: return false;
    default: return true;
    }
}

bool reads_src0(VectorForm form) {
    return form != VectorForm::fill && form != VectorForm::get_register;
}

bool reads_src1(const VectorOp& op) {
    switch (form_of(op.opcode)) {
    case VectorForm::binary:
    case VectorForm::accumulate:
    case VectorForm::compare_register:
    case VectorForm::compare: return true;
    case VectorForm::select: return op.select_mode != SelectMode::scalar;
    default: return false;
    }
}

bool writes_dst(VectorForm form) {
    return form != VectorForm::compare_register && form != VectorForm::set_register;
}

bool uses_scalar(const VectorOp& op) {
    switch (form_of(op.opcode)) {
    case VectorForm::scalar:
    case VectorForm::accumulate_scalar:
    case VectorForm::fill:
    case VectorForm::compare_scalar: return true;
    case VectorForm::select: return op.select_mode == SelectMode::scalar;
    default: return false;
    }
}

bool reads_select_bits(const VectorOp& op) {
    return form_of(op.opcode) == VectorForm::select && op.select_mode != SelectMode::cmpmask;
}

} // namespace aicore
