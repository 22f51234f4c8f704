// FixPipe's quantisation: the table of modes, chosen values with their results written out, and
// what is refused.
#include "hw/numerics/quantise.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace aicore;

std::uint64_t word(float scale, int offset, bool is_signed, int shift_field = 0,
                   bool narrow = false) {
    return f32_to_bits(scale) | std::uint64_t(static_cast<std::uint32_t>(shift_field)) << 32 |
           std::uint64_t{narrow} << 36 | (static_cast<std::uint64_t>(offset) & 0x1FFu) << 37 |
           std::uint64_t{is_signed} << 46;
}

// One element through a stage; T is the type of the result.
template <typename T>
T one(const QuantStage& stage, std::uint32_t x, std::uint64_t parameter = 0,
      std::uint32_t slope = 0) {
    std::uint8_t out[4] = {};
    const QuantColumns columns = decode_columns(stage, &parameter, &slope, 1);
    quantise_row(stage, columns, &x, 1, out);
    T result;
    std::memcpy(&result, out, sizeof result);
    return result;
}

template <typename T>
T one(const QuantStage& stage, float x, std::uint64_t parameter = 0, std::uint32_t slope = 0) {
    return one<T>(stage, f32_to_bits(x), parameter, slope);
}

int to_b8(const QuantStage& stage, float x, std::uint64_t parameter) {
    const bool is_signed = ((parameter >> 46) & 1) != 0;
    return is_signed ? one<std::int8_t>(stage, x, parameter)
                     : one<std::uint8_t>(stage, x, parameter);
}

QuantStage stage_of(QuantPreMode mode, DataType source) {
    QuantStage stage;
    stage.mode = mode;
    stage.source = source;
    stage.arch = is_available(mode, 2201) ? 2201 : 3510;
    return stage;
}
const QuantStage kToB8 = stage_of(QuantPreMode::QF322B8_PRE, DataType::float32);
const QuantStage kReq8 = stage_of(QuantPreMode::REQ8, DataType::int32);

TEST(QuantModes, names_lead_back_to_the_mode_and_codes_differ) {
    for (const int arch : {2201, 3510}) {
        std::set<int> codes;
        for (int i = 0; i < kQuantPreModes; ++i) {
            const auto mode = static_cast<QuantPreMode>(i);
            EXPECT_EQ(parse_quant_pre(to_string(mode)), mode);
            if (!is_available(mode, arch)) continue;
            EXPECT_TRUE(codes.insert(info(mode).code).second) << to_string(mode);
        }
    }
    for (int i = 0; i < kQuantPostModes; ++i) {
        const auto mode = static_cast<QuantPostMode>(i);
        EXPECT_EQ(parse_quant_post(to_string(mode)), mode);
        EXPECT_EQ(is_available(mode, 2201), mode == QuantPostMode::none);
    }
    EXPECT_EQ(parse_quant_pre("NoQuant"), QuantPreMode::none);
    EXPECT_EQ(parse_quant_post("NoConv"), QuantPostMode::none);
    EXPECT_EQ(parse_quant_pre("REQ16"), std::nullopt);
    EXPECT_FALSE(is_available(QuantPreMode::REQ8, 1001));
}

TEST(QuantModes, a_leading_v_means_a_parameter_for_each_column) {
    for (int i = 0; i < kQuantPreModes; ++i) {
        const QuantModeInfo& mode = info(static_cast<QuantPreMode>(i));
        EXPECT_EQ(mode.name.front() == 'V', mode.parameter == QuantParameterKind::vector)
            << mode.name;
    }
    for (int i = 0; i < kQuantPostModes; ++i) {
        const QuantModeInfo& mode = info(static_cast<QuantPostMode>(i));
        EXPECT_EQ(mode.name.front() == 'V', mode.parameter == QuantParameterKind::vector)
            << mode.name;
    }
}

TEST(QuantModes, stages_fit_by_type) {
    EXPECT_TRUE(can_follow(QuantPreMode::DEQF16, QuantPostMode::QF162B8_POST));
    EXPECT_TRUE(can_follow(QuantPreMode::DEQS16, QuantPostMode::VQS162S4_POST));
    EXPECT_FALSE(can_follow(QuantPreMode::DEQF16, QuantPostMode::QS162B8_POST));
    EXPECT_FALSE(can_follow(QuantPreMode::none, QuantPostMode::QF162B8_POST));
    EXPECT_EQ(row_bytes(QuantType::int4, 15), 8);
    EXPECT_EQ(row_bytes(QuantType::accumulator, 16), 64);
}

