// What the operation tables and their visitors share.
#pragma once

#include <string_view>

namespace aicore {

/// Whether a field must stand in the file. `implied` ones follow from others and only confirm them.
enum class Need { required, optional, implied };

template <typename Enum>
struct Choice {
    std::string_view text;
    Enum value;
};

} // namespace aicore
