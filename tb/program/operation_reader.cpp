#include "tb/program/operation_reader.h"

#include "hw/isa/operation_list.h"
#include "hw/isa/operation_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace aicore::tb {
namespace {

/// Where a field of the operation table stands in the file.
struct FieldNode {
    std::string spelled;
    YamlNode node;
};
using FieldNodes = std::map<std::string, FieldNode>;

std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// Visitor of the operation table: lists the names of the fields.
class NameCollector {
public:
    template <typename Address>
    void location(const char* name, const char* addr_name, Buffer&, Address&,
                  std::initializer_list<Buffer>, Need = Need::required) {
        names.insert(names.end(), {name, addr_name});
    }
    template <typename Member>
    void integer(const char* name, Member&, Need) {
        names.emplace_back(name);
    }
    void boolean(const char* name, bool&, Need) { names.emplace_back(name); }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum&, const std::array<Choice<Enum>, count>&, Need) {
        names.emplace_back(name);
    }
    void scalar(const char* name, std::uint32_t&, DataType, Need) { names.emplace_back(name); }
    void ignored(const char* name) { names.emplace_back(name); }
    void require_choice(bool, const char*, const char*) {}
    void require(bool, const char*, const std::string&, const char*) {}

    std::vector<std::string> names;
};

/// Visitor of the operation table: takes choices from the file and compiles the other fields.
class FieldReader {
public:
    FieldReader(std::string label, const YamlNode& place, const FieldNodes& nodes,
                const ReadContext& context)
        : label_(std::move(label)), place_(place), nodes_(nodes), context_(context) {}

    template <typename Address>
    void location(const char* name, const char* addr_name, Buffer& buffer, Address&,
                  std::initializer_list<Buffer> allowed, Need need = Need::required) {
        std::optional<std::size_t> tensor;
        const FieldNode* node = add(name, allowed.size() == 1 ? Need::optional : need);
        if (node != nullptr) tensor = read_buffer(*node, buffer, allowed);
        read_value(addr_name, ValueKind::integer, Need::required);
        if (!tensor) return;
        fields.back().tensor = tensor;
        fields.back().base = static_cast<std::int64_t>(context_.tensors[*tensor].address);
    }
    template <typename Member>
    void integer(const char* name, Member&, Need need) {
        read_value(name, ValueKind::integer, need);
    }
    void boolean(const char* name, bool&, Need need) { read_value(name, ValueKind::boolean, need); }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum& member, const std::array<Choice<Enum>, count>& choices,
                Need need) {
        const FieldNode* node = add(name, need);
        if (node == nullptr) return;
        const std::string text = node->node.as_string();
        std::vector<std::string> words;
        for (const Choice<Enum>& choice : choices) {
            if (choice.text == text) {
                member = choice.value;
                return;
            }
            words.emplace_back(choice.text);
        }
        refuse(*node, text, words);
    }
    void scalar(const char* name, std::uint32_t& bits, DataType type, Need need) {
        const FieldNode* node = add(name, need);
        if (node != nullptr) bits = read_scalar(node->node, type, context_.scope);
    }
    void ignored(const char* name) { add(name, Need::optional); }
    void require_choice(bool holds, const char* name, const char* rule) {
        if (holds) return;
        const FieldNode& node = nodes_.at(name);
        node.node.fail(label_ + ": " + node.spelled + " = " + node.node.as_string() + ": " + rule);
    }
    void require(bool, const char*, const std::string&, const char*) {}

    std::vector<TemplateField> fields;

