#include "hw/config/yaml_structure.h"

#include "hw/config/strict_yaml.h"

#include <map>
#include <sstream>
#include <vector>

#include <yaml-cpp/eventhandler.h>

namespace aicore {

std::string describe_place(const std::string& file, const YAML::Mark& mark,
                           const std::string& path) {
    std::string text = file;
    if (!mark.is_null()) {
        text += ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
    }
    if (!path.empty()) text += ": " + path;
    return text;
}

std::string member_path(const std::string& map, const std::string& key) {
    return map.empty() ? key : map + "." + key;
}

std::string element_path(const std::string& sequence, std::size_t index) {
    return sequence + "[" + std::to_string(index) + "]";
}

namespace {

/// Works on events, because a YAML::Node no longer tells a second document or where an alias stood.
class StructureCheck : public YAML::EventHandler {
public:
    explicit StructureCheck(const std::string& file) : file_(file) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) fail(mark, "expected one document, found a second one");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        reject_as_key(mark, "nothing");
        end_value();
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        reject_as_key(mark, "an alias");
        for (const Frame& frame : frames_) {
            if (frame.anchor == anchor) fail(mark, "the alias stands inside its own anchor");
        }
        end_value();
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        reject_tag(mark, tag);
        if (expects_key()) {
            begin_member(mark, value);
        } else {
            end_value();
        }
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        reject_tag(mark, tag);
        reject_as_key(mark, "a list");
        frames_.emplace_back(false, anchor);
    }
    void OnSequenceEnd() override { end_collection(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        reject_tag(mark, tag);
        reject_as_key(mark, "a map");
        frames_.emplace_back(true, anchor);
    }
    void OnMapEnd() override { end_collection(); }

private:
    /// A map or sequence that is open.
    struct Frame {
        Frame(bool map, YAML::anchor_t id) : is_map(map), at_key(map), anchor(id) {}

        bool is_map;
        bool at_key; ///< a map: the next scalar is a key
        YAML::anchor_t anchor;
        std::size_t index = 0;               ///< a sequence: the current element
        std::string key;                     ///< a map: the current key
        std::map<std::string, int> key_line; ///< a map: its keys so far
    };

    bool expects_key() const { return !frames_.empty() && frames_.back().at_key; }

    void begin_member(const YAML::Mark& mark, const std::string& key) {
        Frame& frame = frames_.back();
        frame.key = key;
        frame.at_key = false;
        const auto [first, is_new] = frame.key_line.emplace(key, mark.line + 1);
        if (!is_new) {
            fail(mark, "duplicate key, first at line " + std::to_string(first->second));
        }
    }

    void end_value() {
        if (frames_.empty()) return;
        Frame& frame = frames_.back();
        frame.at_key = frame.is_map;
        ++frame.index;
    }

    void end_collection() {
        frames_.pop_back();
        end_value();
    }

    void reject_as_key(const YAML::Mark& mark, const std::string& found) const {
        if (!expects_key()) return;
        throw InputError(describe_place(file_, mark, path_of(frames_.size() - 1)) +
                         ": expected a key, found " + found);
    }

    void reject_tag(const YAML::Mark& mark, const std::string& tag) const {
        const bool is_implicit = tag.empty() || tag == "?" || tag == "!";
        if (!is_implicit) fail(mark, "expected no tag, found " + tag);
    }

    /// Path of the node that the innermost `frames` open collections lead to.
    std::string path_of(std::size_t frames) const {
        std::string path;
        for (std::size_t i = 0; i < frames; ++i) {
            const Frame& frame = frames_[i];
            if (!frame.is_map) {
                path = element_path(path, frame.index);
            } else if (!frame.at_key) {
                path = member_path(path, frame.key);
            }
        }
        return path;
    }

    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
        throw InputError(describe_place(file_, mark, path_of(frames_.size())) + ": " + message);
    }

    std::string file_;
    std::vector<Frame> frames_;
    int documents_ = 0;
};

void check_documents(const std::string& text, const std::string& file) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    StructureCheck check(file);
    while (parser.HandleNextDocument(check)) {
    }
}

} // namespace

void check_yaml_structure(const std::string& text, const std::string& file) {
    // yaml-cpp reports a quote that is never closed only when the text ends within a line; after a
    // newline it takes the rest of the file as the scalar. Other errors have a better place in the
    // whole text.
    try {
        check_documents(text.substr(0, text.find_last_not_of(" \t\r\n") + 1), file);
    } catch (const YAML::Exception&) {
        check_documents(text, file);
        throw;
    }
}

} // namespace aicore
