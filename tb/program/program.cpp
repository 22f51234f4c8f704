#include "tb/program/program.h"

#include "tb/program/operation_reader.h"
#include "tb/program/tensor_reader.h"

#include <algorithm>
#include <filesystem>
#include <string>

namespace aicore::tb {
namespace {

/// Reads the statements of a core; the scope grows and shrinks with the loops.
class BodyReader {
public:
    BodyReader(Scope& scope, const std::vector<Tensor>& tensors)
        : scope_(scope), tensors_(tensors) {}

    std::vector<Statement> read(const YamlNode& node) {
        std::vector<Statement> body;
        for (const YamlNode& item : node.items()) {
            if (item.has("op")) {
                body.push_back({read_operation(item, {scope_, tensors_})});
            } else if (item.has("sync")) {
                for (OperationTemplate& operation : read_sync(item, {scope_, tensors_})) {
                    body.push_back({std::move(operation)});
                }
            } else if (item.has("loop")) {
                body.push_back({read_loop(item)});
            } else {
                item.fail("expected an entry with op, sync or loop");
            }
        }
        return body;
    }

private:
    Loop read_loop(const YamlNode& node) {
        node.allow_keys({"loop", "body", "note"});
        const YamlNode header = node.require("loop");
        header.allow_keys({"var", "count"});
        const YamlNode variable = header.require("var");
        const YamlNode count = header.require("count");
        Loop loop{variable.as_string(),
                  FieldValue(count, ValueKind::integer, scope_),
                  {count.line(), count.column()},
                  {}};
        try {
            scope_.require_free_name(loop.variable);
        } catch (const ExpressionError& error) {
            variable.fail(error.what());
        }
        scope_.loop_variables.push_back(loop.variable);
        loop.body = read(node.require("body"));
        scope_.loop_variables.pop_back();
        return loop;
    }

    Scope& scope_;
    const std::vector<Tensor>& tensors_;
};

/// A constant may use the ones before it.
void read_variables(const YamlNode& node, Scope& scope) {
    for (const std::string& name : node.keys()) {
        const YamlNode value = node.require(name);
        try {
            scope.require_free_name(name);
            scope.constants[name] = FieldValue(value, ValueKind::integer, scope).evaluate({});
        } catch (const ExpressionError& error) {
            value.fail(error.what());
        }
    }
}

constexpr std::size_t kKindLength = 3; ///< of "aic" and "aiv"

/// "aic", "aiv", "aic0", "aiv12".
bool is_core_name(const std::string& name) {
    const std::string kind = name.substr(0, kKindLength);
    return (kind == "aic" || kind == "aiv") &&
           std::all_of(name.begin() + kKindLength, name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
}

/// Names that every list may use; their values come before those of the loops.
void add_core_variables(Scope& scope) {
    for (const char* name : {"core", "cores"}) {
        scope.require_free_name(name);
        scope.loop_variables.emplace_back(name);
    }
}

/// `node` has the lists of one launch under `cores`, and maybe `blocks`.
void read_launch(const YamlNode& node, Scope& scope, Program& program) {
    Launch launch;
    if (node.has("blocks")) {
        const YamlNode blocks = node.require("blocks");
        launch.place = {blocks.line(), blocks.column()};
        try { // without core and cores, which the number of blocks decides
            launch.blocks =
                FieldValue(blocks, ValueKind::integer, {scope.constants, {}}).evaluate({});
        } catch (const ExpressionError& error) {
            blocks.fail(error.what());
        }
        if (*launch.blocks < 1)
            blocks.fail("expected at least 1, found " + std::to_string(*launch.blocks));
    }
    const YamlNode cores = node.require("cores");
    for (const std::string& core : cores.keys()) {
        const YamlNode body = cores.require(core);
        if (!is_core_name(core))
            body.fail("unknown core, expected aic or aiv, with a number for one core");
        program.cores.push_back({core, BodyReader(scope, program.tensors).read(body),
                                 program.launches.size(), body.where()});
    }
    program.launches.push_back(launch);
}

Program read_program(const YamlNode& root, const std::string& file, const IsaLimits& limits) {
    root.allow_keys({"program", "note", "variables", "tensors", "cores", "launches"});
    Program program;
    program.file = file;
    program.name = root.require("program").as_string();
    Scope scope;
    if (root.has("variables")) read_variables(root.require("variables"), scope);
    if (root.has("tensors")) {
        const std::string directory = std::filesystem::path(file).parent_path().string();
        program.tensors = read_tensors(root.require("tensors"), scope, directory, limits);
    }
    try {
        add_core_variables(scope);
    } catch (const ExpressionError& error) {
        root.require("variables").fail(error.what());
    }
    if (!root.has("launches")) {
        read_launch(root, scope, program);
        return program;
    }
    if (root.has("cores")) root.require("cores").fail("excludes launches");
    const YamlNode launches = root.require("launches");
    for (const YamlNode& launch : launches.items()) {
        launch.allow_keys({"blocks", "cores", "note"});
        read_launch(launch, scope, program);
    }
    if (program.launches.empty()) launches.fail("expected at least one launch");
    return program;
}

template <typename Item, typename Name>
const Item* find_named(const std::vector<Item>& items, Name name, const std::string& text) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Item& item) { return item.*name == text; });
    return found == items.end() ? nullptr : &*found;
}

} // namespace

