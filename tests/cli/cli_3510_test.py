#!/usr/bin/python3
"""Tests of the aicore program with --platform 3510."""

import struct
import sys

import cli_case

COPY = ("op: {op}, src_addr: 0, dst_addr: 0, src_dtype: float32, dst_dtype: float32, "
        "n_size: 32, m_size: 16, loop_src_stride: 16, {rest}")


class Arch3510Test(cli_case.CliCase):
    def write_copy(self, rest, op="asc_copy_l0c2ub"):
        """A copy by itself, in line 4, column 7."""
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aic0:\n"
                             "    - {" + COPY.format(op=op, rest=rest) + "}\n")

    def expect_bad_copy(self, rest, field, text):
        self.write_copy(rest)
        column = 7 + len("{" + COPY.format(op="asc_copy_l0c2ub", rest=rest)) \
            - len(rest) + rest.index(field + ":") + len(field) + 2
        self.expect_bad_input(f"p.yaml:4:{column}: asc_copy_l0c2ub: {text}",
                              "run", "p.yaml", "--platform", "3510")

    def test_3510_illegal_copies(self):
        self.expect_bad_copy("loop_dst_stride: 0", "loop_dst_stride",
                             "loop_dst_stride = 0: must be 1 .. 4294967295")
        self.expect_bad_copy("loop_dst_stride: 256, dual_dst_ctl: 3", "dual_dst_ctl",
                             "dual_dst_ctl = 3: is reserved")
        self.expect_bad_copy("loop_dst_stride: 32, NZ2ND_en: true, NZ2DN_en: true", "NZ2DN_en",
                             "NZ2DN_en = true: excludes NZ2ND_en")
        self.expect_bad_copy("loop_dst_stride: 256, eltwise_op: 2", "eltwise_op",
                             "eltwise_op = 2: must be 0: the operations of arch 3510 are not "
                             "published")

    def test_3510_copy_on_2201(self):
        self.write_copy("loop_dst_stride: 256")
        self.expect_bad_input("p.yaml:4:7: asc_copy_l0c2ub: op = arch 2201: only arch 3510 has "
                              "this instruction", "run", "p.yaml")

    def test_3510_unknown_platform(self):
        result = self.aicore("platform", "--platform", "4711")
        self.assertEqual(result.code, 2)
        self.assertIn("hw/config/platforms/4711.yaml: not found in", result.err)

    def test_3510_gemm(self):
        self.expect_good(*cli_case.GEMM, "--platform", "3510")

    def write_product(self):
        """Ones times ones, 16 x 32 with K = 16: the columns go to both unified buffers."""
        tensor = "{dtype: float32, shape: [16, 16], memory: UB%d, golden: {file: c.bin}}"
        guard = ("{dtype: int8, shape: [64], memory: UB%d, init: {fill: 7}, "
                 "golden: {unchanged: true}}")
        load = "{op: load2d, src_addr: 0, dst: L0%s, dst_addr: 0, elem_bytes: 2, repeat: %d}"
        lines = ["program: p", "tensors:",
                 "  a: {dtype: float16, shape: [32, 16], init: {fill: 1}}",
                 "  c0: " + tensor % 0, "  g0: " + guard % 0,
                 "  c1: " + tensor % 1, "  g1: " + guard % 1,
                 "cores:", "  aic0:",
                 "    - {op: data_copy, src: 'GM:a', src_addr: 0, dst: L1, dst_addr: 0, "
                 "block_len: 32}",
                 "    - {sync: [MTE2, MTE1], event: 0}",
                 "    - " + load % ("A", 1), "    - " + load % ("B", 2),
                 "    - {sync: [MTE1, M], event: 0}",
                 "    - {op: mmad, a_addr: 0, b_addr: 0, c_addr: 0, ab_dtype: float16, m: 16, "
                 "n: 32, k: 16, c_init_zero: true}",
                 "    - {sync: [M, FIX], event: 0}",
                 "    - {" + COPY.format(op="asc_copy_l0c2ub_sync",
                                         rest="loop_dst_stride: 256, dual_dst_ctl: 2") + "}"]
        self.write("p.yaml", "\n".join(lines) + "\n")

    def test_3510_tensors_in_unified_buffers(self):
        (self.directory / "c.bin").write_bytes(struct.pack("<256f", *[16.0] * 256))
        self.write_product()
        run = ("run", "p.yaml", "--platform", "3510", "--check-protocol")
        result = self.expect_good(*run)
        for name in ("c0", "g0", "c1", "g1"):
            self.assertRegex(result.out, rf"{name}: \d+ elements, all ")
        (self.directory / "c.bin").write_bytes(struct.pack("<256f", *[16.0] * 255, 15.0))
        result = self.aicore(*run)
        self.assertEqual(result.code, 4)
        for name in ("c0", "c1"):
            self.assertIn(f"{name}: 1 of 256 elements differ", result.err)


if __name__ == "__main__":
    sys.exit(cli_case.main(sys.argv[1:], Arch3510Test))
