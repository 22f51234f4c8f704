#include "tb/observe/vcd_header.h"

#include "tb/observe/core_names.h"

#include <algorithm>

namespace aicore::tb {
namespace {

/// A scope with its variables and inner scopes in order of first appearance.
struct Scope {
    std::string name;
    std::vector<int> variables;
    std::vector<Scope> inner;

    Scope& enter(const std::string& inner_name) {
        const auto found = std::find_if(inner.begin(), inner.end(), [&](const Scope& scope) {
            return scope.name == inner_name;
        });
        if (found != inner.end()) return *found;
        inner.push_back(Scope{inner_name, {}, {}});
        return inner.back();
    }
};

void append(std::string& text, const std::vector<VcdVariable>& variables, const Scope& scope) {
    for (const int index : scope.variables) {
        const VcdVariable& variable = variables[static_cast<std::size_t>(index)];
        const char* type = "wire";
        if (variable.kind == VcdVariable::Kind::integer) type = "integer";
        if (variable.kind == VcdVariable::Kind::text) type = "string";
        text += std::string("$var ") + type + ' ' + std::to_string(variable.bits) + ' ' +
                vcd_identifier(index) + ' ' + last_name(variable.path);
        if (variable.kind == VcdVariable::Kind::wire && variable.bits > 1) {
            text += " [" + std::to_string(variable.bits - 1) + ":0]";
        }
        text += " $end\n";
    }
    for (const Scope& inner : scope.inner) {
        text += "$scope module " + inner.name + " $end\n";
        append(text, variables, inner);
        text += "$upscope $end\n";
    }
}

} // namespace

std::string vcd_identifier(int index) {
    constexpr int kFirst = '!', kCount = '~' - '!' + 1;
    std::string identifier;
    do {
        identifier += static_cast<char>(kFirst + index % kCount);
        index /= kCount;
    } while (index > 0);
    return identifier;
}

std::string vcd_header(const std::vector<VcdVariable>& variables) {
    Scope root;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        Scope* scope = &root;
        const std::string& path = variables[i].path;
        std::size_t start = 0;
        for (std::size_t dot = path.find('.'); dot != std::string::npos;
             dot = path.find('.', start)) {
            scope = &scope->enter(path.substr(start, dot - start));
            start = dot + 1;
        }
        scope->variables.push_back(static_cast<int>(i));
    }
    std::string text = "$date not recorded $end\n$version aicore-sc $end\n$timescale 1 fs $end\n";
    append(text, variables, root);
    return text + "$enddefinitions $end\n";
}

} // namespace aicore::tb