const Tensor* Program::find_tensor(const std::string& tensor) const {
    return find_named(tensors, &Tensor::name, tensor);
}

CoreKind CoreProgram::kind() const {
    return core.compare(0, kKindLength, "aic") == 0 ? CoreKind::aic : CoreKind::aiv;
}

bool CoreProgram::is_for_all() const { return core.size() == kKindLength; }

namespace {

/// Cores of a kind that a launch has.
struct LaunchCores {
    std::int64_t aic = 0, aiv = 0;
};

LaunchCores cores_of(const Program& program, const ChipConfig& chip, std::size_t index) {
    const std::int64_t per_ai_core = chip.vector_cores_per_ai_core;
    LaunchCores cores{chip.ai_cores, chip.ai_cores * per_ai_core};
    const Launch& launch = program.launches[index];
    if (!launch.blocks) return cores;
    const bool has_cube =
        std::any_of(program.cores.begin(), program.cores.end(), [index](const CoreProgram& list) {
            return list.launch == index && list.kind() == CoreKind::aic;
        });
    const std::int64_t most = has_cube ? cores.aic : cores.aiv;
    if (*launch.blocks > most) {
        throw InputError(program.file + ":" + std::to_string(launch.place.line) + ":" +
                         std::to_string(launch.place.column) + ": launches[" +
                         std::to_string(index) + "].blocks = " + std::to_string(*launch.blocks) +
                         ": the chip has " + std::to_string(most) +
                         (has_cube ? " AI Cores" : " vector cores"));
    }
    if (has_cube) return {*launch.blocks, *launch.blocks * per_ai_core};
    return {0, *launch.blocks};
}

} // namespace

std::vector<CoreInstance> core_instances(const Program& program, const ChipConfig& chip,
                                         std::size_t launch) {
    const LaunchCores launched = cores_of(program, chip, launch);
    std::vector<CoreInstance> instances;
    for (const CoreProgram& list : program.cores) {
        if (list.launch != launch) continue;
        const std::int64_t present = list.kind() == CoreKind::aic ? launched.aic : launched.aiv;
        std::int64_t first = 0, count = present;
        if (!list.is_for_all()) {
            const std::string digits = list.core.substr(kKindLength);
            first = digits.size() > 6 ? present : std::stoll(digits);
            count = 1;
        }
        if (count == 0 || first + count > present) {
            const std::optional<std::int64_t> blocks = program.launches[launch].blocks;
            throw InputError(
                list.where +
                (blocks ? ": the launch has no such core (blocks = " + std::to_string(*blocks) + ")"
                        : ": the chip has no such core (chip.ai_cores = " +
                              std::to_string(chip.ai_cores) + ", vector_cores_per_ai_core = " +
                              std::to_string(chip.vector_cores_per_ai_core) + ")"));
        }
        for (std::int64_t i = 0; i < count; ++i) {
            const std::string core = list.core.substr(0, kKindLength) + std::to_string(first + i);
            for (const CoreInstance& other : instances) {
                if (other.core == core)
                    throw InputError(list.where + ": " + core + " has two lists of instructions");
            }
            instances.push_back({core, first + i, count, &list});
        }
    }
    return instances;
}

Program load_program(const std::string& file, const IsaLimits& limits) {
    return read_program(YamlNode::load_file(file), file, limits);
}

Program load_program_text(const std::string& text, const std::string& file,
                          const IsaLimits& limits) {
    return read_program(YamlNode::load_text(text, file), file, limits);
}

Program read_statements(const YamlNode& body, const std::map<std::string, std::int64_t>& variables,
                        const std::string& core) {
    Program program;
    program.name = body.path();
    program.file = body.file();
    Scope scope;
    scope.constants = variables;
    add_core_variables(scope);
    program.launches.emplace_back();
    program.cores.push_back({core, BodyReader(scope, program.tensors).read(body), 0, body.where()});
    return program;
}

} // namespace aicore::tb
