#include "tb/cli/sc_reports.h"

#include <cstring>
#include <iostream>

#include <systemc>

namespace aicore::tb {
namespace {

std::exception_ptr uncaught;

void handle(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) {
        std::cerr << "aicore: warning: " << report.get_msg() << '\n';
    }
    if ((actions & sc_core::SC_THROW) == 0) return;
    const bool is_uncaught =
        std::strcmp(report.get_msg_type(), sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) == 0;
    if (is_uncaught) uncaught = std::current_exception();
    throw sc_core::sc_report(report);
}

} // namespace

void install_report_handler() {
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_handler(handle);
}

std::exception_ptr uncaught_in_process() { return uncaught; }

} // namespace aicore::tb
