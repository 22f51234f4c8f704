// Reports of the SystemC kernel and of the model, in the form of this program's messages.
#pragma once

#include <exception>

namespace aicore::tb {

/// Warnings become one line each on standard error; errors and fatal errors are thrown as
/// sc_report.
void install_report_handler();

/// The kernel turns an exception that leaves a process into an sc_report. This gives the original
/// one back; null when there is none.
std::exception_ptr uncaught_in_process();

} // namespace aicore::tb
