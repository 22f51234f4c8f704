// Random legal Fixpipe instructions to GM, over every mode, ReLU form, type and layout of an
// architecture.
#pragma once

#include "hw/isa/instruction.h"
#include "tests/pure/quantise_reference.h"

#include <cstdint>
#include <random>

namespace aicore::test {

/// Where the float32 values of L0C end and the int32 ones begin.
inline constexpr std::uint32_t kFixpipeIntegers = 65536;
/// Of the 256 entries of a quantisation table these come first and have the sign bit of int8
/// results; the others have that of uint8.
inline constexpr int kSignedEntries = 128;

/// An instruction with the fields of its scalar parameters.
struct FixpipeCase {
    Fixpipe op;
    reference::Fields pre, post;
};

class RandomFixpipes {
public:
    RandomFixpipes(int arch, std::uint64_t seed) : arch_(arch), engine_(seed) {}

    /// Output of at most 32 KB, a little behind GM address `area`.
    FixpipeCase next(std::uint64_t area);

    std::int64_t pick(std::int64_t low, std::int64_t high);
    bool flip() { return pick(0, 1) == 1; }
    /// Parameter of the pre stage.
    reference::Fields fields();
    /// Parameter of the post stage; `wide`: of a 16-bit result.
    reference::Fields post_fields(bool wide);
    /// A scale or slope: float32 pattern of 2^-9 to 2^3, either sign.
    std::uint32_t multiplier();

private:
    void choose_pre(FixpipeCase& c);
    void choose_post(FixpipeCase& c);
    void choose_place(Fixpipe& op, std::uint64_t area);
    /// Start in a quantisation table of entries whose signs go with 8-bit results; 96 columns fit.
    std::uint32_t table_address(DataType result);
    ReluMode relu(bool slopes) { return static_cast<ReluMode>(pick(0, slopes ? 3 : 1)); }
    DataType type_of(QuantType result, DataType source);

    int arch_;
    std::mt19937_64 engine_;
};

} // namespace aicore::test