TEST(QuantParameters, fields) {
    const QuantSwitches switches;
    const std::uint64_t w = word(1.0f / 3.0f, -200, true, 15, true);
    const QuantParameter a = decode_quant_parameter(w, 2201, switches);
    EXPECT_EQ(a.scale, 0.333251953125f);
    EXPECT_EQ(a.shift, 16);
    EXPECT_TRUE(a.narrow);
    EXPECT_EQ(a.offset, -200);
    EXPECT_TRUE(a.is_signed);
    const QuantParameter b = decode_quant_parameter(w, 3510, switches);
    EXPECT_EQ(b.shift, 0);
    EXPECT_FALSE(b.narrow);
    EXPECT_EQ(b.offset, -200);
    EXPECT_THROW(decode_quant_parameter(w, 1001, switches), std::invalid_argument);

    const std::uint64_t post = 0x40400000u | 0x200u | 0x1FFu | 0xFFull << 32;
    EXPECT_EQ(decode_post_parameter(post, QuantType::b8).offset, -1);
    EXPECT_TRUE(decode_post_parameter(post, QuantType::b8).is_signed);
    EXPECT_EQ(decode_post_parameter(post, QuantType::b8).scale, 3.0f);
    EXPECT_EQ(decode_post_parameter(0x10, QuantType::int4).offset, -16);
    EXPECT_EQ(decode_post_parameter(post, QuantType::int16).offset, -1);
    EXPECT_EQ(decode_post_parameter(0x7Full << 32 | 0x1FF, QuantType::int16).offset, 65535);
    EXPECT_EQ(decode_post_parameter(0x80ull << 32, QuantType::int16).offset, -65536);
    EXPECT_THROW(decode_post_parameter(post, QuantType::float16), std::invalid_argument);

    EXPECT_TRUE(is_legal_multiplier(0.0f));
    EXPECT_FALSE(is_legal_multiplier(f32_from_bits(0x00400000)));
    EXPECT_FALSE(is_legal_multiplier(INFINITY));
    EXPECT_TRUE(is_legal_clip(0x3C00));
    for (const int limit : {0x0000, 0x7C00, 0x7E00, 0x8000, 0xBC00}) {
        EXPECT_FALSE(is_legal_clip(static_cast<std::uint16_t>(limit)));
    }
}

TEST(QuantiseCorners, eight_bits_round_half_to_even_and_saturate_twice) {
    for (int twice = -1100; twice <= 1100; ++twice) {
        const float x = static_cast<float>(twice) / 2;
        int rounded = twice >> 1;
        if (twice % 2 != 0 && rounded % 2 != 0) ++rounded;
        for (const int offset : {0, 1, -1, 200, -200, 255, -256}) {
            const int t = std::min(std::max(rounded, -256), 255) + offset;
            EXPECT_EQ(to_b8(kToB8, x, word(1, offset, true)), std::min(std::max(t, -128), 127));
            EXPECT_EQ(to_b8(kToB8, x, word(1, offset, false)), std::min(std::max(t, 0), 255));
        }
    }
    const float below_half = std::nextafter(0.5f, 0.0f);
    EXPECT_EQ(to_b8(kToB8, below_half, word(1, 0, true)), 0);
    EXPECT_EQ(to_b8(kToB8, std::nextafter(0.5f, 1.0f), word(1, 0, true)), 1);
    EXPECT_EQ(to_b8(kToB8, INFINITY, word(1, -200, true)), 55);
    EXPECT_EQ(to_b8(kToB8, -INFINITY, word(1, 200, true)), -56);
    EXPECT_EQ(to_b8(kToB8, NAN, word(1, 7, true)), 7);
}

// Rows of the published case: the scale loses 13 bits, two saturations, half to even.
TEST(QuantiseCorners, case_a27) {
    std::ifstream file(AICORE_SHARED_DIR "/cases/A27.json");
    if (!file) GTEST_SKIP() << "the case files are not there";
    const nlohmann::json rows = nlohmann::json::parse(file).at("expect").at("rows");
    ASSERT_GE(rows.size(), 12u);
    for (const auto& row : rows) {
        const std::uint64_t parameter =
            word(row.at("scale").get<float>(), row.at("offset"), row.at("signed").get<int>() != 0);
        EXPECT_EQ(to_b8(kToB8, row.at("x").get<float>(), parameter), row.at("out").get<int>())
            << row;
    }
}

