// Strict reading of YAML: every mistake in an input file is one message with file, line and rule.
//
// yaml-cpp accepts duplicate keys, reads 010 as octal and reports a missing key without its name;
// this layer closes those gaps. It is used for platforms, programs and the validation rows.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace aicore {

/// Bad input. what() reads "file:line:column: message" ("file: message" without a place).
class InputError : public std::runtime_error {
public:
    explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

/// A node of a loaded file together with its place: file, line and dotted path from the root.
class YamlNode {
public:
    /// Reads a file. Throws InputError when it can't be read or parsed, or has a duplicate key.
    static YamlNode load_file(const std::string& file);
    /// Reads from text; `file` names it in messages.
    static YamlNode load_text(const std::string& text, const std::string& file);

    const std::string& path() const { return path_; } ///< "links.l1_to_l0a", empty at the root
    const std::string& file() const { return file_; }
    int line() const;   ///< from 1
    int column() const; ///< from 1

    bool is_map() const { return node_.IsMap(); }
    bool is_sequence() const { return node_.IsSequence(); }
    bool is_scalar() const { return node_.IsScalar(); }

    /// Member of a map; the first form throws when the key is missing.
    YamlNode require(const std::string& key) const;
    bool has(const std::string& key) const;
    /// Throws for the first key of this map that is not in the list, naming the allowed keys.
    void allow_keys(const std::vector<std::string>& allowed) const;
    /// Keys of a map in file order.
    std::vector<std::string> keys() const;
    /// Elements of a sequence; throws when it is not one.
    std::vector<YamlNode> items() const;

    /// Scalars. Integers are decimal or 0x hexadecimal, never octal. All throw on a wrong type or
    /// on a value outside [min, max].
    std::int64_t as_integer(std::int64_t min, std::int64_t max) const;
    double as_number() const;
    bool as_boolean() const;
    std::string as_string() const;

    /// Throws InputError "file:line:column: path: message".
    [[noreturn]] void fail(const std::string& message) const;

private:
    YamlNode(YAML::Node node, std::string file, std::string path)
        : node_(std::move(node)), file_(std::move(file)), path_(std::move(path)) {}

    YAML::Node node_;
    std::string file_;
    std::string path_;
};

} // namespace aicore
