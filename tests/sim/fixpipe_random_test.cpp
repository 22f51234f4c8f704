// Random Fixpipe instructions on the model against a reference that walks elements one by one.
//
// The reference takes its arithmetic from quantise_reference.h (exact, one element at a time) and
// its layouts from the text of the vendor's pages; it shares nothing with hw/fixpipe or the walks.
#include "hw/config/platform_loader.h"
#include "hw/isa/legality.h"
#include "tests/pure/quantise_reference.h"
#include "tests/support/core_bench.h"

#include <gtest/gtest.h>

#include <random>

namespace aicore::test {
namespace {

constexpr int kInstructions = 2000;
constexpr std::uint64_t kAreaBytes = 32768; ///< of GM for each instruction
constexpr std::uint8_t kUntouched = 0xA5;
constexpr std::uint32_t kIntegers = 65536; ///< L0C: float32 below, int32 from here on
constexpr int kTableEntries = 256;

struct Mode {
    QuantPreMode mode;
    const char* formula; ///< as quantise_reference names it
    const char* result;
    DataType source, destination;
    bool scalar = false, vector = false;
};

const Mode kModes[] = {
    {QuantPreMode::none, "none", "", DataType::float32, DataType::float32},
    {QuantPreMode::none, "none", "", DataType::int32, DataType::int32},
    {QuantPreMode::F322F16, "F322F16", "float16", DataType::float32, DataType::float16},
    {QuantPreMode::F322BF16, "F322BF16", "bfloat16", DataType::float32, DataType::bfloat16},
    {QuantPreMode::DEQF16, "DEQF16", "float16", DataType::int32, DataType::float16, true},
    {QuantPreMode::VDEQF16, "DEQF16", "float16", DataType::int32, DataType::float16, false, true},
    {QuantPreMode::REQ8, "REQ8", "b8", DataType::int32, DataType::int8, true},
    {QuantPreMode::VREQ8, "REQ8", "b8", DataType::int32, DataType::int8, false, true},
    {QuantPreMode::QF322B8_PRE, "QF322B8_PRE", "b8", DataType::float32, DataType::int8, true},
    {QuantPreMode::VQF322B8_PRE, "QF322B8_PRE", "b8", DataType::float32, DataType::int8, false,
     true},
};

class Random {
public:
    std::int64_t in(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool coin() { return in(0, 1) == 1; }
    reference::Fields fields() {
        reference::Fields fields;
        const auto exponent = static_cast<std::uint32_t>(in(118, 129));
        fields.scale = static_cast<std::uint32_t>(in(0, 1)) << 31 | exponent << 23 |
                       static_cast<std::uint32_t>(in(0, 0x7FFFFF));
        fields.shift = static_cast<std::uint32_t>(in(0, 15));
        fields.narrow = coin();
        fields.offset = static_cast<std::uint32_t>(in(0, 511));
        fields.is_signed = true;
        return fields;
    }

private:
    std::mt19937_64 engine_{20261130};
};

struct Case {
    Fixpipe op;
    const Mode* mode;
    reference::Fields scalar;
};

Case random_case(Random& random, std::uint64_t gm_addr) {
    Case c;
    c.mode = &kModes[random.in(0, std::size(kModes) - 1)];
    c.scalar = random.fields();
    Fixpipe& op = c.op;
    op.quant_pre = c.mode->mode;
    op.src_type = c.mode->source;
    op.dst_type = c.mode->destination;
    op.quant_scalar = c.mode->scalar ? c.scalar.pre_word() : 0;
    op.quant_table_addr = static_cast<std::uint32_t>(c.mode->vector ? 128 * random.in(0, 4) : 0);
    op.relu_pre = random.coin() ? ReluMode::normal : ReluMode::none;
    op.layout = random.coin() ? FixpipeLayout::NZ : FixpipeLayout::NZ2ND;
    const bool nz = op.layout == FixpipeLayout::NZ;
    op.channel_split = nz && op.dst_type == DataType::float32 && random.coin();
    op.m_size = random.in(1, 40);
    op.n_size = nz ? 16 * random.in(1, 6) : random.in(1, 96);
    op.src_stride = ceil_div(op.m_size, 16) * 16 + 16 * random.in(0, 1);
    op.src_addr = static_cast<std::uint32_t>((op.src_type == DataType::int32 ? kIntegers : 0) +
                                             64 * random.in(0, 200));
    op.dst_addr = gm_addr + (nz ? 32 * static_cast<std::uint64_t>(random.in(0, 3))
                                : static_cast<std::uint64_t>(random.in(0, 99)));
    op.dst_stride =
        nz ? op.m_size * (size_of(op.dst_type) == 4 && !op.channel_split ? 2 : 1) + random.in(0, 3)
           : op.n_size + random.in(0, 9);
    return c;
}

/// Byte offset of element (m, n) in the output, from the texts on NZ, channel merge and split.
std::int64_t place(const Fixpipe& op, std::int64_t m, std::int64_t n) {
    const std::int64_t size = size_of(op.dst_type);
    if (op.layout == FixpipeLayout::NZ2ND) return (m * op.dst_stride + n) * size;
    std::int64_t width = 16; // columns of a destination panel
    if (size == 1) width = 32;
    if (op.channel_split) width = 8;
    const std::int64_t panel = n / width;
    const bool lone = size == 1 && op.n_size % 32 == 16 && panel == op.n_size / 32;
    const std::int64_t row_elements = lone ? 16 : width;
    return panel * op.dst_stride * 32 + (m * row_elements + n % width) * size;
}

std::uint32_t word_at(const ByteVector& bytes, std::size_t offset) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + offset, 4);
    return word;
}

class FixpipeRandom : public SimTest {};

TEST_F(FixpipeRandom, EqualsTheElementReference) {
    CoreBench bench({{}, true, false, false, 0});
    const NumericsConfig& numerics = bench.platform().numerics;
    Random random;

    ByteVector l0c(static_cast<std::size_t>(bench.platform().memories.l0c.size_bytes.count()));
    for (std::size_t i = 0; i < l0c.size(); i += 4) {
        const float value = static_cast<float>(random.in(-4'000'000, 4'000'000)) / 8192.0f;
        const auto integer = static_cast<std::int32_t>(random.in(-100'000, 100'000));
        if (i < kIntegers)
            std::memcpy(l0c.data() + i, &value, 4);
        else
            std::memcpy(l0c.data() + i, &integer, 4);
    }
    std::vector<reference::Fields> table;
    ByteVector table_bytes;
    for (int i = 0; i < kTableEntries; ++i) {
        table.push_back(random.fields());
        const std::uint64_t word = table.back().pre_word();
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&word);
        table_bytes.insert(table_bytes.end(), bytes, bytes + 8);
    }

