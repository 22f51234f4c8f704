// Tests with a simulation kernel: SystemC elaborates once in a process, so one test is one process.
#pragma once

#include "hw/config/platform.h"

#include <gtest/gtest.h>
#include <systemc>

#include <functional>
#include <string>
#include <vector>

namespace aicore::test {

/// Base of every test that elaborates modules. Fails at once when another test of this process has
/// simulated before.
class SimTest : public ::testing::Test {
protected:
    SimTest();
};

/// Every SystemC report of severity WARNING and above fails the test (an error or a fatal one also
/// ends it), unless an object of this class expects it: then a warning or an error is swallowed and
/// a fatal one is thrown as sc_report. The report must come `times` times while the object lives.
class ScopedExpectedReport {
public:
    /// `text` is a part of "<message id>: <message>".
    ScopedExpectedReport(sc_core::sc_severity severity, std::string text, int times = 1);
    ~ScopedExpectedReport();
    ScopedExpectedReport(const ScopedExpectedReport&) = delete;
    ScopedExpectedReport& operator=(const ScopedExpectedReport&) = delete;

    int count() const { return count_; }
    /// For the report handler: takes the report when it is the expected one.
    bool take(sc_core::sc_severity severity, const std::string& text);

private:
    sc_core::sc_severity severity_;
    std::string text_;
    int times_;
    int count_ = 0;
};

/// Makes reports into test failures, see ScopedExpectedReport. Called once by sc_main.
void install_report_handler();

/// A platform that comes with the program (arch 2201 unless find_platform_file() knows better),
/// with "path=value" overrides.
Platform default_platform(const std::vector<std::string>& overrides = {},
                          const std::string& platform = "");

/// Runs `body` in a child process and returns its text. A failed expectation, an exception or a
/// crash of the child is a failure here. For tests that need several elaborations: the parent must
/// not have elaborated anything.
std::string run_in_child(const std::function<std::string()>& body);

} // namespace aicore::test
