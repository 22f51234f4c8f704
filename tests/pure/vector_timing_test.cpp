// Paces of the vector instructions: whole cycles of repeats that add up to a decimal.
#include "hw/vector/vector_timing.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace aicore {
namespace {

std::vector<std::int64_t> cycles_of(RepeatPace pace, int repeats) {
    std::vector<std::int64_t> cycles;
    for (int i = 0; i < repeats; ++i) cycles.push_back(pace.next().count());
    return cycles;
}

TEST(RepeatPace, RepeatsTakeThePaceTimesTheirNumberRoundedUp) {
    for (std::int64_t hundredths = 100; hundredths <= 850; ++hundredths) {
        RepeatPace pace{CycleHundredths(hundredths)};
        std::int64_t total = 0;
        for (std::int64_t n = 1; n <= 255; ++n) {
            const std::int64_t cycles = pace.next().count();
            EXPECT_GE(cycles, hundredths / 100);
            EXPECT_LE(cycles, ceil_div(hundredths, 100));
            total += cycles;
            ASSERT_EQ(total, ceil_div(n * hundredths, 100)) << n << " repeats of " << hundredths;
        }
    }
}

TEST(RepeatPace, ShortRepeatsLieAsFarApartAsTheFractionSays) {
    using List = std::vector<std::int64_t>;
    EXPECT_EQ(cycles_of(RepeatPace{CycleHundredths(180)}, 6), (List{2, 2, 2, 2, 1, 2}));
    EXPECT_EQ(cycles_of(RepeatPace{CycleHundredths(150)}, 4), (List{2, 1, 2, 1}));
    EXPECT_EQ(cycles_of(RepeatPace{CycleHundredths(100)}, 3), (List{1, 1, 1}));
    const List hundred = cycles_of(RepeatPace{CycleHundredths(101)}, 101);
    EXPECT_EQ(std::count(hundred.begin(), hundred.end(), 2), 2) << "in the first and the last";
    EXPECT_EQ(hundred.back(), 2);
}

TEST(RepeatPace, InstructionsTakeTheirPaceFromThePlatform) {
    VectorConfig config;
    config.cycles_per_repeat.cmax_cmin = CycleHundredths(700);
    config.cycles_per_repeat.cmax_float16 = CycleHundredths(650);
    config.cycles_per_repeat.compare = CycleHundredths(150);
    config.cycles_per_repeat.gatherb = CycleHundredths(250);
    config.cycles_per_repeat.gather_16 = CycleHundredths(1050);
    const auto two_repeats = [&config](const Operation& operation) {
        RepeatPace pace = repeat_pace(config, operation);
        return (pace.next() + pace.next()).count();
    };
    VectorOp op;
    op.opcode = VectorOpcode::vcmax;
    op.type = DataType::float16;
    EXPECT_EQ(two_repeats(op), 13);
    op.type = DataType::float32;
    EXPECT_EQ(two_repeats(op), 14);
    op.opcode = VectorOpcode::vcmin;
    op.type = DataType::float16;
    EXPECT_EQ(two_repeats(op), 14);
    op.opcode = VectorOpcode::vcmpv;
    EXPECT_EQ(two_repeats(op), 3);
    VectorGather gather;
    gather.type = DataType::uint16;
    EXPECT_EQ(two_repeats(gather), 21);
    gather.blocks = true;
    EXPECT_EQ(two_repeats(gather), 5);
}

} // namespace
} // namespace aicore
