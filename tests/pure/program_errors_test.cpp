#include "tests/pure/program_samples.h"

#include <gtest/gtest.h>

namespace aicore::tb {
namespace {

/// The message about one entry in line 6 of a program.
std::string body_error(const std::string& entry) { return error_of(with_body(entry)); }

std::string load2d(const std::string& fields) {
    return "{op: load2d, src_addr: 0, dst: L0A, dst_addr: 0, elem_bytes: 2, " + fields + "}";
}

std::string mmad(const std::string& fields) {
    return "{op: mmad, a_addr: 0, b_addr: 0, c_addr: 0, m: 16, n: 16, k: 16, c_init_zero: true, " +
           fields + "}";
}

std::string fixpipe(const std::string& fields) {
    return "{op: fixpipe, src_addr: 0, dst: 'GM:out', dst_addr: 0, src_dtype: float32, "
           "dst_dtype: float32, n_size: 16, m_size: 16, src_stride: 16, dst_stride: 16, " +
           fields + "}";
}

TEST(ProgramErrors, NameUnknownOps) {
    const std::string error = body_error("{op: vabss}");
    EXPECT_EQ(error.rfind("p.yaml:6:6: cores.aic0[0].op: vabss is not supported, expected one of: "
                          "nd2nz, data_copy, load2d, l1_to_bt, l1_to_fb, mmad, fixpipe, "
                          "clear_unit_flags, set_ctrl, set_flag, wait_flag, pipe_barrier, "
                          "load2d_v2, load_transpose, load_sparse, load3d, data_copy_pad, "
                          "cross_core_set_flag, cross_core_wait_flag, vadd, vgather, ",
                          0),
              0u)
        << error;
    EXPECT_EQ(body_error("{cross_core: set, flag_id: 8}"),
              "p.yaml:6:1: cores.aic0[0]: expected an entry with op, sync or loop");
}

TEST(ProgramErrors, NameUnknownAndMissingFields) {
    EXPECT_EQ(body_error(load2d("repeats: 1")),
              "p.yaml:6:65: cores.aic0[0].repeats: unknown key, expected one of: src, src_addr, "
              "dst, dst_addr, elem_bytes, start_index, repeat, src_stride, dst_gap, transpose, "
              "addr_mode, op, "
              "note, pipe");
    EXPECT_EQ(body_error(load2d("src_stride: 1")),
              "p.yaml:6:1: cores.aic0[0]: load2d: field repeat is missing");
    EXPECT_EQ(body_error("{op: set_flag, src: M, dst: FIX}"),
              "p.yaml:6:1: cores.aic0[0]: set_flag: field id is missing");
    EXPECT_EQ(body_error("{sync: [M, FIX]}"), "p.yaml:6:1: cores.aic0[0]: missing key event");
}

TEST(ProgramErrors, NameAllowedWords) {
    EXPECT_EQ(body_error(mmad("ab_dtype: uint8")),
              "p.yaml:6:95: cores.aic0[0].ab_dtype: mmad: ab_dtype = uint8: is not supported, "
              "expected one of: float16, bfloat16, float32, int8, int4, fp8_e4m3, fp8_e5m2, "
              "hifloat8");
    EXPECT_EQ(body_error(fixpipe("layout: ND2NZ")),
              "p.yaml:6:160: cores.aic0[0].layout: fixpipe: layout = ND2NZ: is not supported, "
              "expected one of: NZ, NZ2ND, NZ2DN");
    EXPECT_EQ(body_error(fixpipe("layout: NZ2ND, relu_pre: lut")),
              "p.yaml:6:177: cores.aic0[0].relu_pre: fixpipe: relu_pre = lut: is not supported, "
              "expected one of: none, normal, leaky, prelu");
    EXPECT_EQ(body_error("{op: data_copy, src: UB0, src_addr: 0, dst: L1, dst_addr: 0}"),
              "p.yaml:6:22: cores.aic0[0].src: data_copy: src = UB0: is not supported, expected "
              "one of: GM, L1, UB, GM:<tensor>");
    EXPECT_EQ(body_error("{op: load2d, src: L1, src_addr: 0, dst: 'L0A:a', dst_addr: 0}"),
              "p.yaml:6:41: cores.aic0[0].dst: load2d: dst = L0A:a: is not supported, expected one "
              "of: L0A, L0B, L1");
    EXPECT_EQ(body_error("{op: data_copy, src: 'GM:x', src_addr: 0, dst: L1, dst_addr: 0}"),
              "p.yaml:6:22: cores.aic0[0].src: data_copy: unknown tensor x, expected one of: a, "
              "out");
    EXPECT_EQ(body_error("{sync: [M, FIXP], event: 0}"),
              "p.yaml:6:12: cores.aic0[0].sync[1]: sync: sync = FIXP: is not supported, expected "
              "one of: S, V, M, MTE1, MTE2, MTE3, FIX, ALL");
    EXPECT_EQ(body_error("{sync: [M], event: 0}"),
              "p.yaml:6:8: cores.aic0[0].sync: expected two pipes, found 1");
}

TEST(ProgramErrors, CheckFieldsThatConfirmOthers) {
    EXPECT_EQ(body_error(load2d("repeat: 1, pipe: MTE2")),
              "p.yaml:6:82: cores.aic0[0].pipe: load2d: pipe = MTE2: the instruction goes to MTE1");
    EXPECT_EQ(body_error(mmad("ab_dtype: int8, c_dtype: float32")),
              "p.yaml:6:110: cores.aic0[0].c_dtype: mmad: c_dtype = float32: must be int32 for "
              "integers and float32 for the others");
    EXPECT_EQ(body_error(mmad("ab_dtype: float16, gemv: true")),
              "p.yaml:6:110: mmad: gemv = true: must be true for m = 1, which reads A as a vector, "
              "and false for any other m, a sparse B and disable_gemv");
    EXPECT_EQ(body_error(mmad("ab_dtype: float16, c_init_bias: true")),
              "p.yaml:6:117: mmad: c_init_bias = true: excludes c_init_zero");
    EXPECT_EQ(body_error(fixpipe("layout: NZ2ND, dst_stride_unit: 32B")),
              "p.yaml:6:184: cores.aic0[0].dst_stride_unit: fixpipe: dst_stride_unit = 32B: must "
              "be element for NZ2ND and NZ2DN");
    EXPECT_EQ(body_error(mmad("ab_dtype: float16, unit_flag: 1")),
              "p.yaml:6:115: mmad: unit_flag = 1: must be 0 (off), 2 (check and keep) or 3 (check "
              "and hand over)");
}

TEST(ProgramErrors, ShowBadValues) {
    EXPECT_EQ(body_error(load2d("repeat: rows")),
              "p.yaml:6:73: cores.aic0[0].repeat: \"rows\": unknown name or bad syntax at "
              "\"rows\"; names here: core, cores");
    EXPECT_EQ(body_error(load2d("repeat: true")),
              "p.yaml:6:73: cores.aic0[0].repeat: expected an integer, found true");
    EXPECT_EQ(body_error(load2d("repeat: 7/2")),
              "p.yaml:6:73: cores.aic0[0].repeat: \"7/2\": gives 3.5, not an integer");
    EXPECT_EQ(body_error(load2d("repeat: 010")),
              "p.yaml:6:73: cores.aic0[0].repeat: \"010\": write it without leading zeros");
    EXPECT_EQ(body_error(load2d("repeat: [1]")),
              "p.yaml:6:73: cores.aic0[0].repeat: expected a string, found a list");
    EXPECT_EQ(body_error(load2d("repeat: 1, transpose: 2")),
              "p.yaml:6:87: load2d: transpose = 2: gives 2, expected true or false");
    EXPECT_EQ(
        body_error("{op: load2d, src_addr: -32, dst: L0A, dst_addr: 0, elem_bytes: 2, repeat: 1}"),
        "p.yaml:6:24: load2d: src_addr = -32: must be at least 0");
    EXPECT_EQ(
        body_error(
            "{op: load2d, src_addr: 0, dst: L0A, dst_addr: 0x100000000, elem_bytes: 2, repeat: 1}"),
        "p.yaml:6:47: load2d: dst_addr = 4294967296: must be at most 4294967295");
}

TEST(ProgramErrors, NameTheLoopIteration) {
    EXPECT_EQ(body_error("{loop: {var: k, count: 4}, body: [{loop: {var: i, count: 2}, body: [\n"
                         "{op: load2d, src_addr: 0, dst: L0A, dst_addr: 0, elem_bytes: 2, "
                         "repeat: (k+i)/2}]}]}"),
              "p.yaml:7:73: load2d: repeat = (k+i)/2: gives 0.5, not an integer (k=0, i=1)");
    EXPECT_EQ(body_error("{loop: {var: k, count: 4}, body: [\n"
                         "{sync: [M, FIX], event: {index: k, values: [0, 1]}}]}"),
              "p.yaml:7:25: sync: event = values[k]: index 2 is outside the 2 values (k=2)");
    EXPECT_EQ(body_error("{loop: {var: k, count: 9}, body: [\n{sync: [M, FIX], event: k}]}"),
              "p.yaml:7:25: sync: event = 8: must be 0 .. 7 (k=8)");
    EXPECT_EQ(body_error("{loop: {var: k, count: 2}, body: [{loop: {var: i, count: 0-k}, body: "
                         "[{op: clear_unit_flags}]}]}"),
              "p.yaml:6:58: loop: count = 0-k: gives -1, below 0 (k=1)");
}

TEST(ProgramErrors, CheckLegality) {
    EXPECT_EQ(body_error(load2d("repeat: 256")),
              "p.yaml:6:73: load2d: repeat = 256: must be 0 .. 255");
    EXPECT_EQ(body_error("\n{op: load2d, src_addr: 0, dst: L0A,\n dst_addr: 16, elem_bytes: 2, "
                         "repeat: 1}"),
              "p.yaml:8:12: load2d: dst_addr = 0x10: L0A address must be a multiple of 512");
    // A field that the file leaves out: the place of the instruction.
    EXPECT_EQ(body_error("{sync: [M, MTE3], event: 0}").substr(0, 18), "p.yaml:6:1: sync: ");
}

TEST(ProgramErrors, KeepAccessesInsideTheirTensors) {
    EXPECT_EQ(
        body_error("{op: nd2nz, src: 'GM:a', src_addr: 0, dst_addr: 0, elem_bytes: 2, "
                   "n_value: 17, d_value: 32, src_d_value: 32, dst_nz_c0_stride: 32}"),
        "p.yaml:6:36: nd2nz: src_addr = 0: touches bytes 0..1087 of tensor a, which has 1024");
    EXPECT_EQ(
        body_error("{loop: {var: k, count: 3}, body: [\n{op: data_copy, src: L1, src_addr: 0, "
                   "dst: 'GM:out', dst_addr: k*512, block_len: 16}]}"),
        "p.yaml:7:64: data_copy: dst_addr = 1024: touches bytes 1024..1535 of tensor out, "
        "which has 1024 (k=2)");
    const std::string down = "{op: load2d, src: 'GM:a', src_addr: 0, dst: L0A, dst_addr: 0, "
                             "elem_bytes: 2, repeat: 2, addr_mode: dec, start_index: ";
    EXPECT_EQ(body_error(down + "1}"), "");
    EXPECT_EQ(body_error(down + "2}"),
              "p.yaml:6:37: load2d: src_addr = 512: touches bytes 512..1535 of tensor a, which has "
              "1024");
    EXPECT_EQ(body_error(down + "0}"), "p.yaml:6:118: load2d: start_index = 0: must be at least "
                                       "1, (repeat - 1) * src_stride, to count down");
    EXPECT_EQ(body_error(fixpipe("layout: NZ2ND, nd_num: 2, dst_nd_stride: 1")),
              "p.yaml:6:53: fixpipe: dst_addr = 0: touches bytes 0..1027 of tensor out, which has "
              "1024");
    EXPECT_EQ(body_error(fixpipe("layout: NZ2ND")), "");
}

TEST(ProgramErrors, CheckTheFrame) {
    EXPECT_EQ(error_of("program: x\n"), "p.yaml:1:1: missing key cores");
    EXPECT_EQ(error_of("program: x\ncores: {}\nloops: 1\n"),
              "p.yaml:3:1: loops: unknown key, expected one of: program, note, variables, tensors, "
              "cores, launches");
    EXPECT_EQ(error_of("program: x\ncores: {aix0: []}\n"),
              "p.yaml:2:15: cores.aix0: unknown core, expected aic or aiv, with a number for one "
              "core");
    EXPECT_EQ(error_of("program: x\nvariables: {min: 1}\ncores: {}\n"),
              "p.yaml:2:18: variables.min: min is a built-in name");
    EXPECT_EQ(error_of("program: x\nvariables: {a: b}\ncores: {}\n"),
              "p.yaml:2:16: variables.a: \"b\": unknown name or bad syntax at \"b\"; names here: "
              "none");
    EXPECT_EQ(
        body_error("{loop: {var: k, count: 1}, body: [{loop: {var: k, count: 1}, body: []}]}"),
        "p.yaml:6:48: cores.aic0[0].body[0].loop.var: k is already in use");
    EXPECT_EQ(body_error("{loop: {var: k, count: 1, step: 2}, body: []}"),
              "p.yaml:6:27: cores.aic0[0].loop.step: unknown key, expected one of: var, count");
    EXPECT_EQ(body_error("{loop: {var: k, count: 1}}"),
              "p.yaml:6:1: cores.aic0[0]: missing key body");
}

/// CTRL is followed through a program: what an Mmad means depends on the writes before it.
TEST(ProgramErrors, FollowCtrlThroughTheProgram) {
    IsaLimits limits = test_limits();
    limits.arch = 3510;
    const auto error_on_3510 = [&limits](const std::string& body) -> std::string {
        try {
            check_program(load_text(with_body(body)), limits);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    const std::string product = "{op: mmad, a_addr: 0, b_addr: 0, c_addr: 0, m: 16, n: 16, k: 32, "
                                "c_init_zero: true, ab_dtype: hifloat8}";
    const std::string on = "{op: set_ctrl, hifloat8: true},\n";
    const std::string off = "{op: set_ctrl, hifloat8: false},\n";
    const std::string message =
        "mmad: ab_dtype = hifloat8: needs CTRL[45], set_ctrl hifloat8: true";
    EXPECT_EQ(error_on_3510(on + product), "");
    EXPECT_NE(error_on_3510(product).find("p.yaml:6:"), std::string::npos);
    EXPECT_NE(error_on_3510(product).find(message), std::string::npos);
    EXPECT_NE(error_on_3510(on + off + product).find("p.yaml:8:"), std::string::npos);
    limits.ctrl.hifloat8 = true; // the platform's state at reset
    EXPECT_EQ(error_on_3510(product), "");
}

} // namespace
} // namespace aicore::tb
