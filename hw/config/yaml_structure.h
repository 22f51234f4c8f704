// What yaml-cpp accepts silently and this project does not; a part of strict_yaml.
#pragma once

#include <cstddef>
#include <string>

#include <yaml-cpp/mark.h>

namespace aicore {

/// "file:line:column: path"; without the place when the mark is null, without an empty path.
std::string describe_place(const std::string& file, const YAML::Mark& mark,
                           const std::string& path);

/// Paths of the parts of a map ("map.key") and of a sequence ("sequence[0]").
std::string member_path(const std::string& map, const std::string& key);
std::string element_path(const std::string& sequence, std::size_t index);

/// Throws InputError at the first duplicate key, key that is not a scalar, tag, alias inside its
/// own anchor or second document of the text; YAML::Exception where it is no YAML.
void check_yaml_structure(const std::string& text, const std::string& file);

} // namespace aicore
