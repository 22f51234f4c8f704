// Helpers of the program tests.
#pragma once

#include "hw/config/strict_yaml.h"
#include "tb/program/program_check.h"
#include "tb/program/program_source.h"

#include <string>
#include <vector>

namespace aicore::tb {

/// The memories of the cube core; 1 MB of GM.
inline IsaLimits test_limits() {
    return {1 << 20, 524288, 65536, 65536, 131072, 1024, 2048, 8, 1024, 2048, 2048};
}

inline Program load_text(const std::string& text) {
    return load_program_text(text, "p.yaml", test_limits());
}

/// A program of core aic0: each line is an entry of its body. The first one stands in line 6.
inline std::string with_body(const std::string& lines) {
    return "program: test\n"
           "tensors:\n"
           "  a: {dtype: float16, shape: [16, 32]}\n"
           "  out: {dtype: float32, shape: [16, 16], address: 4096}\n"
           "cores: {aic0: [\n" +
           lines + "]}\n";
}

inline std::vector<Instruction> collect(InstructionSource& source) {
    std::vector<Instruction> all;
    Instruction instruction;
    while (source.next(instruction)) all.push_back(instruction);
    return all;
}

inline std::vector<Instruction> instructions_of(const Program& program) {
    ProgramSource source(program, program.cores.front());
    return collect(source);
}

/// The message of loading and checking the text; empty when it is good.
inline std::string error_of(const std::string& text) {
    try {
        check_program(load_text(text), test_limits());
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace aicore::tb
