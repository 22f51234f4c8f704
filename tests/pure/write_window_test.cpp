// Places for writes that are under way.
#include "hw/mte/write_window.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

TEST(WriteWindow, APlaceThatCameBackCanBeTakenInTheNextCycle) {
    WriteWindow window(2);
    EXPECT_TRUE(window.take(Cycles(0)));
    EXPECT_TRUE(window.take(Cycles(0)));
    EXPECT_FALSE(window.take(Cycles(5)));
    EXPECT_EQ(window.next_free(), std::nullopt) << "no return is known";
    window.give_back(Cycles(9));
    EXPECT_EQ(window.next_free(), Cycles(10));
    EXPECT_FALSE(window.take(Cycles(9)));
    EXPECT_TRUE(window.take(Cycles(10)));
    EXPECT_FALSE(window.take(Cycles(10)));
}

TEST(WriteWindow, PlacesComeBackInAnyOrder) {
    WriteWindow window(3);
    for (int i = 0; i < 3; ++i) window.take(Cycles(0));
    window.give_back(Cycles(30));
    window.give_back(Cycles(10));
    window.give_back(Cycles(20));
    EXPECT_EQ(window.next_free(), Cycles(11));
    EXPECT_TRUE(window.take(Cycles(11)));
    EXPECT_FALSE(window.take(Cycles(20)));
    EXPECT_TRUE(window.take(Cycles(40)));
    EXPECT_TRUE(window.take(Cycles(40)));
    EXPECT_FALSE(window.take(Cycles(40)));
}

TEST(WriteWindow, ResetEmptiesIt) {
    WriteWindow window(1);
    window.take(Cycles(0));
    window.give_back(Cycles(100));
    window.reset();
    EXPECT_TRUE(window.take(Cycles(1)));
    EXPECT_EQ(window.next_free(), std::nullopt);
}

} // namespace
} // namespace aicore
