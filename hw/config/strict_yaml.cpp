#include "hw/config/strict_yaml.h"

#include "hw/config/yaml_structure.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

namespace aicore {

namespace {

std::string read_whole_file(const std::string& file) {
    const auto cannot_read = [&file] {
        return InputError(file + ": cannot read: " + std::generic_category().message(errno));
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                                 std::fclose);
    if (!stream) throw cannot_read();
    std::string text;
    char chunk[4096];
    while (const std::size_t count = std::fread(chunk, 1, sizeof chunk, stream.get())) {
        text.append(chunk, count);
    }
    if (std::ferror(stream.get())) throw cannot_read();
    return text;
}

/// Text as a message shows it: one line, not too long.
std::string shorten(const std::string& text) {
    constexpr std::size_t kLongest = 60;
    std::string shown = text.substr(0, kLongest);
    for (char& c : shown) {
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
    return text.size() > kLongest ? shown + "..." : shown;
}

bool is_quoted(const YAML::Node& node) { return node.Tag() == "!"; }

std::string describe_value(const YAML::Node& node) {
    switch (node.Type()) {
    case YAML::NodeType::Map: return "a map";
    case YAML::NodeType::Sequence: return "a list";
    case YAML::NodeType::Scalar:
        if (is_quoted(node)) return '"' + shorten(node.Scalar()) + '"';
        return node.Scalar().empty() ? "nothing" : shorten(node.Scalar());
    case YAML::NodeType::Null:
    case YAML::NodeType::Undefined: break;
    }
    return "nothing";
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A decimal that begins with 0 and another digit: YAML 1.1 readers take it for octal.
bool has_leading_zero(std::string_view text) {
    if (!text.empty() && text.front() == '-') text.remove_prefix(1);
    return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

const char* leading_zero_hint(std::string_view text) {
    return has_leading_zero(text) ? " (write it without leading zeros)" : "";
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    const bool is_hexadecimal = text.size() > 2 && text[0] == '0' && text[1] == 'x';
    if (is_hexadecimal) text.remove_prefix(2);
    if (is_hexadecimal ? text[0] == '-' : has_leading_zero(text)) return std::nullopt;
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value, is_hexadecimal ? 16 : 10);
    if (error != std::errc() || rest != end) return std::nullopt;
    return value;
}

/// The digits on both sides of the point as one integer.
std::optional<std::int64_t> parse_hundredths(std::string_view text) {
    constexpr std::size_t kPlaces = 2;
    if (has_leading_zero(text)) return std::nullopt;
    const std::size_t point = text.find('.');
    std::string digits(text.substr(0, point));
    std::string places;
    if (point != std::string_view::npos) {
        places = text.substr(point + 1);
        if (places.empty()) return std::nullopt;
    }
    if (digits.empty() || !is_digit(digits.back()) || places.size() > kPlaces) return std::nullopt;
    places.resize(kPlaces, '0');
    digits += places;
    std::int64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return value;
}

std::optional<double> parse_number(std::string_view text) {
    if (has_leading_zero(text)) return std::nullopt;
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string describe_range(std::int64_t min, std::int64_t max) {
    const bool has_min = min != std::numeric_limits<std::int64_t>::min();
    const bool has_max = max != std::numeric_limits<std::int64_t>::max();
    if (has_min && has_max) return " " + std::to_string(min) + ".." + std::to_string(max);
    if (has_min) return " >= " + std::to_string(min);
    if (has_max) return " <= " + std::to_string(max);
    return "";
}

} // namespace

YamlNode YamlNode::load_file(const std::string& file) {
    return load_text(read_whole_file(file), file);
}

YamlNode YamlNode::load_text(const std::string& text, const std::string& file) {
    try {
        check_yaml_structure(text, file);
        const YAML::Node root = YAML::Load(text);
        return YamlNode(root, root.Mark(), file, "");
    } catch (const YAML::Exception& error) {
        throw InputError(describe_place(file, error.mark, "") + ": " + error.msg);
    }
}

YamlNode YamlNode::plain_scalar(const std::string& text, const std::string& origin) {
    return YamlNode(YAML::Node(text), YAML::Mark::null_mark(), origin, "");
}

YamlNode& YamlNode::operator=(const YamlNode& other) {
    // Assigning a YAML::Node would change the tree it belongs to.
    node_.reset(other.node_);
    mark_ = other.mark_;
    file_ = other.file_;
    path_ = other.path_;
    return *this;
}

int YamlNode::line() const { return mark_.line + 1; }

int YamlNode::column() const { return mark_.column + 1; }

std::string YamlNode::where() const { return describe_place(file_, mark_, path_); }

void YamlNode::fail(const std::string& message) const {
    throw InputError(where() + ": " + message);
}

YamlNode YamlNode::require(const std::string& key) const {
    require_map();
    for (const auto& member : node_) {
        if (member.first.Scalar() == key) {
            // yaml-cpp places a value that is left out at the next token, which may be lines away.
            const YAML::Mark mark =
                member.second.IsNull() ? member.first.Mark() : member.second.Mark();
            return YamlNode(member.second, mark, file_, member_path(path_, key));
        }
    }
    fail("missing key " + key);
}

bool YamlNode::has(const std::string& key) const {
    require_map();
    return std::any_of(node_.begin(), node_.end(),
                       [&key](const auto& member) { return member.first.Scalar() == key; });
}

void YamlNode::allow_keys(const std::vector<std::string>& allowed) const {
    require_map();
    for (const auto& member : node_) {
        const std::string& key = member.first.Scalar();
        if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
        std::string names;
        for (const std::string& name : allowed) names += (names.empty() ? "" : ", ") + name;
        YamlNode(member.first, member.first.Mark(), file_, member_path(path_, key))
            .fail("unknown key, expected one of: " + names);
    }
}

std::vector<std::string> YamlNode::keys() const {
    require_map();
    std::vector<std::string> result;
    for (const auto& member : node_) result.push_back(member.first.Scalar());
    return result;
}

std::vector<YamlNode> YamlNode::items() const {
    if (!node_.IsSequence()) fail("expected a list, found " + describe_value(node_));
    std::vector<YamlNode> result;
    for (const auto& element : node_) {
        result.push_back(
            YamlNode(element, element.Mark(), file_, element_path(path_, result.size())));
    }
    return result;
}

std::int64_t YamlNode::as_integer(std::int64_t min, std::int64_t max) const {
    const std::string text = plain_text();
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < min || *value > max) {
        fail("expected an integer" + describe_range(min, max) + ", found " + describe_value(node_) +
             leading_zero_hint(text));
    }
    return *value;
}

std::int64_t YamlNode::as_hundredths(std::int64_t min, std::int64_t max) const {
    const std::string text = plain_text();
    const std::optional<std::int64_t> value = parse_hundredths(text);
    if (!value || *value < 100 * min || *value > 100 * max) {
        fail("expected a decimal" + describe_range(min, max) + " with at most two places, found " +
             describe_value(node_) + leading_zero_hint(text));
    }
    return *value;
}

double YamlNode::as_number() const {
    const std::string text = plain_text();
    const std::optional<double> value = parse_number(text);
    if (!value) {
        fail("expected a number, found " + describe_value(node_) + leading_zero_hint(text));
    }
    return *value;
}

bool YamlNode::as_boolean() const {
    const std::string text = plain_text();
    if (text != "true" && text != "false") {
        fail("expected true or false, found " + describe_value(node_));
    }
    return text == "true";
}

std::string YamlNode::as_string() const {
    if (!node_.IsScalar()) fail("expected a string, found " + describe_value(node_));
    return node_.Scalar();
}

void YamlNode::require_map() const {
    if (!node_.IsMap()) fail("expected a map, found " + describe_value(node_));
}

std::string YamlNode::plain_text() const {
    return node_.IsScalar() && !is_quoted(node_) ? node_.Scalar() : "";
}

} // namespace aicore
