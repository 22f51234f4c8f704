#include "hw/config/platform_loader.h"

#include "hw/config/platform_fields.h"
#include "hw/config/platform_rules.h"
#include "hw/config/strict_yaml.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace aicore {

namespace {

constexpr const char* kExtends = "extends";

/// "a.b" -> "a", "a" -> "".
std::string parent_of(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string join(const std::vector<std::string>& words, const std::string& separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

/// Keys directly below a group ("" is the root), each once, in the order of the description. Empty
/// when there is no such group.
std::vector<std::string> keys_below(const std::vector<PlatformField>& fields,
                                    const std::string& group) {
    const std::string prefix = group.empty() ? "" : group + ".";
    std::vector<std::string> keys;
    for (const PlatformField& field : fields) {
        if (field.path.compare(0, prefix.size(), prefix) != 0) continue;
        const std::size_t end = field.path.find('.', prefix.size());
        const std::string key = field.path.substr(prefix.size(), end - prefix.size());
        if (keys.empty() || keys.back() != key) keys.push_back(key);
    }
    return keys;
}

/// A file and those it extends, the last base first.
std::vector<YamlNode> load_chain(const std::string& file) {
    std::vector<YamlNode> chain{YamlNode::load_file(file)};
    std::vector<std::string> names{file};
    while (chain.back().has(kExtends)) {
        const YamlNode extends = chain.back().require(kExtends);
        const std::filesystem::path folder = std::filesystem::path(names.back()).parent_path();
        const std::string base = (folder / extends.as_string()).lexically_normal().string();
        std::error_code not_there;
        if (!std::filesystem::is_regular_file(base, not_there)) {
            extends.fail("expected a file, found no " + base);
        }
        const bool is_cycle = std::any_of(names.begin(), names.end(), [&](const auto& name) {
            return std::filesystem::equivalent(name, base, not_there);
        });
        names.push_back(base);
        if (is_cycle) extends.fail("expected no cycle, found " + join(names, " -> "));
        chain.push_back(YamlNode::load_file(base));
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

/// Puts layers of values onto a platform and remembers where each one came from.
class PlatformReader {
public:
    explicit PlatformReader(Platform& platform)
        : platform_(platform), fields_(platform_fields(platform)) {}

    void apply_file(const YamlNode& root) {
        ++layer_;
        std::vector<std::string> allowed = keys_below(fields_, "");
        allowed.push_back(kExtends);
        apply_map(root, allowed);
    }

    void apply_override(const std::string& assignment) {
        ++layer_;
        const std::string origin = "--set " + assignment;
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos) throw InputError(origin + ": expected path=value");
        const std::string path = assignment.substr(0, equals);
        const PlatformField* field = find(path);
        if (!field) throw InputError(origin + ": " + explain_unknown(path));
        assign(*field, YamlNode::plain_scalar(assignment.substr(equals + 1), origin));
    }

    /// Throws for keys that are missing (naming `file`) or contradict one another.
    void finish(const std::string& file) {
        std::vector<std::string> missing;
        for (const PlatformField& field : fields_) {
            if (origins_.count(field.member) > 0) continue;
            if (field.is_required) missing.push_back(field.path);
        }
        if (!missing.empty()) {
            const std::string others = std::to_string(missing.size() - 1);
            throw InputError(file + ": missing key " + missing.front() +
                             (missing.size() > 1 ? " (and " + others + " more)" : ""));
        }
        check_platform_rules(platform_, origins_);
    }

private:
    void apply_map(const YamlNode& map, const std::vector<std::string>& allowed) {
        map.allow_keys(allowed);
        for (const std::string& key : map.keys()) {
            const YamlNode value = map.require(key);
            if (const PlatformField* field = find(value.path())) {
                assign(*field, value);
            } else if (value.path() != kExtends) {
                apply_map(value, keys_below(fields_, value.path()));
            }
        }
    }

    void assign(const PlatformField& field, const YamlNode& value) {
        field.read(value);
        origins_[field.member] = {field.path, value.where(), layer_};
    }

    const PlatformField* find(const std::string& path) const {
        const auto found =
            std::find_if(fields_.begin(), fields_.end(),
                         [&path](const PlatformField& field) { return field.path == path; });
        return found == fields_.end() ? nullptr : &*found;
    }

    std::string explain_unknown(const std::string& path) const {
        std::string group = path;
        while (!group.empty() && keys_below(fields_, group).empty()) group = parent_of(group);
        const std::string prefix = group.empty() ? "" : group + ".";
        std::vector<std::string> paths;
        for (const std::string& key : keys_below(fields_, group)) paths.push_back(prefix + key);
        const char* const rule = group == path ? "not a single value" : "unknown key";
        return std::string(rule) + ", expected one of: " + join(paths, ", ");
    }

    Platform& platform_;
    std::vector<PlatformField> fields_;
    FieldOrigins origins_;
    int layer_ = 0;
};

} // namespace

Platform load_platform(const std::string& file, const std::vector<std::string>& overrides) {
    Platform platform;
    PlatformReader reader(platform);
    for (const YamlNode& layer : load_chain(file)) reader.apply_file(layer);
    for (const std::string& assignment : overrides) reader.apply_override(assignment);
    reader.finish(file);
    return platform;
}

std::string dump_platform(const Platform& platform) {
    Platform copy = platform;
    YAML::Emitter out;
    out << YAML::BeginMap;
    std::vector<std::string> open; // paths of the groups that are open, outermost first
    for (const PlatformField& field : platform_fields(copy)) {
        const std::string group = parent_of(field.path);
        const auto contains = [](const std::string& outer, const std::string& path) {
            return path.compare(0, outer.size() + 1, outer + ".") == 0;
        };
        while (!open.empty() && !contains(open.back(), field.path)) {
            out << YAML::EndMap;
            open.pop_back();
        }
        while ((open.empty() ? "" : open.back()) != group) {
            const std::size_t begin = open.empty() ? 0 : open.back().size() + 1;
            const std::size_t end = group.find('.', begin);
            out << YAML::Key << group.substr(begin, end - begin) << YAML::Value << YAML::BeginMap;
            open.push_back(group.substr(0, end));
        }
        const std::size_t key = group.empty() ? 0 : group.size() + 1;
        out << YAML::Key << field.path.substr(key) << YAML::Value << field.write();
    }
    while (!open.empty()) {
        out << YAML::EndMap;
        open.pop_back();
    }
    out << YAML::EndMap;
    return std::string(out.c_str()) + "\n";
}

IsaLimits isa_limits(const Platform& platform, CoreKind core) {
    const MemoriesConfig& memories = platform.memories;
    IsaLimits limits;
    limits.gm_bytes = memories.gm.usable().count();
    if (memories.hccs.is_there()) {
        limits.peer_gm_address = static_cast<std::uint64_t>(memories.hccs.peer_address.count());
        limits.peer_gm_bytes = memories.gm.usable().count();
    }
    limits.l1_bytes = memories.l1.usable().count();
    limits.l0a_bytes = memories.l0a.usable().count();
    limits.l0b_bytes = memories.l0b.usable().count();
    limits.l0c_bytes = memories.l0c.usable().count();
    limits.bt_bytes = memories.bt.usable().count();
    limits.fb_bytes = memories.fb.usable().count();
    limits.event_ids = platform.sync.event_ids;
    limits.fb1_bytes = memories.fb1.usable().count();
    limits.fb2_bytes = memories.fb2.usable().count();
    limits.fb3_bytes = memories.fb3.usable().count();
    limits.arch = platform.arch;
    limits.core = core;
    limits.ub_bytes = memories.ub.usable().count();
    limits.ctrl = platform.numerics.ctrl;
    limits.fixpipe_reaches_ub = platform.links.reaches_ub();
    limits.fixpipe = platform.engines.fixpipe.layout;
    limits.l0a_layout = platform.engines.cube.l0a_layout;
    return limits;
}

} // namespace aicore
