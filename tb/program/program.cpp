#include "tb/program/program.h"

#include "tb/program/operation_reader.h"
#include "tb/program/tensor_reader.h"

#include <algorithm>
#include <filesystem>

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

bool is_core_name(const std::string& name) {
    constexpr std::size_t kPrefix = 3;
    return name.size() > kPrefix && name.compare(0, kPrefix, "aic") == 0 &&
           std::all_of(name.begin() + kPrefix, name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
}

Program read_program(const YamlNode& root, const std::string& file, const IsaLimits& limits) {
    root.allow_keys({"program", "note", "variables", "tensors", "cores"});
    Program program;
    program.file = file;
    program.name = root.require("program").as_string();
    Scope scope;
    if (root.has("variables")) read_variables(root.require("variables"), scope);
    if (root.has("tensors")) {
        const std::string directory = std::filesystem::path(file).parent_path().string();
        program.tensors = read_tensors(root.require("tensors"), scope, directory, limits);
    }
    const YamlNode cores = root.require("cores");
    for (const std::string& core : cores.keys()) {
        const YamlNode body = cores.require(core);
        if (!is_core_name(core)) body.fail("unknown core, expected aic0, aic1, ...");
        program.cores.push_back({core, BodyReader(scope, program.tensors).read(body)});
    }
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

const CoreProgram* Program::find_core(const std::string& core) const {
    return find_named(cores, &CoreProgram::core, core);
}

Program load_program(const std::string& file, const IsaLimits& limits) {
    return read_program(YamlNode::load_file(file), file, limits);
}

Program load_program_text(const std::string& text, const std::string& file,
                          const IsaLimits& limits) {
    return read_program(YamlNode::load_text(text, file), file, limits);
}

Program read_statements(const YamlNode& body,
                        const std::map<std::string, std::int64_t>& variables) {
    Program program;
    program.name = body.path();
    program.file = body.file();
    Scope scope;
    scope.constants = variables;
    program.cores.push_back({"aic0", BodyReader(scope, program.tensors).read(body)});
    return program;
}

} // namespace aicore::tb
