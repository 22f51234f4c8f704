// Exit codes of the program.
#pragma once

namespace aicore::tb {

enum ExitCode : int {
    kExitGood = 0,
    kExitInternal = 1, ///< a bug of the model, or a SystemC error
    kExitBadInput = 2, ///< options, files, programs, platforms
    kExitHang = 3,
    kExitMismatch = 4, ///< a result differs from its golden
};

} // namespace aicore::tb
