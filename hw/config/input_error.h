// What readers of input files throw.
#pragma once

#include <stdexcept>
#include <string>

namespace aicore {

/// Bad input. what() reads "file:line:column: path: message"; the place is left out where there is
/// none (a file that can't be read, a command line option), the path at the root.
class InputError : public std::runtime_error {
public:
    explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

} // namespace aicore
