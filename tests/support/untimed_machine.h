// Executes the instructions of a matrix product one by one, element by element, without time.
//
// Written from the description of the instructions and sharing only their records with the model,
// so that a program and the model can be judged independently. Buffers start with all bits set: a
// NaN in every float type, which shows the use of anything that was never loaded.
#pragma once

#include "hw/isa/instruction.h"
#include "tb/workload/reference_operand.h"

#include <Eigen/Core>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace aicore::test {

class UntimedMachine {
public:
    using Memory = std::vector<std::uint8_t>;

    UntimedMachine(std::size_t gm_bytes, std::size_t l1_bytes, std::size_t l0a_bytes,
                   std::size_t l0b_bytes, std::size_t l0c_bytes)
        : gm(gm_bytes, 0xff), gm_writes(gm_bytes, 0), l1_(l1_bytes, 0xff), l0a_(l0a_bytes, 0xff),
          l0b_(l0b_bytes, 0xff), l0c_(l0c_bytes, 0xff) {}

    Memory gm;
    Memory gm_writes;       ///< how often the program wrote each byte of GM
    bool l0a_is_nz = false; ///< else Zz

    void execute(const Operation& operation) {
        std::visit([this](const auto& op) { run(op); }, operation);
    }

private:
    template <typename T>
    static T get(const Memory& memory, std::uint64_t address) {
        if (address + sizeof(T) > memory.size()) throw std::out_of_range("read behind a buffer");
        T value;
        std::memcpy(&value, memory.data() + address, sizeof(T));
        return value;
    }
    template <typename T>
    static void set(Memory& memory, std::uint64_t address, T value) {
        if (address + sizeof(T) > memory.size()) throw std::out_of_range("write behind a buffer");
        std::memcpy(memory.data() + address, &value, sizeof(T));
    }
    static std::uint64_t u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }

    void run(const Nd2Nz& op) {
        const std::int64_t c0 = 32 / op.elem_bytes;
        const std::int64_t padded = ceil_div(op.d_value, c0) * c0;
        for (std::int64_t i = 0; i < op.nd_num; ++i)
            for (std::int64_t n = 0; n < op.n_value; ++n)
                for (std::int64_t d = 0; d < padded; ++d)
                    for (std::int64_t byte = 0; byte < op.elem_bytes; ++byte) {
                        const std::int64_t from =
                            (i * op.src_nd_matrix_stride + n * op.src_d_value + d) * op.elem_bytes;
                        const std::int64_t to = i * op.dst_nz_matrix_stride * op.elem_bytes +
                                                d / c0 * op.dst_nz_c0_stride * 32 +
                                                n * op.dst_nz_n_stride * 32 +
                                                d % c0 * op.elem_bytes;
                        const bool valid = d < op.d_value;
                        const auto value =
                            valid ? get<std::uint8_t>(gm, op.src_addr + u64(from + byte))
                                  : std::uint8_t{0};
                        set(l1_, op.dst_addr + u64(to + byte), value);
                    }
    }

    void run(const Load2d& op) {
        if (op.src != Buffer::L1 || op.addr_mode != AddrMode::inc)
            throw std::invalid_argument("only loads from L1 that count up in this machine");
        Memory& l0 = op.dst == Buffer::L0A ? l0a_ : l0b_;
        for (std::int64_t i = 0; i < op.repeat; ++i) {
            const std::uint64_t from =
                op.src_addr + u64((op.start_index + i * op.src_stride) * 512);
            const std::uint64_t to = op.dst_addr + u64(i * (op.dst_gap + 1) * 512);
            for (std::uint64_t at = 0; at < 512; ++at) {
                std::uint64_t source = at;
                if (op.transpose) {
                    const std::uint64_t row = at / 32, column = at % 32 / 2;
                    source = column * 32 + row * 2 + at % 2;
                }
                set(l0, to + at, get<std::uint8_t>(l1_, from + source));
            }
        }
    }

    /// Element `index` of a type, counted from a byte address.
    template <typename T>
    static tb::SumOf<T> element(const Memory& memory, std::uint32_t address, std::int64_t bits,
                                std::int64_t index, bool hf32) {
        const std::int64_t at = std::int64_t{address} * 8 / bits + index;
        if ((at + 1) * bits > static_cast<std::int64_t>(memory.size()) * 8)
            throw std::out_of_range("read behind a buffer");
        return tb::operand<T>(memory, at, hf32 ? kHf32FractionBits : 0);
    }

    template <typename A, typename B = A>
    void multiply(const Mmad& op) {
        using Sum = tb::SumOf<A>;
        const std::int64_t bits = bits_of(op.ab_type), c0 = 256 / bits;
        const std::int64_t m1 = ceil_div(op.m, 16), n1 = ceil_div(op.n, 16);
        const std::int64_t k1 =
            op.k_direction_align && bits == 32 ? ceil_div(op.k, 16) * 2 : ceil_div(op.k, c0);
        std::vector<Sum> a(static_cast<std::size_t>(op.m * op.k));
        std::vector<Sum> b(static_cast<std::size_t>(op.k * op.n));
        for (std::int64_t m = 0; m < op.m; ++m)
            for (std::int64_t k = 0; k < op.k; ++k) {
                const std::int64_t fractal =
                    l0a_is_nz ? k / c0 * m1 + m / 16 : m / 16 * k1 + k / c0;
                const std::int64_t at = op.m == 1 ? k : fractal * 16 * c0 + (m % 16) * c0 + k % c0;
                a[static_cast<std::size_t>(m * op.k + k)] =
                    element<A>(l0a_, op.a_addr, bits, at, op.ctrl.hf32);
            }
        for (std::int64_t k = 0; k < op.k; ++k)
            for (std::int64_t n = 0; n < op.n; ++n) {
                const std::int64_t at = ((k / c0) * n1 + n / 16) * 16 * c0 + (n % 16) * c0 + k % c0;
                b[static_cast<std::size_t>(k * op.n + n)] =
                    element<B>(l0b_, op.b_addr, bits, at, op.ctrl.hf32);
            }
        std::vector<Sum> row(static_cast<std::size_t>(op.n));
        for (std::int64_t m = 0; m < op.m; ++m) {
            const auto c_at = [&](std::int64_t n) {
                return op.c_addr + u64(((n / 16) * m1 * 16 * 16 + m * 16 + n % 16) * 4);
            };
            for (std::int64_t n = 0; n < op.n; ++n)
                row[static_cast<std::size_t>(n)] = op.init == MmadInit::zero ? Sum{0}
                                                   : op.init == MmadInit::bias
                                                       ? get<Sum>(bt_, op.bias_addr + u64(n * 4))
                                                       : get<Sum>(l0c_, c_at(n));
            for (std::int64_t k = 0; k < op.k; ++k)
                for (std::int64_t n = 0; n < op.n; ++n) {
                    const Sum product = a[static_cast<std::size_t>(m * op.k + k)] *
                                        b[static_cast<std::size_t>(k * op.n + n)];
                    row[static_cast<std::size_t>(n)] += product;
                }
            for (std::int64_t n = 0; n < op.n; ++n)
                set(l0c_, c_at(n), row[static_cast<std::size_t>(n)]);
        }
    }

    void run(const Mmad& op) {
        const DataType b_type = op.b_type.value_or(op.ab_type);
        switch (op.ab_type) {
        case DataType::float16: return multiply<Eigen::half>(op);
        case DataType::bfloat16: return multiply<Eigen::bfloat16>(op);
        case DataType::float32: return multiply<float>(op);
        case DataType::int8: return multiply<std::int8_t>(op);
        case DataType::int4: return multiply<tb::Int4>(op);
        case DataType::fp8_e4m3:
            if (b_type == DataType::fp8_e5m2) return multiply<tb::E4m3, tb::E5m2>(op);
            return multiply<tb::E4m3>(op);
        case DataType::fp8_e5m2:
            if (b_type == DataType::fp8_e4m3) return multiply<tb::E5m2, tb::E4m3>(op);
            return multiply<tb::E5m2>(op);
        case DataType::hifloat8: return multiply<tb::Hif8>(op);
        default: break;
        }
        throw std::invalid_argument("type of an Mmad");
    }

    void run(const L1ToBt& op) {
        if (op.block_count != 1 || op.src_type == DataType::float16)
            throw std::invalid_argument("only one block without conversion in this machine");
        for (std::uint64_t at = 0; at < u64(op.block_len * 64); ++at)
            set(bt_, op.dst_addr + at, get<std::uint8_t>(l1_, op.src_addr + at));
    }

    template <typename Out, typename In>
    void put_gm(std::uint64_t address, In value) {
        set(gm, address, static_cast<Out>(value));
        for (std::uint64_t i = 0; i < sizeof(Out); ++i) ++gm_writes[address + i];
    }

    template <typename In>
    void store(const Fixpipe& op, std::uint64_t from, std::uint64_t to) {
        In value = get<In>(l0c_, from);
        if (op.relu_pre == ReluMode::normal && value < In{0}) value = In{0};
        if constexpr (std::is_same_v<In, float>) {
            if (op.quant_pre == QuantPreMode::F322F16) return put_gm<Eigen::half>(to, value);
            if (op.quant_pre == QuantPreMode::F322BF16) return put_gm<Eigen::bfloat16>(to, value);
        }
        put_gm<In>(to, value);
    }

    void run(const Fixpipe& op) {
        if (op.dst != Buffer::GM || op.layout != FixpipeLayout::NZ2ND || op.nd_num != 1)
            throw std::invalid_argument("only one matrix to GM as NZ2ND in this machine");
        for (std::int64_t m = 0; m < op.m_size; ++m)
            for (std::int64_t n = 0; n < op.n_size; ++n) {
                const std::uint64_t from =
                    op.src_addr + u64((n / 16) * op.src_stride * 64 + m * 64 + n % 16 * 4);
                const std::uint64_t to =
                    op.dst_addr + u64((m * op.dst_stride + n) * size_of(op.dst_type));
                if (op.src_type == DataType::int32)
                    store<std::int32_t>(op, from, to);
                else
                    store<float>(op, from, to);
            }
    }

    void run(const SetCtrl&) {} // stamped onto the instructions by who runs them
    void run(const SetFlag&) {}
    void run(const WaitFlag&) {}
    void run(const PipeBarrier&) {}
    template <typename Op>
    void run(const Op&) {
        throw std::invalid_argument("instruction that this machine does not have");
    }

    static constexpr int kHf32FractionBits = 11;
    static constexpr std::size_t kBtBytes = 1024;

    Memory l1_, l0a_, l0b_, l0c_;
    Memory bt_ = Memory(kBtBytes, 0xff);
};

} // namespace aicore::test
