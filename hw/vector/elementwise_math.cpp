#include "hw/vector/elementwise_math.h"

#include "hw/vector/element_math.h"

#include <limits>
#include <stdexcept>
#include <type_traits>

namespace aicore {
namespace {

// ---- floating types: an operation has apply(a, b), a float or a double to be rounded ------------

struct Add {
    static float apply(float a, float b) { return a + b; }
};
struct Sub {
    static float apply(float a, float b) { return a - b; }
};
struct Mul {
    static float apply(float a, float b) { return a * b; }
};
struct Div {
    static float apply(float a, float b) { return a / b; }
};
struct Max {
    static float apply(float a, float b) { return max_of(a, b); }
};
struct Min {
    static float apply(float a, float b) { return min_of(a, b); }
};
struct LeakyRelu {
    static float apply(float a, float slope) { return a < 0.0f ? a * slope : a; }
};
struct Abs {
    static float apply(float a) { return std::fabs(a); }
};
struct Relu {
    static float apply(float a) { return relu_of(a); }
};
struct Exp {
    static double apply(float a) { return std::exp(static_cast<double>(a)); }
};
struct Ln {
    static double apply(float a) { return std::log(static_cast<double>(a)); }
};
struct Sqrt {
    static float apply(float a) { return std::sqrt(a); }
};
struct Rsqrt {
    static double apply(float a) { return 1.0 / std::sqrt(static_cast<double>(a)); }
};
struct Rec {
    static float apply(float a) { return 1.0f / a; }
};

template <typename E, typename Fn>
void unary(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        store_raw(v.out, i, E::encode(Fn::apply(E::load(v.src0, i)), v.float_overflow));
    }
}

template <typename E, typename Fn>
void binary(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const auto result = Fn::apply(E::load(v.src0, i), E::load(v.src1, i));
        store_raw(v.out, i, E::encode(result, v.float_overflow));
    }
}

/// The sum or difference is rounded before the ReLU, which changes no result.
template <typename E, typename Fn>
void binary_relu(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const float result = relu_of(Fn::apply(E::load(v.src0, i), E::load(v.src1, i)));
        store_raw(v.out, i, E::encode(result, v.float_overflow));
    }
}

template <typename E, typename Fn>
void with_scalar(const VectorLanes& v) {
    const float scalar = E::decode(v.scalar);
    for (int i = 0; i < v.count; ++i) {
        const auto result = Fn::apply(E::load(v.src0, i), scalar);
        store_raw(v.out, i, E::encode(result, v.float_overflow));
    }
}

template <typename E>
typename E::Raw multiply_add(float a, float b, float c, const VectorLanes& v) {
    if (v.multiply_add == MultiplyAdd::fused) {
        return E::encode(E::multiply_add(a, b, c), v.float_overflow);
    }
    return E::encode(E::round(a * b, v.float_overflow) + c, v.float_overflow);
}

template <typename E>
void mla(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        store_raw(v.out, i,
                  multiply_add<E>(E::load(v.src0, i), E::load(v.src1, i), E::load(v.dst, i), v));
    }
}
template <typename E>
void madd(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        store_raw(v.out, i,
                  multiply_add<E>(E::load(v.src0, i), E::load(v.dst, i), E::load(v.src1, i), v));
    }
}
template <typename E>
void madd_relu(const VectorLanes& v) {
    madd<E>(v);
    for (int i = 0; i < v.count; ++i) {
        store_raw(v.out, i, E::encode(relu_of(E::load(v.out, i)), v.float_overflow));
    }
}
template <typename E>
void axpy(const VectorLanes& v) {
    const float scalar = E::decode(v.scalar);
    for (int i = 0; i < v.count; ++i) {
        store_raw(v.out, i, multiply_add<E>(E::load(v.src0, i), scalar, E::load(v.dst, i), v));
    }
}

// float16 factors, float32 sums: the product is exact in float32.
void mixed_mla(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const float product = HalfElement::load(v.src0, i) * HalfElement::load(v.src1, i);
        store_raw(v.out, i,
                  SingleElement::encode(product + SingleElement::load(v.dst, i), v.float_overflow));
    }
}
void mixed_axpy(const VectorLanes& v) {
    const float scalar = HalfElement::decode(v.scalar);
    for (int i = 0; i < v.count; ++i) {
        const float product = HalfElement::load(v.src0, i) * scalar;
        store_raw(v.out, i,
                  SingleElement::encode(product + SingleElement::load(v.dst, i), v.float_overflow));
    }
}

// ---- integer types: apply() gives the exact result ----------------------------------------------

