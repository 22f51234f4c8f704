#!/usr/bin/python3
"""Tests of the aicore program from outside: exit codes, messages, files.

usage: cli_test.py AICORE SOURCE_DIRECTORY TEST...    TEST is a method without its "test_"
"""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

AICORE = ""
SOURCE = pathlib.Path()
OUTPUTS = ["--stats", "s.json", "--timeline", "t.json", "--vcd", "w.vcd"]
OUTPUT_FILES = {"s.json", "t.json", "w.vcd", "w.gtkw"}
GEMM = ["gemm", "--m", "48", "--n", "80", "--k", "96"]


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr


class CliTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    # ---- tools ---------------------------------------------------------------------------------

    def aicore(self, *arguments):
        return Result(subprocess.run([AICORE, *arguments], cwd=self.directory, text=True,
                                     capture_output=True, check=False))

    def write(self, name, text):
        (self.directory / name).write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.directory / name).read_bytes()

    def files(self):
        return {path.name for path in self.directory.iterdir()}

    def expect_bad_input(self, message, *arguments):
        """Exit code 2, exactly this message, and not one file more than before."""
        before = self.files()
        result = self.aicore(*arguments)
        self.assertEqual(result.err, f"aicore: error: {message}\n")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.out, "")
        self.assertEqual(self.files(), before)

    def expect_bad_statement(self, message, statement):
        """The statement is the first of a program, in line 5, column 7."""
        self.write("p.yaml", "program: p\n"
                             "tensors: {a: {dtype: float16, shape: [16, 16]}}\n"
                             "cores:\n"
                             "  aic0:\n"
                             f"    - {statement}\n")
        self.expect_bad_input(message, "run", "p.yaml", *OUTPUTS)

    def expect_good(self, *arguments):
        result = self.aicore(*arguments)
        self.assertEqual(result.err, "")
        self.assertEqual(result.code, 0)
        return result

    def cycles(self, *arguments):
        self.expect_good(*arguments, "--quiet", "--stats", "cycles.json")
        return json.loads(self.read("cycles.json"))["cycles"]

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
        self.write("p.yaml", f"extends: {SOURCE}/platform.yaml\nclock: {{frequenzy_mhz: 1500}}\n")
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
        self.expect_bad_input("p.yaml: cores.aic1: the chip has no such core (chip.ai_cores = 1, "
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

    # ---- results -------------------------------------------------------------------------------

    def test_wrong_result(self):
        self.write("p.yaml", "program: p\n"
                             "tensors:\n"
                             "  a: {dtype: float16, shape: [2, 16], init: {fill: 1}}\n"
                             "  c: {dtype: float16, shape: [2, 16], init: {fill: 1}, "
                             "golden: {file: g.bin}}\n"
                             "cores: {aic0: []}\n")
        # 1.0 is 0x3c00; element [1, 3] is expected to be 2.0.
        golden = [0x3c00] * 32
        golden[19] = 0x4000
        (self.directory / "g.bin").write_bytes(
            b"".join(value.to_bytes(2, "little") for value in golden))
        result = self.aicore("run", "p.yaml", "--stats", "s.json")
        self.assertEqual(result.code, 4)
        verdict = "c: 1 of 32 elements differ, largest error 1, first at [1, 3]: 1, expected 2"
        self.assertEqual(result.err, f"aicore: wrong result: {verdict}\n")
        self.assertIn(f"result    WRONG, {verdict}\n", result.out)
        self.assertEqual(json.loads(self.read("s.json"))["result"],
                         {"checked": 32, "mismatches": 1, "max_abs_error": 1.0})

    def test_tolerance(self):
        program = ("program: p\n"
                   "tensors:\n"
                   "  g: {dtype: float32, shape: [1, 1], init: {fill: 1.5}}\n"
                   "  c: {dtype: float32, shape: [2], init: {range: {start: 1, step: 0.5}}, "
                   "golden: {file: g.bin, rule: isclose, atol: 0.5, max_bad_fraction: FRACTION}}\n"
                   "cores: {aic0: []}\n")
        # 1.0 and 3.0 as expected values of 1.0 and 1.5.
        (self.directory / "g.bin").write_bytes(bytes.fromhex("0000803f" "00004040"))
        self.write("p.yaml", program.replace("FRACTION", "0.4"))
        self.assertEqual(self.aicore("run", "p.yaml").code, 4)
        self.write("p.yaml", program.replace("FRACTION", "0.5"))
        self.assertIn("1 of 2 elements outside the tolerance (allowed)",
                      self.expect_good("run", "p.yaml").out)

    def test_hang(self):
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aic0:\n"
                             "    - {op: wait_flag, src: MTE2, dst: MTE1, id: 3}\n")
        for clock in ("quiet", "toggling"):
            result = self.aicore("run", "p.yaml", "--clock", clock, *OUTPUTS,
                                 "--no-progress-cycles", "100000")
            self.assertEqual(result.code, 3)
            self.assertTrue(result.err.startswith("aicore: hang of aic0 in cycle "), result.err)
            self.assertIn("wait_flag MTE2->MTE1 id 3 (p.yaml:4:7)", result.err)
            self.assertEqual(result.out, "")
            # What was recorded up to the hang is complete.
            self.assertEqual(self.files(), {"p.yaml"} | OUTPUT_FILES)
            json.loads(self.read("s.json"))
            json.loads(self.read("t.json"))

    def test_warnings(self):
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aic0:\n"
                             "    - {op: set_flag, src: MTE2, dst: MTE1, id: 3}\n"
                             "    - {op: set_flag, src: MTE2, dst: MTE1, id: 3}\n")
        result = self.aicore("run", "p.yaml", "--quiet")
        self.assertEqual(result.code, 0)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 2, result.err)
        self.assertRegex(lines[0],
                         r"^aicore: warning: cycle \d+: set_flag MTE2->MTE1 id 3 at line 5")
        self.assertRegex(lines[1], r"^aicore: warning: event flag MTE2->MTE1 id 3 is left set")

    def test_report(self):
        out = self.expect_good(*GEMM, *OUTPUTS, "--emit", "e.yaml").out
        self.assertIn("gemm 48x80x96, float16 to float32, tile 48x80x", out)
        self.assertIn("result    c: 3,840 elements, all bits as expected\n", out)
        for name in ("aic0.cube ", "aic0.fixpipe ", "aic0.gm_to_l1 "):
            self.assertRegex(out, f"(?m)^{name}")
        for file in OUTPUT_FILES | {"e.yaml"}:
            self.assertRegex(out, f"(?m)^[a-z ]+  {file}$")

    def test_gemm_knows_the_result_of_default_readings_only(self):
        self.expect_bad_input("gemm: engines.cube.summation: the expected result is known for its "
                              "default only; emit the program with the default and run that",
                              *GEMM, "--set", "engines.cube.summation=pairwise")

    def test_hang_between_cores(self):
        self.write("p.yaml", "program: p\ncores:\n"
                             "  aic0:\n"
                             "    - {op: cross_core_set_flag, pipe: FIX, mode: 2, id: 1}\n"
                             "  aiv0:\n"
                             "    - {op: cross_core_wait_flag, id: 2}\n")
        result = self.aicore("run", "p.yaml")
        self.assertEqual(result.code, 3)
        self.assertIn("hang of aiv0", result.err)
        self.assertIn("cross_core_wait_flag id 2 (p.yaml:6:7)", result.err)
        self.assertIn("cross-core counter 2 is 0, it was never counted", result.err)
        self.assertIn("counter 1 is 1 and nobody waits for it", result.err)

    def test_gemm_on_several_cores(self):
        shape = ["--m", "100", "--n", "64", "--k", "96"]
        out = self.expect_good("gemm", *shape, "--cores", "3", "--set", "chip.ai_cores=4",
                               "--emit", "e.yaml").out
        self.assertIn(", 3 cores\n", out)
        self.assertIn("result    c: 6,400 elements, all bits as expected\n", out)
        for core in ("aic0", "aic1", "aic2"):
            self.assertRegex(out, f"(?m)^{core}.cube ")
        self.assertNotIn("aic3", out)
        self.expect_good("run", "e.yaml", "--set", "chip.ai_cores=4")
        self.expect_bad_input("--cores 3: the platform has chip.ai_cores = 1",
                              "gemm", *shape, "--cores", "3")

    def test_quiet(self):
        self.assertEqual(self.expect_good(*GEMM, "--quiet").out, "")

    def test_statistics_schema(self):
        self.expect_good(*GEMM, "--stats", "s.json")
        stats = json.loads(self.read("s.json"))
        self.assertEqual(stats["schema"], "aicore-stats/1")
        self.assertEqual(list(stats), ["schema", "cycles", "clock_mhz", "pipes", "links", "result"])
        self.assertEqual(stats["clock_mhz"], 1850)
        self.assertEqual(set(stats["pipes"]["aic0.cube"]),
                         {"busy_cycles", "instructions", "waiting_cycles"})
        self.assertEqual(set(stats["links"]["aic0.gm_to_l1"]), {"bytes", "busy_cycles"})
        self.assertEqual(stats["result"], {"checked": 3840, "mismatches": 0, "max_abs_error": 0.0})

    def test_statistics_do_not_depend_on_outputs(self):
        variants = {
            "plain": [],
            "again": [],
            "timeline": ["--timeline", "t.json"],
            "waveform": ["--vcd", "w.vcd"],
            "window": ["--vcd", "w.vcd", "--vcd-from", "100", "--vcd-to", "200", "--vcd-scope",
                       "aic0.cube", "--vcd-scope", "aic0.links"],
            "toggling": ["--clock", "toggling"],
            "checked": ["--check-protocol"],
            "all": ["--timeline", "t.json", "--vcd", "w.vcd", "--clock", "toggling",
                    "--check-protocol", "--quiet"],
        }
        for name, arguments in variants.items():
            self.expect_good(*GEMM, "--stats", f"{name}.json", *arguments)
            self.assertEqual(self.read(f"{name}.json"), self.read("plain.json"), name)

    def test_outputs_are_the_same_each_time(self):
        self.expect_good(*GEMM, *OUTPUTS)
        first = {name: self.read(name) for name in OUTPUT_FILES}
        self.expect_good(*GEMM, *OUTPUTS)
        self.assertEqual({name: self.read(name) for name in OUTPUT_FILES}, first)

    def test_emitted_program(self):
        for arguments in (["--dtype", "fp16"], ["--dtype", "int8", "--relu"],
                          ["--dtype", "bf16", "--out-dtype", "bf16", "--unit-flag", "off"],
                          ["--dtype", "fp32", "--double-buffer", "off"],
                          ["--dtype", "hf32", "--bias"], ["--dtype", "int4", "--tile", "32x32x64"],
                          ["--dtype", "int8", "--bias", "--tile", "32x32x32"]):
            self.expect_good(*GEMM, *arguments, "--emit", "e.yaml", "--stats", "gemm.json")
            self.expect_good("run", "e.yaml", "--stats", "run.json")
            self.assertEqual(self.read("run.json"), self.read("gemm.json"), arguments)

    def test_gemm_shapes(self):
        for dtype in ("fp16", "bf16", "int8", "int4", "fp32", "hf32"):
            for m, n, k in ((1, 1, 2), (17, 33, 66), (1, 100, 300), (130, 20, 50)):
                bias = [] if dtype == "int4" else ["--bias"]
                self.expect_good("gemm", "--m", str(m), "--n", str(n), "--k", str(k),
                                 "--dtype", dtype, "--check-protocol", *bias)

    def test_gemm_types_of_arch_3510(self):
        arch = ["--set", "arch=3510", "--set", "engines.cube.l0a_layout=Nz",
                "--set", "numerics.hf32_fraction_bits=10"]
        for types in (["fp16"], ["bf16"], ["int8"], ["fp32"], ["hf32"], ["hif8"],
                      ["fp8_e4m3"], ["fp8_e5m2"], ["fp8_e4m3", "--dtype-b", "fp8_e5m2"],
                      ["fp8_e5m2", "--dtype-b", "fp8_e4m3"]):
            for m, n, k in ((1, 100, 300), (130, 20, 50)):
                self.expect_good("gemm", "--m", str(m), "--n", str(n), "--k", str(k), "--bias",
                                 "--dtype", *types, *arch)
        self.expect_bad_input("gemm: dtype int4 is not a type of the cube's inputs (float16, "
                              "bfloat16, float32, int8, fp8_e4m3, fp8_e5m2 or hifloat8)",
                              *GEMM, "--dtype", "int4", *arch)
        self.expect_bad_input("gemm: dtype hifloat8 is not a type of the cube's inputs (float16, "
                              "bfloat16, float32, int8 or int4)",
                              *GEMM, "--dtype", "hif8")
        self.expect_bad_input("gemm: a product of int4 takes no bias",
                              *GEMM, "--dtype", "int4", "--bias")

    def test_gemm_options(self):
        for arguments in (["--tile", "32x64x32"], ["--double-buffer", "off"],
                          ["--unit-flag", "off"], ["--relu"], ["--out-dtype", "fp16"],
                          ["--out-dtype", "bf16", "--relu"], ["--seed", "7"]):
            self.expect_good(*GEMM, *arguments)

    def test_gemm_quantisation(self):
        for dtype, modes in (("int8", ("DEQF16", "VDEQF16", "REQ8", "VREQ8", "DEQS16", "VDEQS16")),
                             ("fp16", ("QF322B8_PRE", "VQF322B8_PRE"))):
            for mode in modes:
                # More tiles than one: the table of a tile follows that of the tile before.
                product = ["gemm", "--m", "40", "--n", "150", "--k", "96", "--tile", "32x64x32",
                           "--dtype", dtype, "--quant", mode]
                self.expect_good(*product, "--check-protocol")
                self.expect_good(*product, "--relu", "--unit-flag", "off", "--quant-scale", "0.01")
        self.expect_good(*GEMM, "--quant", "VQF322B8_PRE", "--emit", "quant.yaml")
        self.expect_good("run", "quant.yaml")
        self.expect_bad_input("gemm: quantisation REQ8 does not take float32 sums of float16 inputs",
                              *GEMM, "--quant", "REQ8")
        self.expect_bad_input("--out-dtype fp16: --quant QF322B8_PRE makes int8",
                              *GEMM, "--quant", "QF322B8_PRE", "--out-dtype", "fp16")

    def test_seed_changes_data_only(self):
        self.assertEqual(self.cycles(*GEMM, "--seed", "1"), self.cycles(*GEMM, "--seed", "2"))

    def test_override_changes_cycles(self):
        self.assertLess(self.cycles(*GEMM),
                        self.cycles(*GEMM, "--set", "links.gm_to_l1.latency_cycles=1000"))

    def test_progress_line(self):
        # Slow fractals make many cycles of little work.
        arguments = [AICORE, "gemm", "--m", "1280", "--n", "1280", "--k", "1280",
                     "--set", "engines.cube.cycles_per_fractal.float16=32"]
        ours, theirs = pty.openpty()
        process = subprocess.Popen(arguments, stderr=theirs, stdout=subprocess.DEVNULL)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # the other side is closed
            pass
        self.assertEqual(process.wait(), 0)
        os.close(ours)
        self.assertRegex(shown.decode(),
                         r"\r\d+ %, \d+\.\d\d Mcycles, \d+\.\d\d Mcycles/s, \d+ s left")
        self.assertTrue(shown.endswith(b"\r"), "the line is taken away at the end")

    def test_example_programs(self):
        """Each program says the cycles that it takes."""
        programs = sorted((SOURCE / "tb/programs").glob("*.yaml"))
        self.assertGreaterEqual(len(programs), 4)
        for program in programs:
            expected = re.search(r"(?m)^# expected cycles: (\d+)$", program.read_text("utf-8"))
            self.assertIsNotNone(expected, program)
            self.assertEqual(self.cycles("run", str(program), "--check-protocol"),
                             int(expected[1]), program)


def main(arguments, tests=CliTest):
    global AICORE, SOURCE
    AICORE, SOURCE = os.path.abspath(arguments[0]), pathlib.Path(arguments[1]).resolve()
    suite = unittest.TestSuite(tests("test_" + name) for name in arguments[2:])
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