TEST(QuantiseCorners, the_same_as_case_a27_written_out) {
    EXPECT_EQ(to_b8(kToB8, 4.5f, 0x000040003EAAAAABull), 1);
    EXPECT_EQ(to_b8(kToB8, 800, word(0.5f, -200, true)), 55);
    EXPECT_EQ(to_b8(kToB8, -800, word(0.5f, 200, true)), -56);
    EXPECT_EQ(to_b8(kToB8, 400, word(1, -100, false)), 155);
}

TEST(QuantiseCorners, switches_select_the_other_reading) {
    QuantStage other = kToB8;
    other.switches.offset_code = OffsetCode::plain;
    EXPECT_EQ(to_b8(kToB8, 10, word(1, -1, false)), 9);
    EXPECT_EQ(to_b8(other, 10, word(1, -1, false)), 255);

    other = kToB8;
    other.switches.offset_order = OffsetOrder::add_then_round;
    EXPECT_EQ(to_b8(kToB8, 2.5f, word(1, 1, true)), 3);
    EXPECT_EQ(to_b8(other, 2.5f, word(1, 1, true)), 4);
    EXPECT_EQ(to_b8(kToB8, 300, word(1, -200, true)), 55);
    EXPECT_EQ(to_b8(other, 300, word(1, -200, true)), 100);

    other = kReq8;
    other.switches.shift_code = ShiftCode::plain;
    EXPECT_EQ(one<std::int8_t>(kReq8, 96u, word(1, 0, true, 3, true)), 6);
    EXPECT_EQ(one<std::int8_t>(other, 96u, word(1, 0, true, 3, true)), 12);
    EXPECT_EQ(one<std::int8_t>(kReq8, 96u, word(1, 0, true, 3, false)), 96);

    const QuantStage deq = stage_of(QuantPreMode::DEQF16, DataType::int32);
    other = deq;
    other.switches.deqf16_rounds_first = true;
    EXPECT_EQ(one<std::uint16_t>(deq, 5u, word(0.5f, 100, true)), 0x4100);   // 2.5
    EXPECT_EQ(one<std::uint16_t>(other, 5u, word(0.5f, 100, true)), 0x4000); // 2
    EXPECT_EQ(one<std::uint16_t>(deq, 0x7FFFFFFFu, word(1, 0, true)), 0x7BFF);

    const QuantStage cast = stage_of(QuantPreMode::F322BF16, DataType::float32);
    other = cast;
    other.switches.bf16_cast = Bf16Cast::by_ctrl;
    EXPECT_EQ(one<std::uint16_t>(cast, INFINITY), 0x7F7F);
    EXPECT_EQ(one<std::uint16_t>(other, INFINITY), 0x7F80);
}

TEST(QuantiseCorners, narrowing_shifts_then_saturates_to_int16) {
    const std::uint64_t parameter = word(0.00390625f, 0, true, 0, true); // 1/256, N = 1
    EXPECT_EQ(one<std::int8_t>(kReq8, 0x7FFFFFFFu, parameter), 127);     // 32767 / 256 = 127.996
    EXPECT_EQ(one<std::int8_t>(kReq8, 0x80000000u, parameter), -128);
    EXPECT_EQ(one<std::int8_t>(kReq8, 0xFFFFFFFFu, word(1, 0, true, 15, true)), -1);
    const QuantStage shift = stage_of(QuantPreMode::SHIFTS322S16, DataType::int32);
    EXPECT_EQ(one<std::int16_t>(shift, 0xFFFFFFFDu, word(0, 0, false, 0)), -2);
    EXPECT_EQ(one<std::int16_t>(shift, 0x7FFFFFFFu, word(0, 0, false, 15)), 32767);
    EXPECT_EQ(one<std::int16_t>(shift, 0x7FFFFFFFu, word(0, 0, false, 14)), 32767);
}