struct IntAdd {
    static std::int64_t apply(std::int64_t a, std::int64_t b) { return a + b; }
};
struct IntSub {
    static std::int64_t apply(std::int64_t a, std::int64_t b) { return a - b; }
};
struct IntMul {
    static std::int64_t apply(std::int64_t a, std::int64_t b) { return a * b; }
};
struct IntMax {
    static std::int64_t apply(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
};
struct IntMin {
    static std::int64_t apply(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
};

template <typename T>
T fit(std::int64_t value, IntegerOverflow overflow) {
    constexpr std::int64_t kLeast = std::numeric_limits<T>::min();
    constexpr std::int64_t kLargest = std::numeric_limits<T>::max();
    if (overflow == IntegerOverflow::saturate) {
        value = value < kLeast ? kLeast : value > kLargest ? kLargest : value;
    }
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value));
}

template <typename T, typename Fn>
void int_binary(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const std::int64_t result = Fn::apply(load_raw<T>(v.src0, i), load_raw<T>(v.src1, i));
        store_raw(v.out, i, fit<T>(result, v.integer_overflow));
    }
}
template <typename T, typename Fn>
void int_scalar(const VectorLanes& v) {
    const auto scalar = static_cast<T>(static_cast<std::make_unsigned_t<T>>(v.scalar));
    for (int i = 0; i < v.count; ++i) {
        const std::int64_t result = Fn::apply(load_raw<T>(v.src0, i), scalar);
        store_raw(v.out, i, fit<T>(result, v.integer_overflow));
    }
}
template <typename T>
void int_relu(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const T value = load_raw<T>(v.src0, i);
        store_raw(v.out, i, value > 0 ? value : T{0});
    }
}
template <typename Fn>
void short_relu(const VectorLanes& v) {
    using T = std::int16_t;
    for (int i = 0; i < v.count; ++i) {
        const std::int64_t exact = Fn::apply(load_raw<T>(v.src0, i), load_raw<T>(v.src1, i));
        const T result = fit<T>(exact, v.integer_overflow);
        store_raw(v.out, i, result > 0 ? result : T{0});
    }
}

/// Bits shifted out are lost; a shift by the whole width gives 0.
template <typename T>
void shift_left(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const std::uint64_t value = load_raw<std::make_unsigned_t<T>>(v.src0, i);
        store_raw(v.out, i, static_cast<std::make_unsigned_t<T>>(value << v.scalar));
    }
}
/// Arithmetic for signed types.
template <typename T>
void shift_right(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const std::int64_t value = load_raw<T>(v.src0, i);
        const bool rounds_up = v.round_shift && v.scalar > 0 && (value >> (v.scalar - 1) & 1) != 0;
        store_raw(v.out, i, static_cast<T>((value >> v.scalar) + (rounds_up ? 1 : 0)));
    }
}

using Word = std::uint16_t; ///< of the bitwise instructions

void bit_and(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const int bits = load_raw<Word>(v.src0, i) & load_raw<Word>(v.src1, i);
        store_raw(v.out, i, static_cast<Word>(bits));
    }
}
void bit_or(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        const int bits = load_raw<Word>(v.src0, i) | load_raw<Word>(v.src1, i);
        store_raw(v.out, i, static_cast<Word>(bits));
    }
}
void bit_not(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) {
        store_raw(v.out, i, static_cast<Word>(~load_raw<Word>(v.src0, i)));
    }
}

template <typename T>
void copy(const VectorLanes& v) {
    std::memcpy(v.out, v.src0, static_cast<std::size_t>(v.count) * sizeof(T));
}
template <typename T>
void fill(const VectorLanes& v) {
    for (int i = 0; i < v.count; ++i) store_raw(v.out, i, static_cast<T>(v.scalar));
}

// ---- choice -------------------------------------------------------------------------------------

/// One kernel for each type, null where the instruction does not exist.
struct Kernels {
    LaneKernel f16 = nullptr, f32 = nullptr, s16 = nullptr, s32 = nullptr, u16 = nullptr,
               u32 = nullptr;
};

template <typename Fn>
Kernels floats() {
    return {unary<HalfElement, Fn>, unary<SingleElement, Fn>};
}
template <typename Fn, typename IntFn>
Kernels arithmetic() {
    return {binary<HalfElement, Fn>, binary<SingleElement, Fn>, int_binary<std::int16_t, IntFn>,
            int_binary<std::int32_t, IntFn>};
}
template <typename Fn, typename IntFn>
Kernels scalar_arithmetic() {
    return {with_scalar<HalfElement, Fn>, with_scalar<SingleElement, Fn>,
            int_scalar<std::int16_t, IntFn>, int_scalar<std::int32_t, IntFn>};
}

