// Strict reading of YAML: every mistake in an input file is one message with file, line and rule.
//
// yaml-cpp accepts duplicate keys, reads 010 as octal and reports a missing key without its name;
// this layer closes those gaps. It is used for platforms, programs and the validation rows.
#pragma once

#include "hw/config/input_error.h"

#include <cstdint>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace aicore {

/// A node of a loaded file together with its place: file, line and dotted path from the root.
class YamlNode {
public:
    /// Reads a file. Throws InputError when it can't be read or parsed, has a duplicate key, a key
    /// that is not a scalar, a tag, an alias inside its own anchor, or more than one document. An
    /// empty file is a node without a value: every reading member throws.
    static YamlNode load_file(const std::string& file);
    /// Reads from text; `file` names it in messages.
    static YamlNode load_text(const std::string& text, const std::string& file);
    /// One plain scalar that stands in no file; messages about it begin with `origin`.
    static YamlNode plain_scalar(const std::string& text, const std::string& origin);

    YamlNode(const YamlNode&) = default;
    YamlNode& operator=(const YamlNode& other);
    ~YamlNode() = default;

    const std::string& path() const { return path_; } ///< "links.l1_to_l0a", empty at the root
    const std::string& file() const { return file_; }
    int line() const;   ///< from 1; 0 without a place
    int column() const; ///< from 1; 0 without a place
    /// "file:line:column: path", the beginning of every message about this node.
    std::string where() const;

    bool is_map() const { return node_.IsMap(); }

    /// Member of a map; the first form throws when the key is missing.
    YamlNode require(const std::string& key) const;
    /// False when the key is missing; throws when this is not a map, as all members for maps do.
    bool has(const std::string& key) const;
    /// Throws for the first key of this map that is not in the list, naming the allowed keys.
    void allow_keys(const std::vector<std::string>& allowed) const;
    /// Keys of a map in file order.
    std::vector<std::string> keys() const;
    /// Elements of a sequence; throws when it is not one.
    std::vector<YamlNode> items() const;

    /// Scalars. Integers are decimal or 0x hexadecimal, never octal; numbers are decimal and
    /// finite; booleans are true and false. Text in quotes is a string only, a plain scalar may be
    /// read as any type. All throw on a wrong type or on a value outside [min, max].
    std::int64_t as_integer(std::int64_t min, std::int64_t max) const;
    /// A decimal with at most two places, exactly, as its number of hundredths: 1.8 is 180.
    std::int64_t as_hundredths(std::int64_t min, std::int64_t max) const;
    double as_number() const;
    bool as_boolean() const;
    std::string as_string() const;

    /// Throws InputError "file:line:column: path: message".
    [[noreturn]] void fail(const std::string& message) const;

private:
    YamlNode(YAML::Node node, const YAML::Mark& mark, std::string file, std::string path)
        : node_(std::move(node)), mark_(mark), file_(std::move(file)), path_(std::move(path)) {}

    void require_map() const;
    std::string plain_text() const; ///< of a scalar without quotes, else empty

    YAML::Node node_;
    YAML::Mark mark_; ///< of the value, or of its key where the value is left out
    std::string file_;
    std::string path_;
};

} // namespace aicore
