// Casts against the vendor's example vectors, which come from outside of the repository.
#include "hw/numerics/cast.h"
#include "hw/numerics/half.h"
#include "hw/numerics/int4.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace aicore;

class FormatsGolden : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::ifstream(kDirectory + "s0_f16_to_s4_ceil/golden.bin")) {
            GTEST_SKIP() << "no example vectors in " << kDirectory;
        }
    }

    static std::vector<char> read(const std::string& file) {
        std::ifstream stream(kDirectory + file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }

    static std::vector<float> read_f16(const std::string& file) {
        const std::vector<char> bytes = read(file);
        std::vector<float> values(bytes.size() / 2);
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::uint16_t bits;
            std::memcpy(&bits, bytes.data() + 2 * i, sizeof bits);
            values[i] = f16_to_f32(bits);
        }
        return values;
    }

    inline static const std::string kDirectory = AICORE_SHARED_DIR "/golden/cast/";
};

TEST_F(FormatsGolden, Float16ToInt4Ceil) {
    const std::vector<float> input = read_f16("s0_f16_to_s4_ceil/input_x.bin");
    const std::vector<char> golden = read("s0_f16_to_s4_ceil/golden.bin");
    ASSERT_EQ(input.size(), 512u);
    ASSERT_EQ(golden.size(), input.size() / 2);
    for (std::size_t i = 0; i < golden.size(); ++i) {
        const auto cast = [&](std::size_t at) {
            return cast_f32_to_s4(input[at], Rounding::ceil, IntegerOverflow::saturate);
        };
        ASSERT_EQ(pack_int4(cast(2 * i), cast(2 * i + 1)), static_cast<std::uint8_t>(golden[i]));
    }
}

TEST_F(FormatsGolden, Float16ToInt32Ceil) {
    const std::vector<float> input = read_f16("s1_f16_to_s32_ceil/input_x.bin");
    const std::vector<char> golden = read("s1_f16_to_s32_ceil/golden.bin");
    ASSERT_EQ(input.size(), 512u);
    ASSERT_EQ(golden.size(), input.size() * 4);
    for (std::size_t i = 0; i < input.size(); ++i) {
        std::int32_t expected;
        std::memcpy(&expected, golden.data() + 4 * i, sizeof expected);
        ASSERT_EQ(cast_f32_to_s32(input[i], Rounding::ceil, IntegerOverflow::saturate), expected);
    }
}

} // namespace
