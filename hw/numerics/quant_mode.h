// Names of FixPipe's quantisation: modes of the two stages, ReLU forms, the table of what each
// does.
//
// Spellings are the vendor's. Numbers are the values of the fields quant_pre, quant_post and
// relu_pre / relu_post of the copy instructions; two of them mean different modes on the two
// architectures. `arch` is 2201 or 3510 everywhere.
#pragma once

#include "hw/numerics/data_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace aicore {

/// Mode of the pre stage, which takes what lies in L0C. A leading V: one parameter for each column.
enum class QuantPreMode : std::uint8_t {
    none,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    REQ8,
    VREQ8,
    REQ4,
    VREQ4,
    SHIFTS322S16,
    VSHIFTS322S16,
    DEQS16,
    VDEQS16,
    QF322B8_PRE,
    VQF322B8_PRE,
    QF322S4_PRE,
    VQF322S4_PRE,
    QF322FP8_PRE,
    VQF322FP8_PRE,
    QF322HIF8_PRE,
    VQF322HIF8_PRE,
    QF322HIF8_PRE_HYBRID,
    VQF322HIF8_PRE_HYBRID,
    QF322F16_PRE,
    VQF322F16_PRE,
    QF322BF16_PRE,
    VQF322BF16_PRE,
    QF322F32_PRE,
    VQF322F32_PRE,
    QS322BF16_PRE,
    VQS322BF16_PRE,
};
inline constexpr int kQuantPreModes = 31;

/// Mode of the post stage, which takes the 16-bit results of the pre stage.
enum class QuantPostMode : std::uint8_t {
    none,
    QS162B8_POST,
    VQS162B8_POST,
    QF162B8_POST,
    VQF162B8_POST,
    QS162S4_POST,
    VQS162S4_POST,
    QF162S4_POST,
    VQF162S4_POST,
    QS162S16_POST,
    VQS162S16_POST,
    QF162S16_POST,
    VQF162S16_POST,
};
inline constexpr int kQuantPostModes = 13;

/// Form of the ReLU of a stage, with its field value. The slope of a form other than normal takes
/// the place of the quantisation scale where the input is negative.
enum class ReluMode : std::uint8_t {
    none = 0,
    normal = 1, ///< max(0, x)
    leaky = 2,  ///< one slope, from the RELU_ALPHA register
    prelu = 3,  ///< a slope for each column, from the Fixpipe buffer
};

/// Types that the stages convert between.
enum class QuantType : std::uint8_t {
    accumulator, ///< float32 or int32 as it lies in L0C
    float32,
    int32,
    float16,
    bfloat16,
    b8,   ///< int8 or uint8: the sign bit of the parameter decides
    int4, ///< two in a byte, low half first
    int16,
    fp8_e4m3,
    hifloat8,
};

/// Where a mode takes its 64-bit parameter from.
enum class QuantParameterKind : std::uint8_t { none, scalar, vector };

/// What a mode does.
struct QuantModeInfo {
    std::string_view name; ///< as programs spell it
    std::uint8_t code = 0; ///< value of the instruction field
    QuantType source = QuantType::accumulator;
    QuantType result = QuantType::accumulator;
    QuantParameterKind parameter = QuantParameterKind::none;
    bool on_2201 = false;
    bool on_3510 = false;
};

const QuantModeInfo& info(QuantPreMode mode);
const QuantModeInfo& info(QuantPostMode mode);

std::string_view to_string(QuantPreMode mode);
std::string_view to_string(QuantPostMode mode);
std::string_view to_string(ReluMode mode);
std::string_view to_string(QuantType type);

/// Mode of that name, on any architecture; "NoQuant" and "NoConv" name none as well.
std::optional<QuantPreMode> parse_quant_pre(std::string_view name);
std::optional<QuantPostMode> parse_quant_post(std::string_view name);

bool is_available(QuantPreMode mode, int arch);
bool is_available(QuantPostMode mode, int arch);

/// Size of `count` elements side by side [bytes]; int4 fills its last byte up.
int row_bytes(QuantType type, int count);

/// The pre stage reads this type (float32 or int32) from L0C.
bool accepts_source(QuantPreMode mode, DataType source);

/// The post stage can follow: it reads what the pre stage gives.
bool can_follow(QuantPreMode pre, QuantPostMode post);

/// The mode shifts integers to the right; the scale of its parameter is not read.
bool is_shift(QuantPreMode mode);

/// The ReLU form has a meaning in this mode. A slope needs a multiplication: not with int32 that is
/// copied, not with the shift.
bool accepts_relu(QuantPreMode mode, DataType source, ReluMode relu);

/// Clipping after the ReLU needs the normal form and a quantisation.
bool accepts_clip(QuantPreMode mode, ReluMode relu);
bool accepts_clip(QuantPostMode mode, ReluMode relu);

} // namespace aicore
