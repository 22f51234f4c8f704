// Positions in the program for the numbers that instructions are dispatched with.
#include "hw/scalar/program_positions.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

TEST(ProgramPositions, StepsStandWhereTheirSyncAllStands) {
    ProgramPositions positions;
    EXPECT_EQ(positions.of(5), 0u) << "nothing has been started";
    positions.count_from(1, 1); // a launch
    positions.stay_from(4, 3);  // the third instruction is a SyncAll of three steps
    EXPECT_EQ(positions.of(6), 3u);
    positions.count_from(7, 4);
    positions.stay_from(8, 4); // and so is the next one
    positions.count_from(10, 5);
    const std::uint64_t expected[] = {0, 1, 2, 3, 3, 3, 3, 4, 4, 4, 5, 6};
    for (std::uint64_t number = 0; number < 12; ++number) {
        EXPECT_EQ(positions.of(number), expected[number]) << number;
    }
}

TEST(ProgramPositions, EachLaunchCountsAnew) {
    ProgramPositions positions;
    positions.count_from(1, 1);
    positions.count_from(4, 1);
    positions.count_from(4, 1); // a launch without instructions was between
    EXPECT_EQ(positions.of(3), 3u);
    EXPECT_EQ(positions.of(4), 1u);
    EXPECT_EQ(positions.of(9), 6u);
    positions.clear();
    EXPECT_EQ(positions.of(9), 0u);
}

} // namespace
} // namespace aicore
