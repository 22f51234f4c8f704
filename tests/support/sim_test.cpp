#include "tests/support/sim_test.h"

#include "hw/config/data_files.h"
#include "hw/config/platform_loader.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

namespace aicore::test {

namespace {

std::vector<ScopedExpectedReport*>& expectations() {
    static std::vector<ScopedExpectedReport*> list;
    return list;
}

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    const sc_core::sc_severity severity = report.get_severity();
    if (severity == sc_core::SC_INFO) {
        return sc_core::sc_report_handler::default_handler(report, actions);
    }
    const std::string text = std::string(report.get_msg_type()) + ": " + report.get_msg();
    const bool expected =
        std::any_of(expectations().begin(), expectations().end(),
                    [&](ScopedExpectedReport* e) { return e->take(severity, text); });
    if (!expected) {
        ADD_FAILURE() << "SystemC report at " << sc_core::sc_time_stamp() << ": " << text;
    }
    // Code behind a fatal report relies on not being reached.
    if (severity == sc_core::SC_FATAL || (severity == sc_core::SC_ERROR && !expected)) {
        throw sc_core::sc_report(report);
    }
}

void write_all(int file, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = ::write(file, text.data() + done, text.size() - done);
        if (written <= 0) std::terminate();
        done += static_cast<std::size_t>(written);
    }
}

std::string read_all(int file) {
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t got = 0; (got = ::read(file, piece.data(), piece.size())) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return text;
}

} // namespace

SimTest::SimTest() {
    EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_ELABORATION)
        << "SystemC elaborates once in a process: run one test at a time (ctest does)";
}

ScopedExpectedReport::ScopedExpectedReport(sc_core::sc_severity severity, std::string text,
                                           int times)
    : severity_(severity), text_(std::move(text)), times_(times) {
    expectations().push_back(this);
}

ScopedExpectedReport::~ScopedExpectedReport() {
    auto& list = expectations();
    list.erase(std::remove(list.begin(), list.end(), this), list.end());
    EXPECT_EQ(count_, times_) << "reports with \"" << text_ << "\"";
}

bool ScopedExpectedReport::take(sc_core::sc_severity severity, const std::string& text) {
    if (severity != severity_ || text.find(text_) == std::string::npos) return false;
    ++count_;
    return true;
}

void install_report_handler() { sc_core::sc_report_handler::set_handler(on_report); }

Platform default_platform(const std::vector<std::string>& overrides, const std::string& platform) {
    return load_platform(find_platform_file(platform), overrides);
}

std::string run_in_child(const std::function<std::string()>& body) {
    std::array<int, 2> ends{};
    if (sc_core::sc_get_status() != sc_core::SC_ELABORATION || ::pipe(ends.data()) != 0) {
        ADD_FAILURE() << "a child process can't start here";
        return {};
    }
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        try {
            write_all(ends[1], body());
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
        std::fflush(nullptr);
        ::_exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    ::close(ends[1]);
    std::string text = read_all(ends[0]);
    ::close(ends[0]);
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child process failed";
    return text;
}

} // namespace aicore::test
