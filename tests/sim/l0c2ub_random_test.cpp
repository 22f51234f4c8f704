// Random asc_copy_l0c2ub instructions on the model against a reference that walks elements one by
// one. The reference shares nothing with hw/fixpipe, hw/isa or their walks: it takes the 22
// parameters as the vendor's page describes them.
#include "hw/config/platform_loader.h"
#include "hw/isa/legality.h"
#include "tests/support/core_bench.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

namespace aicore::test {
namespace {

constexpr int kInstructions = 1500;
constexpr std::uint8_t kUntouched = 0xA5;
constexpr std::uint32_t kUbBytes = 65536; ///< of each unified buffer that the test looks at
/// L0C holds these numbers: they are exact in float16, and a quarter of each fits int8.
std::int32_t word_of(std::size_t index) {
    return static_cast<std::int32_t>(index * 7919 % 401) - 200;
}

enum class Kind { float32, float16, int8 };

struct Case {
    AscCopyL0c2ub op;
    Kind kind = Kind::float32;
};

class Random {
public:
    std::int64_t in(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool one_in(int n) { return in(1, n) == 1; }

private:
    std::mt19937_64 engine_{3510};
};

void choose_type(Random& random, Case& c) {
    AscCopyL0c2ub& op = c.op;
    c.kind = static_cast<Kind>(random.in(0, 2));
    if (op.dual_dst_ctl != 0 || op.split_en) c.kind = Kind::float32;
    if (c.kind == Kind::float16) {
        op.dst_type = DataType::float16;
        op.quant_pre = QuantPreMode::F322F16;
    } else if (c.kind == Kind::int8) {
        op.dst_type = DataType::int8;
        op.quant_pre = QuantPreMode::QF322B8_PRE;
        const float scale = 0.25f;
        std::uint32_t bits = 0;
        std::memcpy(&bits, &scale, 4);
        op.quant_scalar = bits | std::uint64_t{1} << 46;
    }
    if (c.kind == Kind::float16 && random.one_in(3)) op.relu_pre = 1;
}

int size_of_kind(Kind kind) { return kind == Kind::float32 ? 4 : kind == Kind::float16 ? 2 : 1; }

void choose_sizes(Random& random, Case& c) {
    AscCopyL0c2ub& op = c.op;
    const int size = size_of_kind(c.kind);
    const int line = 32 / size; // elements of a line of 32 bytes
    op.m_size = random.in(1, 70);
    op.n_size = 16 * random.in(1, 6);
    if (op.split_en) op.n_size = 8 * random.in(1, 12);
    if (op.c0_pad_en) op.n_size = random.in(1, 96);
    if (op.dual_dst_ctl == 1) op.m_size = 2 * random.in(1, 35);
    if (op.dual_dst_ctl == 2) op.n_size = 32 * random.in(1, 3);
    if (op.nz2nd_en && op.dual_dst_ctl != 2) op.n_size = line * random.in(1, 96 / line);
    if (op.nz2dn_en) op.m_size = line * random.in(1, 64 / line);
    if (op.nz2dn_en) op.n_size = random.in(1, 60);
}

Case random_case(Random& random) {
    Case c;
    AscCopyL0c2ub& op = c.op;
    op.sub_blockid = random.one_in(2);
    const std::int64_t layout = random.in(0, 2);
    op.nz2nd_en = layout == 1;
    op.nz2dn_en = layout == 2;
    if (layout != 2 && random.one_in(3)) op.dual_dst_ctl = static_cast<int>(random.in(1, 2));
    if (layout == 0 && op.dual_dst_ctl == 0) {
        op.split_en = random.one_in(4);
        op.c0_pad_en = random.one_in(3);
    }
    op.broadcast_en = op.dual_dst_ctl == 0 && random.one_in(5);
    choose_type(random, c);
    choose_sizes(random, c);
    if (layout != 0) {
        op.nd_num = random.in(1, 2);
        op.src_nd_stride = random.in(0, 40);
        op.dst_nd_stride = 8192 + random.in(0, 9); // apart from one another
    }
    if (op.nz2dn_en) op.src_nz_c0_stride = random.in(1, 3);
    op.loop_src_stride = op.m_size * op.src_nz_c0_stride + random.in(0, 17);
    op.src_addr = static_cast<std::uint32_t>(64 * random.in(0, 500));
    op.dst_addr = static_cast<std::uint32_t>(32 * random.in(0, 9));
    const std::int64_t n_line = op.dual_dst_ctl == 2 ? op.n_size / 2 : op.n_size;
    if (op.nz2nd_en) op.loop_dst_stride = n_line + random.in(0, 9);
    if (op.nz2dn_en) op.loop_dst_stride = op.m_size + random.in(0, 9);
    const std::int64_t width = op.split_en ? 8 : c.kind == Kind::int8 ? 32 : 16;
    if (layout == 0) op.loop_dst_stride = width * (op.m_size + random.in(0, 5));
    return c;
}

using Ubs = std::array<ByteVector, 2>;

/// Writes the reference result of one element to byte `offset` of a unified buffer.
void put(const Case& c, Ubs& ubs, int ub, std::int64_t offset, std::int32_t word) {
    std::uint8_t* to = ubs[static_cast<std::size_t>(ub)].data() + c.op.dst_addr + offset;
    if (c.kind == Kind::int8) {
        std::int32_t value = word < 0 ? -((-word + 2) / 4) : (word + 2) / 4;
        if (word % 4 == 2 || word % 4 == -2) value = word / 4 % 2 == 0 ? word / 4 : value;
        const auto byte = static_cast<std::int8_t>(value);
        std::memcpy(to, &byte, 1);
        return;
    }
    const float value = c.op.relu_pre == 1 && word < 0 ? 0.0f : static_cast<float>(word);
    if (c.kind == Kind::float32) {
        std::memcpy(to, &value, 4);
        return;
    }
    // |value| <= 200 fits the 11 bits of a float16: only the fields move.
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    const std::uint32_t exponent = (bits >> 23 & 0xff) == 0 ? 0 : (bits >> 23 & 0xff) - 112;
    const auto half =
        static_cast<std::uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff));
    std::memcpy(to, &half, 2);
}

std::int32_t l0c_word(const Case& c, std::int64_t matrix, std::int64_t m, std::int64_t n) {
    const std::int64_t row = c.op.broadcast_en ? 0 : m;
    const std::int64_t byte = c.op.src_addr + matrix * c.op.src_nd_stride * 64 +
                              n / 16 * c.op.loop_src_stride * 64 +
                              row * c.op.src_nz_c0_stride * 64 + n % 16 * 4;
    return word_of(static_cast<std::size_t>(byte / 4));
}

void reference(const Case& c, Ubs& ubs) {
    const AscCopyL0c2ub& op = c.op;
    const int size = size_of_kind(c.kind);
    const std::int64_t width = op.split_en ? 8 : size == 1 ? 32 : 16;
    const std::int64_t rows = op.dual_dst_ctl == 1 ? op.m_size / 2 : op.m_size;
    const std::int64_t columns = op.dual_dst_ctl == 2 ? op.n_size / 2 : op.n_size;
    const std::int64_t matrices = op.nz2nd_en || op.nz2dn_en ? op.nd_num : 1;
    const std::int64_t padded = (columns + width - 1) / width * width;
    for (std::int64_t m = 0; op.c0_pad_en && m < rows; ++m) {
        for (std::int64_t n = columns; n < padded; ++n) {
            const std::int64_t element = n / width * op.loop_dst_stride + m * width + n % width;
            put(c, ubs, op.sub_blockid ? 1 : 0, element * size, 0);
        }
    }
    for (std::int64_t matrix = 0; matrix < matrices; ++matrix) {
        for (std::int64_t m = 0; m < op.m_size; ++m) {
            for (std::int64_t n = 0; n < op.n_size; ++n) {
                int ub = op.sub_blockid ? 1 : 0;
                if (op.dual_dst_ctl == 1) ub = m >= rows ? 1 : 0;
                if (op.dual_dst_ctl == 2) ub = n >= columns ? 1 : 0;
                const std::int64_t row = op.dual_dst_ctl == 1 ? m % rows : m;
                const std::int64_t column = op.dual_dst_ctl == 2 ? n % columns : n;
                std::int64_t element = 0;
                if (op.nz2nd_en) {
                    element = matrix * op.dst_nd_stride + row * op.loop_dst_stride + column;
                } else if (op.nz2dn_en) {
                    element = matrix * op.dst_nd_stride + column * op.loop_dst_stride + row;
                } else {
                    const bool lone = size == 1 && !op.c0_pad_en && (columns + 15) / 16 % 2 == 1 &&
                                      column / 32 == (columns - 1) / 32;
                    element = column / width * op.loop_dst_stride + row * (lone ? 16 : width) +
                              column % width;
                }
                put(c, ubs, ub, element * size, l0c_word(c, matrix, m, n));
            }
        }
    }
}

class L0c2ubRandom : public SimTest {};

TEST_F(L0c2ubRandom, EqualsTheElementReference) {
    BenchOptions options;
    options.platform = "3510";
    options.observed = false;
    CoreBench bench(options);
    const IsaLimits limits = isa_limits(bench.platform());
    Random random;
    ByteVector l0c(static_cast<std::size_t>(limits.l0c_bytes));
    for (std::size_t i = 0; i < l0c.size() / 4; ++i) {
        const auto value = static_cast<float>(word_of(i));
        std::memcpy(l0c.data() + 4 * i, &value, 4);
    }
    const ByteVector untouched(kUbBytes, kUntouched);
    int kinds = 0;
    for (int i = 0; i < kInstructions; ++i) {
        const Case c = random_case(random);
        const auto violation = find_violation(c.op, limits);
        ASSERT_FALSE(violation) << disassemble(c.op) << ": " << violation->field << " = "
                                << violation->value << ": " << violation->rule;
        ProgramList program{c.op};
        bench.reset();
        bench.poke(Buffer::L0C, 0, l0c);
        for (const int ub : {0, 1}) bench.poke(Buffer::UB, 0, untouched, ub);
        bench.run(program);
        Ubs expected{untouched, untouched};
        reference(c, expected);
        for (const int ub : {0, 1}) {
            ASSERT_EQ(bench.peek(Buffer::UB, 0, kUbBytes, ub),
                      expected[static_cast<std::size_t>(ub)])
                << "instruction " << i << " in UB" << ub << ": " << disassemble(c.op) << " nd "
                << c.op.nd_num << " c0 stride " << c.op.src_nz_c0_stride;
        }
        kinds |= 1 << (c.op.dual_dst_ctl + 3 * (c.op.nz2nd_en ? 1 : c.op.nz2dn_en ? 2 : 0));
    }
    EXPECT_EQ(kinds, 0b001111111); // every layout with every split that it may have
}

} // namespace
} // namespace aicore::test