Kernels kernels_of(VectorOpcode opcode) {
    switch (opcode) {
    case VectorOpcode::vadd: return arithmetic<Add, IntAdd>();
    case VectorOpcode::vsub: return arithmetic<Sub, IntSub>();
    case VectorOpcode::vmul: return arithmetic<Mul, IntMul>();
    case VectorOpcode::vmax: return arithmetic<Max, IntMax>();
    case VectorOpcode::vmin: return arithmetic<Min, IntMin>();
    case VectorOpcode::vdiv: return {binary<HalfElement, Div>, binary<SingleElement, Div>};
    case VectorOpcode::vaddrelu:
        return {binary_relu<HalfElement, Add>, binary_relu<SingleElement, Add>, short_relu<IntAdd>};
    case VectorOpcode::vsubrelu:
        return {binary_relu<HalfElement, Sub>, binary_relu<SingleElement, Sub>, short_relu<IntSub>};
    case VectorOpcode::vand: return {nullptr, nullptr, bit_and, nullptr, bit_and};
    case VectorOpcode::vor: return {nullptr, nullptr, bit_or, nullptr, bit_or};
    case VectorOpcode::vnot: return {nullptr, nullptr, bit_not, nullptr, bit_not};
    case VectorOpcode::vmla: return {mla<HalfElement>, mla<SingleElement>};
    case VectorOpcode::vmadd: return {madd<HalfElement>, madd<SingleElement>};
    case VectorOpcode::vmaddrelu: return {madd_relu<HalfElement>, madd_relu<SingleElement>};
    case VectorOpcode::vaxpy: return {axpy<HalfElement>, axpy<SingleElement>};
    case VectorOpcode::vadds: return scalar_arithmetic<Add, IntAdd>();
    case VectorOpcode::vmuls: return scalar_arithmetic<Mul, IntMul>();
    case VectorOpcode::vmaxs: return scalar_arithmetic<Max, IntMax>();
    case VectorOpcode::vmins: return scalar_arithmetic<Min, IntMin>();
    case VectorOpcode::vlrelu:
        return {with_scalar<HalfElement, LeakyRelu>, with_scalar<SingleElement, LeakyRelu>};
    case VectorOpcode::vshl:
        return {nullptr,
                nullptr,
                shift_left<std::int16_t>,
                shift_left<std::int32_t>,
                shift_left<std::uint16_t>,
                shift_left<std::uint32_t>};
    case VectorOpcode::vshr:
        return {nullptr,
                nullptr,
                shift_right<std::int16_t>,
                shift_right<std::int32_t>,
                shift_right<std::uint16_t>,
                shift_right<std::uint32_t>};
    case VectorOpcode::vabs: return floats<Abs>();
    case VectorOpcode::vrelu: {
        Kernels kernels = floats<Relu>();
        kernels.s32 = int_relu<std::int32_t>;
        return kernels;
    }
    case VectorOpcode::vexp: return floats<Exp>();
    case VectorOpcode::vln: return floats<Ln>();
    case VectorOpcode::vsqrt: return floats<Sqrt>();
    case VectorOpcode::vrsqrt: return floats<Rsqrt>();
    case VectorOpcode::vrec: return floats<Rec>();
    case VectorOpcode::vcopy: {
        constexpr LaneKernel k16 = copy<std::uint16_t>, k32 = copy<std::uint32_t>;
        return {k16, k32, k16, k32, k16, k32};
    }
    case VectorOpcode::vector_dup: {
        constexpr LaneKernel k16 = fill<std::uint16_t>, k32 = fill<std::uint32_t>;
        return {k16, k32, k16, k32, k16, k32};
    }
    default: return {};
    }
}

} // namespace

LaneKernel lane_kernel(const VectorOp& op) {
    const Kernels kernels = kernels_of(op.opcode);
    const bool is_mixed = op.type == DataType::float16 && op.dst_type == DataType::float32;
    LaneKernel kernel = nullptr;
    if (is_mixed && op.opcode == VectorOpcode::vmla) return mixed_mla;
    if (is_mixed && op.opcode == VectorOpcode::vaxpy) return mixed_axpy;
    switch (op.type) {
    case DataType::float16: kernel = kernels.f16; break;
    case DataType::float32: kernel = kernels.f32; break;
    case DataType::int16: kernel = kernels.s16; break;
    case DataType::int32: kernel = kernels.s32; break;
    case DataType::bfloat16: // of the instructions that only move bits
    case DataType::uint16: kernel = kernels.u16; break;
    case DataType::uint32: kernel = kernels.u32; break;
    default: break;
    }
    if (kernel == nullptr) throw std::invalid_argument("not an elementwise vector instruction");
    return kernel;
}

} // namespace aicore