TEST(QuantiseCorners, relu_forms) {
    QuantStage stage = kToB8;
    stage.relu = ReluMode::normal;
    EXPECT_EQ(to_b8(stage, -5, word(2, 3, true)), 3); // the offset comes after
    EXPECT_EQ(to_b8(stage, 5, word(-2, 0, true)), -10);
    stage.relu = ReluMode::leaky; // the slope takes the place of the scale
    EXPECT_EQ(one<std::int8_t>(stage, -8.0f, word(2, 0, true), f32_to_bits(0.5f)), -4);
    EXPECT_EQ(one<std::int8_t>(stage, 8.0f, word(2, 0, true), f32_to_bits(0.5f)), 16);

    QuantStage copy; // no quantisation
    EXPECT_EQ(one<std::uint32_t>(copy, 0x7F800001u), 0x7F800001u);
    copy.relu = ReluMode::normal;
    EXPECT_EQ(one<std::uint32_t>(copy, 0x80000000u), 0u);
    copy.relu = ReluMode::leaky;
    EXPECT_EQ(one<float>(copy, -8.0f, 0, f32_to_bits(0.25f)), -2.0f);
}

TEST(QuantiseCorners, clipping_relu) {
    QuantStage stage = kToB8;
    stage.relu = ReluMode::normal;
    stage.clip = true;
    stage.clip_max = 0x4680; // 6.5
    EXPECT_EQ(to_b8(stage, 100, word(1, 0, true)), 6);
    EXPECT_EQ(to_b8(stage, 5, word(1, 0, true)), 5);
    QuantStage half = stage_of(QuantPreMode::F322F16, DataType::float32);
    half.relu = ReluMode::normal;
    half.clip = true;
    half.clip_max = 0x4680;
    EXPECT_EQ(one<std::uint16_t>(half, 100.0f), 0x4680);
    EXPECT_EQ(one<std::uint16_t>(half, INFINITY), 0x4680);
    EXPECT_EQ(one<std::uint16_t>(half, NAN), kCanonicalNanF16);
}

// Two stages in a row: int32 -> float16 with scale 2 -> int8 with scale 3.
TEST(QuantiseCorners, two_stages_multiply) {
    QuantStage pre = stage_of(QuantPreMode::DEQF16, DataType::int32);
    pre.arch = 3510;
    PostStage post;
    for (const ReluMode relu : {ReluMode::none, ReluMode::normal}) {
        post.relu = relu;
        for (int c = -30; c <= 30; ++c) {
            const auto half =
                one<std::uint16_t>(pre, static_cast<std::uint32_t>(c), word(2, 0, false));
            const std::uint64_t parameter = 0x40400200u;
            std::uint8_t out[1];
            requantise_row(post, decode_columns(post, &parameter, nullptr, 1), &half, 1, out);
            const int expected =
                std::min(std::max(6 * c, relu == ReluMode::normal ? 0 : -128), 127);
            EXPECT_EQ(static_cast<std::int8_t>(out[0]), expected);
        }
    }
}

TEST(QuantiseCorners, refused) {
    const std::uint64_t parameter = word(1, 0, true);
    const std::uint32_t slope = 0;
    const auto refuses = [&](const QuantStage& stage, int count = 1) {
        EXPECT_THROW(decode_columns(stage, &parameter, &slope, count), std::invalid_argument)
            << to_string(stage.mode);
    };
    QuantStage stage = kToB8;
    stage.source = DataType::int32;
    refuses(stage);
    stage = stage_of(QuantPreMode::QF322F16_PRE, DataType::float32);
    stage.arch = 2201;
    refuses(stage);
    stage = stage_of(QuantPreMode::SHIFTS322S16, DataType::int32);
    stage.relu = ReluMode::prelu;
    refuses(stage);
    stage = QuantStage{};
    stage.source = DataType::int32;
    stage.relu = ReluMode::leaky;
    refuses(stage);
    stage = kToB8;
    stage.clip = true;
    stage.clip_max = 0x3C00;
    refuses(stage);
    stage.relu = ReluMode::normal;
    stage.clip_max = 0x7C00;
    refuses(stage);
    refuses(kToB8, 0);
    refuses(kToB8, 17);
    PostStage post;
    post.mode = QuantPostMode::none;
    EXPECT_THROW(decode_columns(post, &parameter, &slope, 1), std::invalid_argument);
}

} // namespace
