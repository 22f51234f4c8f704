#!/usr/bin/python3
"""Command lines, and input that is wrong: one message, exit code 2, no file written."""

import sys

import cli_case
from cli_case import GEMM, OUTPUTS


class BadInputTest(cli_case.CliCase):
    # ---- command line --------------------------------------------------------------------------

    def test_help(self):
        for arguments in ([], ["gemm"], ["run"], ["validate"], ["platform"]):
            self.assertIn("Usage: aicore", self.expect_good(*arguments, "--help").out)

    def test_no_command(self):
        self.expect_bad_input("no command given, --help lists them")

    def test_unknown_command(self):
        self.expect_bad_input("The following argument was not expected: simulate", "simulate")

    def test_unknown_option(self):
        self.expect_bad_input("The following argument was not expected: --fast", *GEMM, "--fast")

    def test_missing_option(self):
        self.expect_bad_input("--k is required", "gemm", "--m", "16", "--n", "16")

    def test_wrong_word(self):
        self.expect_bad_input("--dtype: fp8 not in {fp16,bf16,fp32,hf32,int8,int4,fp8_e4m3,fp8_e5m2,"
                              "hif8}", *GEMM, "--dtype", "fp8")

    def test_option_needs_vcd(self):
        self.expect_bad_input("--vcd-from requires --vcd", *GEMM, "--vcd-from", "10")

    def test_platform_round_trip(self):
        arguments = ["platform", "--set", "clock.frequency_mhz=1500"]
        self.write("p.yaml", self.expect_good(*arguments).out)
        again = self.expect_good("platform", "--platform", "p.yaml").out
        self.assertEqual(again, self.expect_good(*arguments).out)
        self.assertIn("frequency_mhz: 1500\n", again)

    # ---- bad input -----------------------------------------------------------------------------

    def test_missing_program(self):
        self.expect_bad_input("none.yaml: cannot read: No such file or directory",
                              "run", "none.yaml", *OUTPUTS)

    def test_missing_platform(self):
        self.expect_bad_input("none.yaml: cannot read: No such file or directory",
                              *GEMM, "--platform", "none.yaml", *OUTPUTS)

    def test_unknown_platform_key(self):
        self.write("p.yaml", f"extends: {self.source}/platform.yaml\n"
                             "clock: {frequenzy_mhz: 1500}\n")
        self.expect_bad_input("p.yaml:2:9: clock.frequenzy_mhz: unknown key, expected one of: "
                              "frequency_mhz", *GEMM, "--platform", "p.yaml", *OUTPUTS)

    def test_unknown_override(self):
        self.expect_bad_input("--set clock.mhz=1: unknown key, expected one of: "
                              "clock.frequency_mhz", *GEMM, "--set", "clock.mhz=1", *OUTPUTS)

    def test_duplicate_key(self):
        self.expect_bad_statement("p.yaml:5:47: cores.aic0[0].id: duplicate key, first at line 5",
                                  "{op: set_flag, src: M, dst: FIX, id: 1, id: 2}")

    def test_wrong_type(self):
        self.expect_bad_statement("p.yaml:5:44: cores.aic0[0].id: expected a string, found a list",
                                  "{op: set_flag, src: M, dst: FIX, id: [1]}")

    def test_event_id(self):
        self.expect_bad_statement("p.yaml:5:44: set_flag: id = 9: must be 0 .. 7",
                                  "{op: set_flag, src: M, dst: FIX, id: 9}")

    def test_event_of_another_core(self):
        self.expect_bad_statement("p.yaml:5:7: set_flag: src/dst = V_MTE3: the cube core has no "
                                  "such event (HardEvent list)",
                                  "{op: set_flag, src: V, dst: MTE3, id: 0}")
        self.write("p.yaml", "program: p\ncores:\n  aiv:\n    - {sync: [M, FIX], event: 0}\n")
        self.expect_bad_input("p.yaml:4:7: sync: src/dst = M_FIX: the vector core has no such event "
                              "(HardEvent list) (core=0)", "run", "p.yaml", *OUTPUTS)

    def test_sync_all_of_vector_cores_on_a_cube_core(self):
        self.expect_bad_statement("p.yaml:5:7: sync_all: aiv_only = true: the cube core takes part "
                                  "with aiv_only: false", "{op: sync_all}")

    def test_slot_of_a_soft_sync_all(self):
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aiv:\n"
                             "    - {op: soft_sync_all, gm_addr: 0, ub_addr: 0, used_cores: 1, "
                             "block_idx: core}\n")
        self.expect_bad_input("p.yaml:4:77: soft_sync_all: block_idx = 1: must be 0 .. 0 (core=1)",
                              "run", "p.yaml", *OUTPUTS)

    def test_type_of_an_atomic_fixpipe(self):
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aic0:\n"
                             "    - {op: set_atomic, operation: add, dtype: float16}\n"
                             "    - {op: fixpipe, src_addr: 0, dst: GM, dst_addr: 0, "
                             "src_dtype: float32, dst_dtype: float32, layout: NZ2ND, n_size: 16, "
                             "m_size: 16, src_stride: 16, dst_stride: 16}\n")
        self.expect_bad_input("p.yaml:5:87: fixpipe: dst_dtype = float32: must be float16, the "
                              "element of set_atomic", "run", "p.yaml", *OUTPUTS)

    def test_stride(self):
        self.expect_bad_statement("p.yaml:5:94: load2d: src_stride = 65536: must be 0 .. 65535",
                                  "{op: load2d, src_addr: 0, dst: L0A, dst_addr: 0, elem_bytes: 2, "
                                  "repeat: 2, src_stride: 65536}")

    def test_misaligned_address(self):
        self.expect_bad_statement("p.yaml:5:53: load2d: dst_addr = 0x100: L0A address must be a "
                                  "multiple of 512",
                                  "{op: load2d, src_addr: 0, dst: L0A, dst_addr: 256, "
                                  "elem_bytes: 2, repeat: 1}")

    def test_gm_end(self):
        self.expect_bad_statement("p.yaml:5:42: data_copy: src_addr = end 0x1000000020: must lie "
                                  "inside GM (68719476736 bytes)",
                                  "{op: data_copy, src: GM, src_addr: 68719476704, dst: L1, "
                                  "dst_addr: 0, block_len: 2}")

    def test_copies_only_to_the_peer(self):
        only = "lies in the peer's GM, which only copies of the DataCopy class reach"
        self.expect_bad_statement(f"p.yaml:5:39: load2d: src_addr = 0x10000000000: {only}",
                                  "{op: load2d, src: GM, src_addr: 1099511627776, dst: L0A, "
                                  "dst_addr: 0, elem_bytes: 2, repeat: 1}")
        self.expect_bad_statement(f"p.yaml:5:53: fixpipe: dst_addr = 0x10000000200: {only}",
                                  "{op: fixpipe, src_addr: 0, dst: GM, dst_addr: 1099511628288, "
                                  "src_dtype: float32, dst_dtype: float32, layout: NZ2ND, "
                                  "n_size: 16, m_size: 16, src_stride: 16, dst_stride: 16}")

    def test_peer_end(self):
        self.expect_bad_statement("p.yaml:5:42: data_copy: src_addr = end 0x11000000020: must lie "
                                  "inside the peer's GM (68719476736 bytes from 0x10000000000)",
                                  "{op: data_copy, src: GM, src_addr: 1168231104480, dst: L1, "
                                  "dst_addr: 0, block_len: 2}")

    def test_atomic_write_to_the_peer(self):
        self.write("p.yaml", "program: p\n"
                             "tensors: {a: {dtype: float32, shape: [64], memory: PEER_GM}}\n"
                             "cores:\n"
                             "  aiv0:\n"
                             "    - {op: set_atomic, operation: add, dtype: float32}\n"
                             "    - {op: data_copy, src: UB, src_addr: 0, dst: 'GM:a', dst_addr: 0, "
                             "block_len: 8}\n")
        self.expect_bad_input("p.yaml:6:68: data_copy: dst_addr = 0x10000000000: atomic writes do "
                              "not reach the peer's GM", "run", "p.yaml", *OUTPUTS)

    def test_no_peer(self):
        self.write("p.yaml", "program: p\n"
                             "tensors: {a: {dtype: int8, shape: [64], memory: PEER_GM}}\n"
                             "cores: {}\n")
        self.expect_bad_input("p.yaml:2:49: tensors.a.memory: the cores of this platform have no "
                              "path to PEER_GM", "run", "p.yaml",
                              "--set", "memories.hccs.bytes_per_cycle=0", *OUTPUTS)

    def test_tensor_end(self):
        self.expect_bad_statement("p.yaml:5:46: data_copy: src_addr = 480: touches bytes 480..543 "
                                  "of tensor a, which has 512",
                                  "{op: data_copy, src: 'GM:a', src_addr: 480, dst: L1, "
                                  "dst_addr: 0, block_len: 2}")

    def test_value_in_loop(self):
        self.expect_bad_statement("p.yaml:5:79: set_flag: id = 8: must be 0 .. 7 (i=8)",
                                  "{loop: {var: i, count: 20}, body: "
                                  "[{op: set_flag, src: M, dst: FIX, id: i}]}")

    def test_unknown_core(self):
        self.write("p.yaml", "program: p\ncores: {aic0: [], aic1: []}\n")
        self.expect_bad_input("p.yaml:2:25: cores.aic1: the chip has no such core (chip.ai_cores = 1, "
                              "vector_cores_per_ai_core = 2)",
                              "run", "p.yaml", *OUTPUTS)

    def test_no_core(self):
        self.write("p.yaml", "program: p\ncores: {}\n")
        self.expect_bad_input("p.yaml: cores: no program for any core", "run", "p.yaml", *OUTPUTS)

    def test_golden_that_does_not_fit(self):
        self.write("p.yaml", "program: p\n"
                             "tensors:\n"
                             "  a: {dtype: float16, shape: [16, 32], init: {fill: 1}}\n"
                             "  c: {dtype: float32, shape: [16, 16], "
                             "golden: {matmul: {a: a, b: a}}}\n"
                             "cores: {aic0: []}\n")
        self.expect_bad_input("p.yaml: tensors.c.golden.matmul: the inner sizes of "
                              "a float16 [16, 32] and a float16 [16, 32] are not the same",
                              "run", "p.yaml", *OUTPUTS)

    def test_tile_over_a_buffer(self):
        self.expect_bad_input("gemm: tile 512 x 512 x 64 needs 65536 bytes of L0A in each of two "
                              "slots, and a slot has 32768", "gemm", "--m", "512", "--n", "512",
                              "--k", "512", "--tile", "512x512x64", *OUTPUTS, "--emit", "e.yaml")

    def test_tile_text(self):
        for tile in ("128x256", "128x256x64x2", "128,256,64", "ax2x3"):
            self.expect_bad_input(f"--tile {tile}: expected MxNxK, as 128x256x64",
                                  *GEMM, "--tile", tile)

    def test_size_zero(self):
        self.expect_bad_input("gemm: m is 0, must be at least 1",
                              "gemm", "--m", "0", "--n", "16", "--k", "16")

    def test_output_in_missing_directory(self):
        self.expect_bad_input("none/e.yaml: cannot write: No such file or directory",
                              *GEMM, *OUTPUTS, "--emit", "none/e.yaml")

    def test_output_is_directory(self):
        (self.directory / "d").mkdir()
        self.expect_bad_input("d: cannot write: Is a directory", *GEMM, *OUTPUTS, "--emit", "d")

    def test_output_named_twice(self):
        self.expect_bad_input("./x: named for the statistics and for the timeline",
                              *GEMM, "--stats", "x", "--timeline", "./x")

    def test_bad_output_spares_old_files(self):
        self.write("t.json", "old")
        self.expect_bad_input("none/w.vcd: cannot write: No such file or directory",
                              *GEMM, "--timeline", "t.json", "--vcd", "none/w.vcd")
        self.assertEqual(self.read("t.json"), b"old")

    def test_disk_full(self):
        for option in ("--stats", "--timeline"):
            self.expect_bad_input("/dev/full: cannot write: No space left on device",
                                  *GEMM, "--emit", "e.yaml", option, "/dev/full", "--quiet")
        # Long enough to fail in the middle of the simulation.
        self.expect_bad_input("/dev/full: cannot write: No space left on device",
                              "gemm", "--m", "512", "--n", "512", "--k", "512", "--stats", "s.json",
                              "--timeline", "/dev/full")

    def test_vcd_scope(self):
        self.expect_bad_input("--vcd-scope aic0.core: no signal has this path",
                              *GEMM, *OUTPUTS, "--vcd-scope", "aic0.core")

    def test_vcd_window(self):
        self.expect_bad_input("--vcd-to 5: must not be below --vcd-from 6",
                              *GEMM, *OUTPUTS, "--vcd-from", "6", "--vcd-to", "5")


if __name__ == "__main__":
    sys.exit(cli_case.main(sys.argv[1:], BadInputTest))
