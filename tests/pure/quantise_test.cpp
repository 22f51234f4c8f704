// FixPipe's quantisation: random rows of every mode against the reference, on every instruction
// set.
#include "hw/numerics/quantise.h"

#include "hw/numerics/simd_target.h"
#include "tests/pure/quantise_reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace aicore;
using reference::Fields;

struct Row {
    QuantStage stage;
    PostStage post;
    std::vector<Fields> fields;
    std::vector<std::uint64_t> parameters;
    std::vector<std::uint32_t> slopes;
    std::vector<std::uint32_t> words;
    std::vector<std::uint16_t> values;
    std::vector<std::uint8_t> expected;
};

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
    std::uint32_t below(std::uint32_t end) { return bits() % end; }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    /// A normal number or zero, mostly near `size`; all mantissa bits are drawn.
    std::uint32_t multiplier(double size) {
        if (one_in(50)) return one_in(2) ? 0 : 0x80000000u;
        if (one_in(20))
            return f32_to_bits(static_cast<float>(std::ldexp(1.0, -static_cast<int>(below(9)))));
        const double spread = std::ldexp(1.0, static_cast<int>(below(9)) - 4);
        const auto value = static_cast<float>(size * spread * (1.0 + below(1u << 20) / 1048576.0));
        return f32_to_bits(one_in(6) ? -value : value);
    }

    std::uint32_t float_word() {
        switch (below(8)) {
        case 0: return bits(); // any pattern: NaN, infinities, denormals, huge values
        case 1: return bits() & 0x80000000u;
        case 2: return f32_to_bits(static_cast<float>(static_cast<int>(below(4096)) - 2048) / 2);
        case 3:
            return f32_to_bits(static_cast<float>(static_cast<int>(below(1 << 20)) - (1 << 19)) /
                               2);
        default: {
            const double size = std::ldexp(1.0, static_cast<int>(below(20)) - 8);
            const double unit = static_cast<double>(bits()) / 2147483648.0 - 1.0;
            return f32_to_bits(static_cast<float>(size * unit));
        }
        }
    }

    std::uint32_t int_word() {
        switch (below(4)) {
        case 0: return bits();
        case 1: return below(513) - 256u;
        default: return (bits() >> (1 + below(24))) * (one_in(2) ? 1u : 0xFFFFFFFFu);
        }
    }

    Fields fields(double size, int offset_bits) {
        Fields drawn;
        drawn.scale = multiplier(size);
        drawn.shift = below(16);
        drawn.narrow = one_in(3);
        if (!one_in(4)) drawn.offset = bits() & ((1u << offset_bits) - 1);
        drawn.is_signed = one_in(2);
        return drawn;
    }

private:
    std::mt19937 random_;
};

bool is_vector(const std::string& mode) { return mode[0] == 'V'; }
std::string base_of(const std::string& mode) { return is_vector(mode) ? mode.substr(1) : mode; }

// What the vendor's pages say of each mode: source, result, size of the result.
struct Described {
    DataType source;
    std::string result;
    int bits;
};
const std::map<std::string, Described> kDescribed{
    {"F322F16", {DataType::float32, "float16", 16}},
    {"F322BF16", {DataType::float32, "bfloat16", 16}},
    {"DEQF16", {DataType::int32, "float16", 16}},
    {"REQ8", {DataType::int32, "b8", 8}},
    {"REQ4", {DataType::int32, "int4", 4}},
    {"SHIFTS322S16", {DataType::int32, "int16", 16}},
    {"DEQS16", {DataType::int32, "int16", 16}},
    {"QF322B8_PRE", {DataType::float32, "b8", 8}},
    {"QF322S4_PRE", {DataType::float32, "int4", 4}},
    {"QF322FP8_PRE", {DataType::float32, "fp8_e4m3", 8}},
    {"QF322HIF8_PRE", {DataType::float32, "hifloat8", 8}},
    {"QF322HIF8_PRE_HYBRID", {DataType::float32, "hifloat8", 8}},
    {"QF322F16_PRE", {DataType::float32, "float16", 16}},
    {"QF322BF16_PRE", {DataType::float32, "bfloat16", 16}},
    {"QF322F32_PRE", {DataType::float32, "float32", 32}},
    {"QS322BF16_PRE", {DataType::int32, "bfloat16", 16}},
};

