// The stages of a fixpipe as programs spell them.
#include "tests/pure/program_samples.h"

#include <gtest/gtest.h>

#include <string>

namespace aicore::tb {
namespace {

std::string program(const std::string& fields) {
    return with_body("{op: fixpipe, src_addr: 0, dst: 'GM:out', dst_addr: 0, src_dtype: float32, "
                     "dst_dtype: float32, layout: NZ2ND, n_size: 16, m_size: 16, src_stride: 16, "
                     "dst_stride: 16" +
                     fields + "}");
}

ReluMode relu_of(const std::string& fields) {
    const Program read = load_text(program(fields));
    return std::get<Fixpipe>(instructions_of(read).at(0).operation).relu_pre;
}

TEST(ProgramFixpipe, ReluIsShortForANormalReluPre) {
    EXPECT_EQ(relu_of(""), ReluMode::none);
    EXPECT_EQ(relu_of(", relu: false"), ReluMode::none);
    EXPECT_EQ(relu_of(", relu: true"), ReluMode::normal);
    EXPECT_EQ(relu_of(", relu: true, relu_pre: normal"), ReluMode::normal);
    EXPECT_EQ(relu_of(", relu_pre: prelu"), ReluMode::prelu);
}

TEST(ProgramFixpipe, ReluMayNotContradictReluPre) {
    EXPECT_EQ(error_of(program(", relu: true, relu_pre: leaky")),
              "p.yaml:6:173: fixpipe: relu = true: contradicts relu_pre");
    EXPECT_EQ(error_of(program(", relu: false, relu_pre: normal")),
              "p.yaml:6:173: fixpipe: relu = false: contradicts relu_pre");
}

TEST(ProgramFixpipe, BrokenRulesHaveTheirPlace) {
    EXPECT_EQ(error_of(program(", clip_relu_pre: true, clip_max: 0x3c00")),
              "p.yaml:6:182: fixpipe: clip_relu_pre = true: needs relu_pre normal and a "
              "quantisation");
    EXPECT_EQ(error_of(program(", quant_pre: F322F16")),
              "p.yaml:6:87: fixpipe: dst_dtype = float32: quant_pre F322F16 makes float16");
    EXPECT_EQ(error_of(program(", eltwise_op: 1")).rfind("p.yaml:6:", 0), 0u);
}

} // namespace
} // namespace aicore::tb
