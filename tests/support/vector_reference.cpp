#include "tests/support/vector_reference.h"

#include "tests/support/format_table.h"

#include <map>
#include <stdexcept>
#include <string>

namespace aicore::test {
namespace {

using Op = VectorOpcode;

Exact value_of(DataType type, std::uint64_t bits) {
    switch (type) {
    case DataType::float16: return half_value(static_cast<std::uint16_t>(bits));
    case DataType::bfloat16: return bfloat_value(static_cast<std::uint16_t>(bits));
    case DataType::float32: return float_value(static_cast<std::uint32_t>(bits));
    case DataType::int4: return (bits & 7) - ((bits & 8) != 0 ? Exact{8} : Exact{0});
    case DataType::int8: return static_cast<std::int8_t>(bits);
    case DataType::int16: return static_cast<std::int16_t>(bits);
    case DataType::int32: return static_cast<std::int32_t>(bits);
    case DataType::int64: return static_cast<std::int64_t>(bits);
    default: return bits;
    }
}

bool is_float(DataType type) { return !is_integer(type); }

std::uint64_t float_bits(DataType type, Exact x, Rounding rounding, FloatOverflow overflow) {
    const bool saturates = overflow == FloatOverflow::saturate;
    if (type == DataType::float32) {
        if (std::isnan(x)) return saturates ? 0 : 0x7FC00000;
        const float value = round_to_float(x, rounding);
        std::uint32_t bits;
        std::memcpy(&bits, &value, 4);
        return std::isinf(value) && saturates ? bits - 1 : bits;
    }
    const bool is_half = type == DataType::float16;
    const std::uint16_t infinity = is_half ? 0x7C00 : 0x7F80;
    if (std::isnan(x)) return saturates ? 0 : is_half ? 0x7E00 : 0x7FC0;
    std::uint16_t bits = round_magnitude(std::abs(x), std::signbit(x), rounding,
                                         is_half ? half_value : bfloat_value, infinity);
    if (bits == infinity && saturates) --bits;
    return bits | (std::signbit(x) ? 0x8000u : 0u);
}

std::uint64_t integer_bits(DataType type, Exact x, bool saturates) {
    if (std::isnan(x)) return 0;
    const int bits = bits_of(type);
    const bool is_unsigned = type == DataType::uint8;
    const Exact span = std::ldexp(Exact{1}, bits);
    const Exact low = is_unsigned ? 0 : -span / 2, high = low + span - 1;
    if (saturates || std::isinf(x)) x = std::min(std::max(x, low), high);
    x -= std::floor((x - low) / span) * span;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
}

/// A double function, so that the result is what the model promises to round.
Exact transcendental(Op opcode, Exact x) {
    const auto value = static_cast<double>(x);
    if (opcode == Op::vexp) return std::exp(value);
    if (opcode == Op::vln) return std::log(value);
    return 1.0 / std::sqrt(value);
}

Exact largest(Exact a, Exact b) {
    if (std::isnan(a) || std::isnan(b)) return std::nanl("");
    return a > b || (a == b && !std::signbit(a)) ? a : b;
}
/// p + z with a last bit that is odd if the sum is inexact: rounding it again is exact.
Exact odd_sum(Exact p, Exact z) {
    const Exact sum = p + z;
    if (!std::isfinite(sum)) return sum;
    const Exact shift = sum - p; // by Knuth's exact addition
    const Exact error = (p - (sum - shift)) + (z - shift);
    int exponent = 0;
    const Exact mantissa = std::ldexp(std::frexp(std::abs(sum), &exponent), 64);
    if (error == 0 || std::fmod(mantissa, 2.0L) != 0) return sum;
    const Exact infinity = std::numeric_limits<Exact>::infinity();
    return std::nextafter(sum, error > 0 ? infinity : -infinity);
}
Exact relu(Exact x) { return std::isnan(x) ? x : x > 0 ? x : 0; }

std::vector<bool> lanes_of(const VectorControl& control, int count, std::int64_t r) {
    std::vector<bool> lanes(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const auto lane = static_cast<std::size_t>(i);
        lanes[lane] = control.mask_mode == MaskMode::counter
                          ? r * count + i < static_cast<std::int64_t>(control.mask[0] & 0xFFFFFFFF)
                          : (control.mask[lane / 64] >> (lane % 64) & 1) != 0;
    }
    return lanes;
}

std::int64_t repeats_of(const VectorControl& control, int count, int repeat) {
    if (control.mask_mode == MaskMode::normal) return repeat;
    const auto elements = static_cast<std::int64_t>(control.mask[0] & 0xFFFFFFFF);
    return elements / count + (elements % count != 0 ? 1 : 0);
}

/// Address of element `lane` of repeat r; of 4-bit elements of its byte.
std::int64_t element_addr(const VectorOperand& operand, std::int64_t r, int lane, int bits) {
    const int byte = lane * bits / 8;
    return operand.addr + 32 * (r * operand.rep_stride + byte / 32 * operand.blk_stride) +
           byte % 32;
}

DataType result_type(const VectorOp& op) {
    const bool has_own = op.opcode == Op::vconv || op.opcode == Op::vmla || op.opcode == Op::vaxpy;
    return has_own ? op.dst_type : op.type;
}

bool is_compare(Op opcode) {
    return opcode == Op::vcmp || opcode == Op::vcmpv || opcode == Op::vcmpvs;
}
bool is_reduction(Op opcode) { return opcode >= Op::vcadd && opcode <= Op::vcpadd; }

bool relates(Relation relation, Exact a, Exact b) {
    switch (relation) {
    case Relation::lt: return a < b;
    case Relation::gt: return a > b;
    case Relation::ge: return a >= b;
    case Relation::eq: return a == b;
    case Relation::ne: return a != b;
    default: return a <= b;
    }
}

} // namespace

std::uint64_t VectorReference::get(std::int64_t addr, int bytes) const {
    std::uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | before_.at(static_cast<std::size_t>(addr + i));
    return value;
}

void VectorReference::set(std::int64_t addr, int bytes, std::uint64_t value) {
    for (int i = 0; i < bytes; ++i) {
        ub.at(static_cast<std::size_t>(addr + i)) = static_cast<std::uint8_t>(value >> 8 * i);
    }
}

void VectorReference::execute(const Operation& operation) {
    before_ = ub;
    if (const auto* vector = std::get_if<VectorOp>(&operation)) return run(*vector);
    if (const auto* gather = std::get_if<VectorGather>(&operation)) return run(*gather);
    if (const auto* mask = std::get_if<GatherMask>(&operation)) return run(*mask);
    if (const auto* sort = std::get_if<Sort32>(&operation)) return run(*sort);
    if (const auto* merge = std::get_if<MrgSort>(&operation)) return run(*merge);
    if (const auto* conv = std::get_if<NchwConv>(&operation)) return run(*conv);
    throw std::invalid_argument("no vector instruction");
}

void VectorReference::run(const VectorOp& op) {
    if (op.opcode >= Op::vbrcb) return move(op);
    const int widest = std::max(bits_of(op.type), bits_of(result_type(op)));
    const int count = 2048 / widest;
    std::int64_t repeats = repeats_of(op.control, count, op.repeat);
    if (op.opcode == Op::vcmp)
        repeats = std::min<std::int64_t>(1, repeats_of(op.control, count, 1));
    for (std::int64_t r = 0; r < repeats; ++r) {
        before_ = ub;
        const std::vector<bool> lanes = lanes_of(op.control, count, r);
        if (is_reduction(op.opcode)) {
            reduce(op, r, lanes);
        } else {
            repeat(op, r, lanes);
        }
    }
}

void VectorReference::repeat(const VectorOp& op, std::int64_t r, const std::vector<bool>& lanes) {
    const auto count = static_cast<int>(lanes.size());
    for (int i = 0; i < count; ++i) {
        const bool is_on = lanes[static_cast<std::size_t>(i)];
        if (is_compare(op.opcode)) {
            const bool counts = op.control.mask_mode == MaskMode::counter;
            const bool takes_part = is_on || (op.opcode != Op::vcmp && !counts);
            if (op.opcode == Op::vcmp) {
                if (is_on) compare_mask[static_cast<std::size_t>(i)] = result_bits(op, r, i) != 0;
                continue;
            }
            const std::int64_t bit = r * count + i;
            const std::int64_t addr = op.dst.addr + bit / 8;
            // The first bit of a byte clears the byte.
            if (takes_part && bit % 8 == 0) set(addr, 1, 0);
            if (takes_part && result_bits(op, r, i) != 0) {
                set(addr, 1, ub[static_cast<std::size_t>(addr)] | 1u << bit % 8);
            }
            continue;
        }
        const DataType to = result_type(op);
        const bool is_nibble = to == DataType::int4;
        if (!is_on && !(is_nibble && lanes[static_cast<std::size_t>(i ^ 1)])) continue;
        if (op.opcode == Op::vdeqs162b8l || op.opcode == Op::vdeqs162b8h) {
            const int half = op.opcode == Op::vdeqs162b8h ? 16 : 0;
            set(op.dst.addr + 32 * (r * op.dst.rep_stride + i / 16 * op.dst.blk_stride) + i % 16 +
                    half,
                1, result_bits(op, r, i));
            continue;
        }
        const std::int64_t addr = element_addr(op.dst, r, i, bits_of(to));
        std::uint64_t bits = result_bits(op, r, i);
        if (is_nibble) {
            const std::uint64_t old = ub.at(static_cast<std::size_t>(addr));
            bits = i % 2 == 0 ? (old & 0xF0) | (bits & 15) : (old & 0x0F) | (bits & 15) << 4;
        }
        set(addr, is_nibble ? 1 : size_of(to), bits);
    }
}

std::uint64_t VectorReference::result_bits(const VectorOp& op, std::int64_t r, int lane) const {
    const DataType from = op.type, to = result_type(op);
    const auto source = [&](const VectorOperand& operand, DataType type) -> std::uint64_t {
        const std::int64_t addr = element_addr(operand, r, lane, bits_of(type));
        if (type == DataType::int4) return get(addr, 1) >> (lane % 2 * 4) & 15;
        return get(addr, size_of(type));
    };
    const auto a = [&] { return value_of(from, source(op.src0, from)); };
    const auto b = [&] { return value_of(from, source(op.src1, from)); };
    const auto d = [&] { return value_of(to, source(op.dst, to)); };
    const Exact s = value_of(from, op.scalar);
    const auto finish = [&](Exact x) {
        return is_float(to)
                   ? float_bits(to, x, Rounding::nearest_even, op.ctrl.float_overflow)
                   : integer_bits(to, x, op.ctrl.integer_overflow == IntegerOverflow::saturate);
    };
    const auto sum = [&](Exact x, Exact y, Exact z) { // x * y + z
        if (is_fused || from != to) return finish(odd_sum(x * y, z));
        return finish(value_of(to, finish(x * y)) + z);
    };
    switch (op.opcode) {
    case Op::vadd: return finish(a() + b());
    case Op::vsub: return finish(a() - b());
    case Op::vmul: return finish(a() * b());
    case Op::vdiv: return finish(a() / b());
    case Op::vmax: return finish(largest(a(), b()));
    case Op::vmin: return finish(-largest(-a(), -b()));
    case Op::vand: return source(op.src0, from) & source(op.src1, from);
    case Op::vor: return source(op.src0, from) | source(op.src1, from);
    case Op::vaddrelu: return finish(relu(value_of(to, finish(a() + b()))));
    case Op::vsubrelu: return finish(relu(value_of(to, finish(a() - b()))));
    case Op::vmla: return sum(a(), b(), d());
    case Op::vmadd: return sum(a(), d(), b());
    case Op::vmaddrelu: return finish(relu(value_of(to, sum(a(), d(), b()))));
    case Op::vadds: return finish(a() + s);
    case Op::vmuls: return finish(a() * s);
    case Op::vmaxs: return finish(largest(a(), s));
    case Op::vmins: return finish(-largest(-a(), -s));
    case Op::vlrelu: return finish(a() < 0 ? a() * s : a());
    case Op::vaxpy: return sum(a(), s, d());
    case Op::vshl: return source(op.src0, from) << op.scalar;
    case Op::vshr: {
        const Exact scaled = std::ldexp(a(), -static_cast<int>(op.scalar));
        const Exact shifted = op.round_shift ? std::floor(scaled + Exact{0.5}) : std::floor(scaled);
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(shifted));
    }
    case Op::vabs: return finish(std::abs(a()));
    case Op::vrelu: return finish(relu(a()));
    case Op::vexp:
    case Op::vln:
    case Op::vrsqrt: return finish(transcendental(op.opcode, a()));
    case Op::vsqrt: return finish(std::sqrt(a()));
    case Op::vrec: return finish(1 / a());
    case Op::vnot: return ~source(op.src0, from);
    case Op::vcopy: return source(op.src0, from);
    case Op::vector_dup: return op.scalar;
    case Op::vconv:
        if (from == DataType::int32 && to == DataType::float16) {
            return finish(a() * half_value(static_cast<std::uint16_t>(op.control.deq_scale)));
        }
        if (from == DataType::float32 && to == from) {
            const Exact x = a();
            return finish(std::copysign(round_to_integer(x, op.rounding), x));
        }
        return is_float(to) ? float_bits(to, a(), op.rounding, op.ctrl.float_overflow)
                            : integer_bits(to, round_to_integer(a(), op.rounding), true);
    case Op::vdeqs162b8l:
    case Op::vdeqs162b8h: {
        const std::uint64_t word = op.control.deq_scale;
        const Exact scale = float_value(static_cast<std::uint32_t>(word) & 0xFFFFE000);
        const auto raw_offset = static_cast<int>(word >> 37 & 511);
        const int offset = raw_offset > 255 ? raw_offset - 512 : raw_offset;
        const bool is_signed = (word >> 46 & 1) != 0;
        const Exact product = static_cast<Exact>(round_to_float(a() * scale));
        const Exact limited = std::min(std::max(product, Exact{-256}), Exact{255});
        return integer_bits(is_signed ? DataType::int8 : DataType::uint8,
                            round_to_integer(limited, Rounding::nearest_even) + offset, true);
    }
    case Op::vcmp:
    case Op::vcmpv: return relates(op.relation, a(), b()) ? 1 : 0;
    case Op::vcmpvs: return relates(op.relation, a(), s) ? 1 : 0;
    case Op::vsel: {
        const std::int64_t bit = r * (2048 / bits_of(from)) + lane;
        const bool takes_first = op.select_mode == SelectMode::cmpmask
                                     ? compare_mask[static_cast<std::size_t>(lane)]
                                     : (get(op.mask_addr + bit / 8, 1) >> bit % 8 & 1) != 0;
        if (takes_first) return source(op.src0, from);
        return op.select_mode == SelectMode::scalar ? op.scalar : source(op.src1, from);
    }
    default: throw std::invalid_argument("no elementwise instruction");
    }
}