Described described(const std::string& mode, DataType source_of_none) {
    if (mode == "none") return {source_of_none, "accumulator", 32};
    return kDescribed.at(base_of(mode));
}

template <typename Stage>
void draw_relu_and_clip(Draw& draw, Stage& stage, bool slopes, bool clip) {
    stage.relu = static_cast<ReluMode>(draw.below(slopes ? 4 : 2));
    if (clip && stage.relu == ReluMode::normal && draw.one_in(3)) {
        stage.clip = true;
        stage.clip_max = static_cast<std::uint16_t>(1 + draw.below(0x7BFF));
    }
}

void draw_slopes(Draw& draw, ReluMode relu, std::size_t count, std::vector<std::uint32_t>& slopes) {
    if (relu == ReluMode::leaky) slopes = {draw.multiplier(0.1)};
    if (relu == ReluMode::prelu) {
        for (std::size_t c = 0; c < count; ++c) slopes.push_back(draw.multiplier(0.1));
    }
}

std::uint32_t slope_at(const Row& row, std::size_t column) {
    return row.slopes.empty() ? 0 : row.slopes[row.slopes.size() == 1 ? 0 : column];
}

Row draw_pre(Draw& draw, QuantPreMode mode) {
    const std::string name(to_string(mode)), base = base_of(name);
    Row row;
    QuantStage& stage = row.stage;
    stage.mode = mode;
    stage.arch =
        is_available(mode, 3510) && (draw.one_in(2) || !is_available(mode, 2201)) ? 3510 : 2201;
    const Described what = described(name, draw.one_in(2) ? DataType::int32 : DataType::float32);
    stage.source = what.source;
    const bool slopes =
        base != "SHIFTS322S16" && !(base == "none" && stage.source == DataType::int32);
    draw_relu_and_clip(draw, stage, slopes, base != "none");
    if (draw.one_in(2)) stage.overflow = FloatOverflow::saturate;
    if (draw.one_in(2)) stage.fp8_nan = SaturatedNan::keep;
    if (draw.one_in(3)) stage.switches.offset_code = OffsetCode::plain;
    if (draw.one_in(3)) stage.switches.shift_code = ShiftCode::plain;
    if (draw.one_in(3)) stage.switches.offset_order = OffsetOrder::add_then_round;
    stage.switches.deqf16_rounds_first = draw.one_in(3);
    if (draw.one_in(3)) stage.switches.bf16_cast = Bf16Cast::by_ctrl;

    const std::size_t count = draw.one_in(4) ? 1 + draw.below(16) : 16;
    const bool from_int = stage.source == DataType::int32;
    draw_slopes(draw, stage.relu, count, row.slopes);
    std::vector<std::uint32_t> results;
    for (std::size_t c = 0; c < count; ++c) {
        if (c == 0 || is_vector(name)) {
            row.fields.push_back(draw.fields(what.result == "int4" ? 0.01
                                             : from_int            ? 0.05
                                                                   : 0.5,
                                             9));
            row.parameters.push_back(row.fields.back().pre_word() | std::uint64_t{draw.bits()}
                                                                        << 47);
        }
        row.words.push_back(from_int ? draw.int_word() : draw.float_word());
        results.push_back(reference::quantise(stage, base, what.result, row.fields.back(),
                                              slope_at(row, c), row.words.back()));
    }
    row.expected = reference::pack(results, what.bits);
    return row;
}

