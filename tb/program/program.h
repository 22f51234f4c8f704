// A program file: tensors in GM and unified buffers and, for each core, a tree of loops and
// instructions.
#pragma once

#include "hw/config/platform.h"
#include "hw/config/strict_yaml.h"
#include "hw/isa/legality.h"
#include "tb/program/operation_template.h"
#include "tb/program/tensor.h"

#include <cstdint>
#include <map>
#include <optional>
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

/// The instructions of one core, "aic0", or of every core of a kind, "aiv", in one launch.
/// Expressions may use `core`, the index of the core among its kind, and `cores`, the number of
/// cores that run the list.
struct CoreProgram {
    std::string core;
    std::vector<Statement> body;
    std::size_t launch = 0;
    std::string where; ///< "file:line:column: cores.aiv", for messages about the list

    CoreKind kind() const;
    bool is_for_all() const;
};

/// A kernel that is started on a number of cores, when the launch before it is over.
struct Launch {
    /// AI Cores that take part, the first ones; when there are lists for vector cores only, vector
    /// cores. Nothing: all that the chip has.
    std::optional<std::int64_t> blocks;
    SourcePlace place; ///< of the number
};

struct Program {
    std::string name;
    std::string file; ///< as messages name it
    std::vector<Tensor> tensors;
    std::vector<Launch> launches;   ///< `cores:` of a file is one launch
    std::vector<CoreProgram> cores; ///< of all launches, in file order

    /// Null when there is none of that name.
    const Tensor* find_tensor(const std::string& tensor) const;
};

/// Reads a program file (YAML or JSON; the format is in README.md of this room). Data files are
/// relative to its directory and must exist with the right size. Throws InputError with
/// file:line:column. Values in loops are checked by check_program().
Program load_program(const std::string& file, const IsaLimits& limits);

/// The same from text; `file` names it in messages and gives the directory of data files.
Program load_program_text(const std::string& text, const std::string& file,
                          const IsaLimits& limits);

/// A core that runs one of the lists of a program.
struct CoreInstance {
    std::string core;       ///< "aiv1"
    std::int64_t index = 0; ///< among its kind
    std::int64_t count = 1; ///< cores that run the list
    const CoreProgram* program = nullptr;
};

/// The cores of a chip that have instructions in a launch, the cores of one list in ascending
/// order. Throws InputError when a list is for a core that the launch does not have, or when a core
/// has two.
std::vector<CoreInstance> core_instances(const Program& program, const ChipConfig& chip,
                                         std::size_t launch = 0);

/// The program of `core` whose statements are the list `body` of another file. It has no tensors,
/// its GM addresses are absolute. `variables` may be used as those of a program file.
Program read_statements(const YamlNode& body, const std::map<std::string, std::int64_t>& variables,
                        const std::string& core = "aic0");

} // namespace aicore::tb