void VectorReference::reduce(const VectorOp& op, std::int64_t r, const std::vector<bool>& lanes) {
    const auto count = static_cast<int>(lanes.size());
    const int size = size_of(op.type);
    const bool is_block = op.opcode >= Op::vcgadd && op.opcode <= Op::vcgmin;
    const int group = op.opcode == Op::vcpadd ? 2 : is_block ? 32 / size : count;
    const bool is_sum =
        op.opcode == Op::vcadd || op.opcode == Op::vcgadd || op.opcode == Op::vcpadd;
    const bool is_max = op.opcode == Op::vcmax || op.opcode == Op::vcgmax;
    const bool has_index = op.opcode == Op::vcmax || op.opcode == Op::vcmin;
    int unit = count / group * size;
    if (has_index && op.order != ReduceOrder::only_value) unit = 2 * size;
    if (has_index && op.order == ReduceOrder::only_index) unit = 4;
    const std::int64_t base = op.dst.addr + r * op.dst.rep_stride * unit;
    for (int g = 0; g < count / group; ++g) {
        std::map<int, Exact> values; // enabled elements by their index
        for (int i = g * group; i < (g + 1) * group; ++i) {
            if (!lanes[static_cast<std::size_t>(i)]) continue;
            values[i] = value_of(op.type, get(element_addr(op.src0, r, i, size * 8), size));
        }
        if (values.empty()) continue;
        const auto bits_of_value = [&](Exact x) {
            return float_bits(op.type, x, Rounding::nearest_even, op.ctrl.float_overflow);
        };
        if (is_sum) {
            // Sum of [first, first + n): of the sums of both halves.
            const auto tree = [&](const auto& self, int first, int n) -> Exact {
                if (n == 1) return values.count(first) != 0 ? values[first] : 0;
                return value_of(op.type, bits_of_value(self(self, first, n / 2) +
                                                       self(self, first + n / 2, n / 2)));
            };
            set(base + g * size, size, bits_of_value(tree(tree, g * group, group)));
            continue;
        }
        int best = values.begin()->first;
        for (const auto& [index, value] : values) {
            if (std::isnan(values[best])) break;
            const bool wins = is_max ? value > values[best] : value < values[best];
            if (wins || std::isnan(value)) best = index;
        }
        const std::uint64_t value = bits_of_value(values[best]);
        const auto index = static_cast<std::uint64_t>(best);
        if (!has_index) {
            set(base + g * size, size, value);
        } else if (op.order == ReduceOrder::only_index) {
            set(base, 4, index);
        } else if (op.order == ReduceOrder::only_value) {
            set(base, size, value);
        } else {
            const bool value_first = op.order == ReduceOrder::value_index;
            set(base, size, value_first ? value : index);
            set(base + size, size, value_first ? index : value);
        }
    }
}