Row draw_post(Draw& draw, QuantPostMode mode) {
    const std::string name(to_string(mode));
    const bool s4 = name.find("2S4") != std::string::npos,
               s16 = name.find("2S16") != std::string::npos;
    Row row;
    PostStage& stage = row.post;
    stage.mode = mode;
    draw_relu_and_clip(draw, stage, true, true);
    if (draw.one_in(3)) stage.switches.offset_order = OffsetOrder::add_then_round;
    if (draw.one_in(3)) stage.switches.post_range = PostRange::extended;

    const std::size_t count = draw.one_in(4) ? 1 + draw.below(16) : 16;
    draw_slopes(draw, stage.relu, count, row.slopes);
    std::vector<std::uint32_t> results;
    for (std::size_t c = 0; c < count; ++c) {
        if (c == 0 || is_vector(name)) {
            row.fields.push_back(draw.fields(s4 ? 0.02 : 0.3, s4 ? 5 : s16 ? 17 : 9));
            row.parameters.push_back(row.fields.back().post_word(s16));
        }
        const bool any = draw.one_in(2);
        row.values.push_back(static_cast<std::uint16_t>(
            any ? draw.bits()
                : f32_to_f16(static_cast<float>(draw.below(800)) / 2 - 200,
                             FloatOverflow::inf_nan)));
        results.push_back(reference::requantise(stage, name, row.fields.back(), slope_at(row, c),
                                                row.values.back()));
    }
    row.expected = reference::pack(results, s4 ? 4 : s16 ? 16 : 8);
    return row;
}

std::vector<std::uint8_t> run_pre(const Row& row) {
    const auto count = static_cast<int>(row.words.size());
    std::vector<std::uint8_t> out(row.expected.size() + 4, 0xCD);
    const QuantColumns columns =
        decode_columns(row.stage, row.parameters.data(), row.slopes.data(), count);
    quantise_row(row.stage, columns, row.words.data(), count, out.data());
    return out;
}

std::vector<std::uint8_t> run_post(const Row& row) {
    const auto count = static_cast<int>(row.values.size());
    std::vector<std::uint8_t> out(row.expected.size() + 4, 0xCD);
    const QuantColumns columns =
        decode_columns(row.post, row.parameters.data(), row.slopes.data(), count);
    requantise_row(row.post, columns, row.values.data(), count, out.data());
    return out;
}

template <typename Run>
void expect_rows(const std::vector<Row>& rows, Run run) {
    for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<std::uint8_t> expected = rows[i].expected;
            expected.insert(expected.end(), 4, 0xCD); // nothing behind the row is written
            ASSERT_EQ(run(rows[i]), expected) << target << ", row " << i;
        }
    }
    use_simd_target("");
}

constexpr int kRows = 8000; // of which three quarters have 16 columns

class PreModes : public testing::TestWithParam<int> {};

TEST_P(PreModes, random_rows_equal_the_reference) {
    Draw draw(7000u + static_cast<unsigned>(GetParam()));
    std::vector<Row> rows;
    for (int i = 0; i < kRows; ++i) {
        rows.push_back(draw_pre(draw, static_cast<QuantPreMode>(GetParam())));
    }
    expect_rows(rows, run_pre);
}

class PostModes : public testing::TestWithParam<int> {};

TEST_P(PostModes, random_rows_equal_the_reference) {
    Draw draw(9000u + static_cast<unsigned>(GetParam()));
    std::vector<Row> rows;
    for (int i = 0; i < kRows; ++i) {
        rows.push_back(draw_post(draw, static_cast<QuantPostMode>(GetParam())));
    }
    expect_rows(rows, run_post);
}

std::string pre_name(const testing::TestParamInfo<int>& test) {
    return std::string(to_string(static_cast<QuantPreMode>(test.param)));
}
std::string post_name(const testing::TestParamInfo<int>& test) {
    return std::string(to_string(static_cast<QuantPostMode>(test.param)));
}
INSTANTIATE_TEST_SUITE_P(Quantise, PreModes, testing::Range(0, kQuantPreModes), pre_name);
INSTANTIATE_TEST_SUITE_P(Quantise, PostModes, testing::Range(1, kQuantPostModes), post_name);

} // namespace