private:
    /// Adds the field to the list; its node, or null when the file leaves it out.
    const FieldNode* add(const char* name, Need need) {
        const auto found = nodes_.find(name);
        if (found == nodes_.end()) {
            if (need == Need::required) place_.fail(label_ + ": field " + name + " is missing");
            fields.push_back({name, name, {}, std::nullopt, 0, std::nullopt});
            return nullptr;
        }
        const FieldNode& node = found->second;
        fields.push_back({name,
                          node.spelled,
                          {node.node.line(), node.node.column()},
                          std::nullopt,
                          0,
                          std::nullopt});
        return &node;
    }

    void read_value(const char* name, ValueKind kind, Need need) {
        const FieldNode* node = add(name, need);
        if (node != nullptr) fields.back().value.emplace(node->node, kind, context_.scope);
    }

    /// Sets the buffer; the index of the tensor for "GM:<tensor>".
    std::optional<std::size_t> read_buffer(const FieldNode& node, Buffer& buffer,
                                           std::initializer_list<Buffer> allowed) const {
        const std::string text = node.node.as_string();
        const std::size_t colon = text.find(':');
        const auto parsed = parse_buffer(text.substr(0, colon));
        const bool is_allowed =
            parsed && std::find(allowed.begin(), allowed.end(), *parsed) != allowed.end();
        const bool is_named = colon != std::string::npos;
        if (!is_allowed || (is_named && *parsed != Buffer::GM)) {
            std::vector<std::string> words;
            for (const Buffer word : allowed) words.emplace_back(to_string(word));
            if (std::find(allowed.begin(), allowed.end(), Buffer::GM) != allowed.end()) {
                words.emplace_back("GM:<tensor>");
            }
            refuse(node, text, words);
        }
        buffer = *parsed;
        if (!is_named) return std::nullopt;
        return find_tensor(node, text.substr(colon + 1));
    }

    std::size_t find_tensor(const FieldNode& node, const std::string& name) const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < context_.tensors.size(); ++i) {
            if (!context_.tensors[i].is_in_gm()) continue;
            if (context_.tensors[i].name == name) return i;
            names.push_back(context_.tensors[i].name);
        }
        node.node.fail(label_ + ": unknown tensor " + name + ", expected one of: " + join(names));
    }

    [[noreturn]] void refuse(const FieldNode& node, const std::string& text,
                             const std::vector<std::string>& words) const {
        node.node.fail(label_ + ": " + node.spelled + " = " + text +
                       ": is not supported, expected one of: " + join(words));
    }

    std::string label_;
    const YamlNode& place_;
    const FieldNodes& nodes_;
    const ReadContext& context_;
};

Operation operation_called(const YamlNode& node) {
    const std::string name = node.as_string();
    if (const auto found = find_operation(name)) return all_operations()[*found];
    std::vector<std::string> names;
    for (const Operation& operation : all_operations()) names.emplace_back(mnemonic(operation));
    node.fail(name + " is not supported, expected one of: " + join(names));
}

/// Sets the choices of `operation` and gives its other fields.
std::vector<TemplateField> read_fields(const std::string& label, const YamlNode& place,
                                       Operation& operation, const FieldNodes& nodes,
                                       const ReadContext& context) {
    FieldReader reader(label, place, nodes, context);
    std::visit([&reader](auto& op) { describe(reader, op); }, operation);
    return std::move(reader.fields);
}

/// A file may repeat the pipe that the instruction goes to.
void check_pipe(const YamlNode& node, const std::string& label, const Operation& operation) {
    const std::string text = node.as_string();
    const std::string_view pipe = to_string(pipe_of(operation));
    if (text != pipe) {
        node.fail(label + ": pipe = " + text + ": the instruction goes to " + std::string(pipe));
    }
}

} // namespace

OperationTemplate read_operation(const YamlNode& node, const ReadContext& context) {
    Operation operation = operation_called(node.require("op"));
    const std::string label(mnemonic(operation));
    NameCollector collector;
    std::visit([&collector](auto& op) { describe(collector, op); }, operation);
    std::vector<std::string> allowed = collector.names;
    const bool has_own_pipe = std::find(allowed.begin(), allowed.end(), "pipe") != allowed.end();
    allowed.insert(allowed.end(), {"op", "note"});
    if (!has_own_pipe) allowed.emplace_back("pipe");
    node.allow_keys(allowed);

    FieldNodes nodes;
    for (const std::string& name : collector.names) {
        if (node.has(name)) nodes.emplace(name, FieldNode{name, node.require(name)});
    }
    std::vector<TemplateField> fields = read_fields(label, node, operation, nodes, context);
    if (!has_own_pipe && node.has("pipe")) check_pipe(node.require("pipe"), label, operation);
    return OperationTemplate(label, {node.line(), node.column()}, operation, std::move(fields));
}

std::vector<OperationTemplate> read_sync(const YamlNode& node, const ReadContext& context) {
    node.allow_keys({"sync", "event", "note"});
    const YamlNode pair = node.require("sync");
    const std::vector<YamlNode> pipes = pair.items();
    if (pipes.size() != 2) pair.fail("expected two pipes, found " + std::to_string(pipes.size()));
    const FieldNodes nodes{{"src", {"sync", pipes[0]}},
                           {"dst", {"sync", pipes[1]}},
                           {"id", {"event", node.require("event")}}};
    std::vector<OperationTemplate> templates;
    for (Operation operation : {Operation(SetFlag{}), Operation(WaitFlag{})}) {
        std::vector<TemplateField> fields = read_fields("sync", node, operation, nodes, context);
        templates.emplace_back("sync", SourcePlace{node.line(), node.column()}, operation,
                               std::move(fields));
    }
    return templates;
}

} // namespace aicore::tb
