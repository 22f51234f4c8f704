// A program file: tensors in GM and, for each core, a tree of loops and instructions.
#pragma once

#include "hw/config/strict_yaml.h"
#include "hw/isa/legality.h"
#include "tb/program/operation_template.h"
#include "tb/program/tensor.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace aicore::tb {

struct Statement;

/// `loop: {var, count}` with its body; the variable goes 0 .. count-1.
struct Loop {
    std::string variable;
    FieldValue count;
    SourcePlace place; ///< of the count
    std::vector<Statement> body;
};

struct Statement {
    std::variant<OperationTemplate, Loop> content;
};

struct CoreProgram {
    std::string core; ///< "aic0"
    std::vector<Statement> body;
};

struct Program {
    std::string name;
    std::string file; ///< as messages name it
    std::vector<Tensor> tensors;
    std::vector<CoreProgram> cores; ///< in file order

    /// Null when there is none of that name.
    const Tensor* find_tensor(const std::string& tensor) const;
    const CoreProgram* find_core(const std::string& core) const;
};

/// Reads a program file (YAML or JSON; the format is in README.md of this room). Data files are
/// relative to its directory and must exist with the right size. Throws InputError with
/// file:line:column. Values in loops are checked by check_program().
Program load_program(const std::string& file, const IsaLimits& limits);

/// The same from text; `file` names it in messages and gives the directory of data files.
Program load_program_text(const std::string& text, const std::string& file,
                          const IsaLimits& limits);

/// The program of core aic0 whose statements are the list `body` of another file. It has no
/// tensors, its GM addresses are absolute. `variables` may be used as those of a program file.
Program read_statements(const YamlNode& body, const std::map<std::string, std::int64_t>& variables);

} // namespace aicore::tb
