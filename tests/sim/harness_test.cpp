// The harness itself: reports that nobody expects are failures, and expected ones must come.
#include "tests/support/sim_test.h"

#include <gtest/gtest-spi.h>

#include <cstdlib>

namespace aicore::test {
namespace {

TEST(Harness, UnexpectedWarningIsAFailure) {
    EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/aicore/test", "something odd"),
                            "/aicore/test: something odd");
}

TEST(Harness, UnexpectedErrorIsAFailureAndLeaves) {
    bool reached = false;
    EXPECT_NONFATAL_FAILURE(
        {
            try {
                SC_REPORT_ERROR("/aicore/test", "broken");
                reached = true;
            } catch (const sc_core::sc_report&) {
            }
        },
        "/aicore/test: broken");
    EXPECT_FALSE(reached);
}

TEST(Harness, ExpectedReportsAreSwallowedAndCounted) {
    const ScopedExpectedReport warning(sc_core::SC_WARNING, "odd", 2);
    const ScopedExpectedReport error(sc_core::SC_ERROR, "/aicore/test: broken");
    const ScopedExpectedReport fatal(sc_core::SC_FATAL, "broken");
    SC_REPORT_WARNING("/aicore/test", "something odd");
    SC_REPORT_WARNING("/aicore/test", "very odd");
    SC_REPORT_ERROR("/aicore/test", "broken");
    EXPECT_THROW(SC_REPORT_FATAL("/aicore/test", "broken"), sc_core::sc_report);
    EXPECT_EQ(warning.count(), 2);
}

TEST(Harness, ExpectedReportThatDoesNotComeIsAFailure) {
    EXPECT_NONFATAL_FAILURE(ScopedExpectedReport(sc_core::SC_WARNING, "odd"),
                            "reports with \"odd\"");
}

TEST(Harness, ExpectationEndsWithItsScope) {
    {
        const ScopedExpectedReport expected(sc_core::SC_WARNING, "odd");
        SC_REPORT_WARNING("/aicore/test", "odd");
    }
    EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/aicore/test", "odd"), "odd");
}

TEST(Harness, ChildrenElaborateOnTheirOwn) {
    const auto child = [] {
        sc_core::sc_signal<bool> signal("signal");
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
        return sc_core::sc_time_stamp().to_string();
    };
    EXPECT_EQ(run_in_child(child), "1 ns");
    EXPECT_EQ(run_in_child(child), "1 ns");
    EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_ELABORATION);
}

TEST(Harness, CrashOfAChildIsAFailure) {
    EXPECT_NONFATAL_FAILURE(run_in_child([]() -> std::string { std::abort(); }),
                            "the child process failed");
}

TEST(Harness, SecondElaborationOfAProcessIsRefused) {
    struct Guard : SimTest {
        void TestBody() override {}
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_NONFATAL_FAILURE(Guard(), "run one test at a time");
}

} // namespace
} // namespace aicore::test