void VectorReference::move(const VectorOp& op) {
    const int size = size_of(op.type);
    if (op.opcode == Op::vtranspose) {
        for (int row = 0; row < 16; ++row)
            for (int column = 0; column < 16; ++column)
                set(op.dst.addr + column * 32 + row * 2, 2,
                    get(op.src0.addr + row * 32 + column * 2, 2));
    } else if (op.opcode == Op::set_cmpmask) {
        for (std::size_t i = 0; i < compare_mask.size(); ++i)
            compare_mask[i] = (get(op.src0.addr + static_cast<int>(i / 8), 1) >> i % 8 & 1) != 0;
    } else if (op.opcode == Op::get_cmpmask) {
        for (int byte = 0; byte < 16; ++byte) {
            std::uint64_t value = 0;
            for (int bit = 0; bit < 8; ++bit)
                value |= std::uint64_t{compare_mask[static_cast<std::size_t>(byte * 8 + bit)]}
                         << bit;
            set(op.dst.addr + byte, 1, value);
        }
    } else {
        for (int r = 0; r < op.repeat; ++r) {
            before_ = ub;
            for (int block = 0; block < 8; ++block)
                for (int byte = 0; byte < 32; byte += size)
                    set(op.dst.addr + 32 * (r * op.dst.rep_stride + block * op.dst.blk_stride) +
                            byte,
                        size, get(op.src0.addr + (r * 8 + block) * size, size));
        }
    }
}

} // namespace aicore::test