    std::vector<Case> cases;
    ProgramList program;
    const IsaLimits limits = isa_limits(bench.platform());
    GlobalMemory& gm = bench.simulation().chip().gm();
    const ByteVector untouched(kAreaBytes, kUntouched);
    for (int i = 0; i < kInstructions; ++i) {
        const std::uint64_t area = static_cast<std::uint64_t>(i) * kAreaBytes;
        gm.load(area, untouched.data(), kAreaBytes);
        cases.push_back(random_case(random, area));
        const auto violation = find_violation(cases.back().op, limits);
        ASSERT_FALSE(violation) << violation->field << " = " << violation->value << ": "
                                << violation->rule;
        program.add(cases.back().op);
    }
    bench.reset();
    bench.poke(Buffer::L0C, 0, l0c);
    bench.poke(Buffer::FB, 0, table_bytes);
    bench.run(program);

    for (int i = 0; i < kInstructions; ++i) {
        const Case& c = cases[static_cast<std::size_t>(i)];
        const std::uint64_t area = static_cast<std::uint64_t>(i) * kAreaBytes;
        QuantStage stage;
        stage.source = c.op.src_type;
        stage.relu = c.op.relu_pre;
        stage.overflow = numerics.ctrl.float_overflow;
        stage.switches = numerics.quantisation;
        ByteVector expected = untouched;
        for (std::int64_t m = 0; m < c.op.m_size; ++m) {
            for (std::int64_t n = 0; n < c.op.n_size; ++n) {
                const std::int64_t source =
                    c.op.src_addr + n / 16 * c.op.src_stride * 64 + m * 64 + n % 16 * 4;
                const auto& fields =
                    c.mode->vector ? table[static_cast<std::size_t>(c.op.quant_table_addr / 8 + n)]
                                   : c.scalar;
                const std::uint32_t result =
                    reference::quantise(stage, c.mode->formula, c.mode->result, fields, 0,
                                        word_at(l0c, static_cast<std::size_t>(source)));
                const std::uint64_t offset =
                    c.op.dst_addr - area + static_cast<std::uint64_t>(place(c.op, m, n));
                std::memcpy(expected.data() + offset, &result,
                            static_cast<std::size_t>(size_of(c.op.dst_type)));
            }
        }
        ByteVector actual(kAreaBytes);
        gm.dump(area, actual.data(), kAreaBytes);
        ASSERT_EQ(actual, expected) << "instruction " << i << ": " << disassemble(c.op)
                                    << " dst_stride " << c.op.dst_stride;
    }
}

} // namespace
} // namespace aicore::test
