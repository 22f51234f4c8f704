// Where FixPipe quantises: one L0C fractal through the stages of an instruction. Pure.
//
//   words of L0C -> pre stage (quantise_row) -> post stage (requantise_row) -> converted fractal
//
// The rules of a single element are in hw/numerics/quantise.h; the layout of the output is
// fixpipe_layout.h's.
#pragma once

#include "hw/config/platform.h"
#include "hw/isa/instruction.h"
#include "hw/numerics/quantise.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace aicore {

/// The stages of one instruction, the same for all of its fractals.
struct FixpipeStages {
    QuantStage pre;
    PostStage post;
    bool has_post = false;
    bool is_plain = false;   ///< a cast or copy, with normal ReLU at most: needs no columns
    bool per_column = false; ///< parameters come from tables, else they are the same everywhere
    int row_bytes = 0;       ///< of 16 results side by side: 8 .. 64
};

/// @param arch 2201 or 3510; `fixpipe` must be legal there
FixpipeStages fixpipe_stages(const Fixpipe& fixpipe, const NumericsConfig& numerics, int arch);

/// Table entries of the columns of one panel, or the one word of a scalar form in entry 0.
struct PanelWords {
    std::array<std::uint64_t, kQuantColumns> quant_pre{}, quant_post{};
    std::array<std::uint32_t, kQuantColumns> relu_pre{}, relu_post{};
};

/// What the stages need to know of the columns of one panel.
struct PanelColumns {
    QuantColumns pre, post;
};

/// What is wrong with the table entries of a panel, by the rules that find_violation applies to the
/// parameters of an instruction: a scale or slope that is no normal number, a sign bit that does
/// not go with an 8-bit result. Nothing when all `columns` of them are legal.
std::optional<std::string> illegal_entry(const Fixpipe& fixpipe, const PanelWords& words,
                                         int columns);

/// Decodes the parameters of `columns` (1..16) columns; stages that are plain need none of it.
PanelColumns decode_panel(const FixpipeStages& stages, const PanelWords& words, int columns);

/// Takes `rows` rows of a fractal, 16 words each, through the stages. `words` is changed in place;
/// `out` receives rows * row_bytes bytes.
void convert_fractal(const FixpipeStages& stages, const PanelColumns& columns, std::uint32_t* words,
                     int rows, std::uint8_t* out);

} // namespace aicore
