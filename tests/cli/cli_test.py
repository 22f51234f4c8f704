#!/usr/bin/python3
"""What the aicore program reports and writes: results, warnings, hangs, statistics, GEMMs."""

import json
import os
import pty
import re
import subprocess
import sys

import cli_case
from cli_case import GEMM, OUTPUT_FILES, OUTPUTS


class ResultTest(cli_case.CliCase):
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

    def test_waveform_of_cross_core_flags(self):
        """The cube core tells both vector cores of each half; what they count they take."""
        self.expect_good("run", str(self.source / "tb/programs/matmul_gelu.yaml"), "--vcd", "w.vcd",
                         "--vcd-scope", "aiv1.cross_core")
        text = self.read("w.vcd").decode()
        values = {}
        for identifier, name in re.findall(r"\$var wire 4 (\S+) (flag_\d+) \[3:0\]", text):
            changes = re.findall(rf"(?m)^b(\d+) {re.escape(identifier)}$", text)
            values[name] = [int(value, 2) for value in changes]
        self.assertEqual(len(values), 16)
        self.assertEqual(values["flag_0"], [0, 1, 0, 1, 0])
        self.assertEqual(values["flag_15"], [0])
        self.expect_good(*GEMM, "--vcd", "w.vcd")
        self.assertNotIn("cross_core", self.read("w.vcd").decode())

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
        self.assertEqual(list(stats), ["schema", "cycles", "clock_mhz", "pipes", "links", "memory",
                                       "result"])
        self.assertGreater(stats["memory"]["l2_read_hits"], 0)
        self.assertEqual(stats["memory"]["hbm_read_bytes"], 0)
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
        arguments = [self.program, "gemm", "--m", "1280", "--n", "1280", "--k", "1280",
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

    def test_cross_core_ids(self):
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aiv:\n"
                             "    - {op: cross_core_set_flag, pipe: V, mode: 0, id: 27}\n"
                             "    - {op: cross_core_wait_flag, id: 11}\n"
                             "    - {op: sync_all}\n")
        result = self.aicore("run", "p.yaml")
        self.assertEqual(result.code, 0)
        shared = "sync_all uses ids 11 to 14 as well"
        self.assertEqual(result.err.replace("aicore: warning: p.yaml:", "").splitlines(), [
            "4:55: cross_core_set_flag: id = 27: its low 4 bits count, 11 is used",
            f"4:55: cross_core_set_flag: id = 27: {shared}",
            f"5:38: cross_core_wait_flag: id = 11: {shared}"])

    def test_hang_in_sync_all(self):
        self.write("p.yaml", "program: p\n"
                             "cores:\n"
                             "  aiv0: [{op: sync_all}]\n"
                             "  aiv1: [{op: cross_core_wait_flag, id: 3}]\n"
                             "  aiv2: [{op: soft_sync_all, gm_addr: 0, ub_addr: 0, used_cores: 2, "
                             "block_idx: 1}]\n")
        result = self.aicore("run", "p.yaml", "--set", "chip.ai_cores=2")
        self.assertEqual(result.code, 3)
        self.assertIn("at    sync_all of the vector cores (p.yaml:3:10), instruction 1\n"
                      "  cores that have not come to it: aiv1 aiv2\n", result.err)
        self.assertIn("soft_sync_all core 1 of 2 GM[0x0] UB[0x0] (p.yaml:5:10)", result.err)
        self.assertIn("\n  slots of the cores that have not arrived: 0\n", result.err)

    def test_launches(self):
        total = self.cycles("run", str(self.source / "tb/programs/launches.yaml"))
        launches = json.loads(self.read("cycles.json"))["launches"]
        self.assertEqual(len(launches), 2)
        self.assertEqual(sum(launches) + 1, total, "the second begins a cycle after the first")

    def test_examples_on_many_cores(self):
        """The number of cores changes no result."""
        for program, ai_cores, unit, count in (
                ("vector_add", 24, "vector", 48), ("softmax", 4, "vector", 8),
                ("layer_norm", 4, "vector", 8), ("split_k_atomic", 8, "cube", 8)):
            self.expect_good("run", str(self.source / f"tb/programs/{program}.yaml"), "--set",
                             f"chip.ai_cores={ai_cores}", "--stats", "s.json", "--check-protocol")
            pipes = json.loads(self.read("s.json"))["pipes"]
            busy = [path for path, pipe in pipes.items()
                    if path.endswith("." + unit) and pipe["busy_cycles"] > 0]
            self.assertEqual(len(busy), count, program)

    def test_compile(self):
        program = str(self.source / "tb/programs/matmul_gelu.yaml")
        out = self.expect_good("compile", program, "--image", "a.image").out
        self.assertRegex(out, r"block count 1\n")
        self.assertRegex(out, r"(?m)^bias +16384 +256")
        image = self.read("a.image")
        self.assertEqual(image[:8], b"ACPI\x01\0\0\0")
        self.assertIn(f", {len(image)} bytes,", out)
        self.expect_good("compile", program, "--image", "b.image")
        self.assertEqual(image, self.read("b.image"))

    def test_compile_for_several_ai_cores(self):
        self.write("p.yaml", "program: p\ncores:\n  aic1: []\n"
                             "  aiv:\n    - {op: pipe_barrier, pipe: V}\n")
        out = self.expect_good("compile", "p.yaml", "--image", "a.image",
                               "--set", "chip.ai_cores=3").out
        self.assertRegex(out, r"block count 3\n")
        self.assertEqual(re.findall(r"(?m)^ +(\d) +(\d) +(\d)$", out),
                         [("1", "0", "0")] + [(str(i // 2), str(1 + i % 2), "1")
                                              for i in range(6)])

    def test_compile_writes_nothing_for_a_bad_program(self):
        self.write("p.yaml", "program: p\ncores:\n  aic0:\n"
                             "    - {op: set_flag, src: MTE2, dst: MTE1, id: 9}\n")
        result = self.aicore("compile", "p.yaml", "--image", "a.image")
        self.assertEqual(result.code, 2)
        self.assertIn("p.yaml:4:", result.err)
        self.assertFalse((self.directory / "a.image").exists())

    def test_compile_takes_one_launch(self):
        program = str(self.source / "tb/programs/launches.yaml")
        result = self.aicore("compile", program, "--image", "a.image")
        self.assertEqual(result.code, 2)
        self.assertIn("launches: an image holds one launch, found 2", result.err)
        self.write("p.yaml", "program: p\ncores: {}\n")
        result = self.aicore("compile", "p.yaml", "--image", "a.image")
        self.assertEqual(result.code, 2)
        self.assertIn("no program for any core", result.err)
        self.assertFalse((self.directory / "a.image").exists())

    def test_reads_past_l2(self):
        """A tensor with l2_cache: false comes from HBM, though the host has copied it."""
        def cycles(hint):
            self.write("p.yaml", "program: p\ntensors:\n"
                                 f"  a: {{dtype: int8, shape: [512], init: {{fill: 1}}{hint}}}\n"
                                 "cores:\n  aiv0:\n    - {op: data_copy, src: 'GM:a', "
                                 "src_addr: 0, dst: UB, dst_addr: 0, block_len: 16}\n")
            return self.cycles("run", "p.yaml")
        self.assertEqual(cycles(", l2_cache: false") - cycles(""), 250)

    def test_peer(self):
        program = str(self.source / "tb/programs/peer_copy.yaml")
        for platform in ([], ["--set", "chip.ai_cores=4"]):
            out = self.expect_good("run", program, "--stats", "s.json", *platform).out
            self.assertIn("; HCCS 32,768 bytes read, 32,768 written\n", out)
            memory = json.loads(self.read("s.json"))["memory"]
            self.assertEqual(memory["hccs_read_bytes"], 32768)
            self.assertEqual(memory["hccs_written_bytes"], 32768)
        self.assertNotIn("HCCS", self.expect_good(*GEMM).out)
        out = self.expect_good("compile", program, "--image", "a.image").out
        self.assertRegex(out, r"(?m)^peer_sum +1099511660544 +32768 +PEER_GM$")

    def test_result_in_the_peer(self):
        """Absolute addresses work too, and what lies there is checked."""
        tensor = "{dtype: int8, shape: [64], memory: PEER_GM, init: {fill: %d}, golden: %s}"
        self.write("p.yaml", "program: p\ntensors:\n"
                             f"  a: {tensor % (1, '{unchanged: true}')}\n"
                             f"  b: {tensor % (2, '{elementwise: a, rule: exact}')}\n"
                             "cores:\n  aiv0:\n"
                             "    - {op: data_copy, src: GM, src_addr: 1099511627776, dst: UB, "
                             "dst_addr: 0, block_len: 2}\n"
                             "    - {sync: [MTE2, MTE3], event: 0}\n"
                             "    - {op: data_copy, src: UB, src_addr: 0, dst: 'GM:b', dst_addr: 0, "
                             "block_len: 2}\n")
        self.expect_good("run", "p.yaml")
        text = self.read("p.yaml").decode()
        self.write("p.yaml", text.replace("src_addr: 0, dst: 'GM:b'", "src_addr: 32, dst: 'GM:b'"))
        result = self.aicore("run", "p.yaml")
        self.assertEqual(result.code, 4)
        self.assertIn("wrong result: b: 32 of 64 elements differ", result.err)

    def test_example_programs(self):
        """Each program says the cycles that it takes."""
        programs = sorted((self.source / "tb/programs").glob("*.yaml"))
        self.assertGreaterEqual(len(programs), 4)
        for program in programs:
            expected = re.search(r"(?m)^# expected cycles: (\d+)$", program.read_text("utf-8"))
            self.assertIsNotNone(expected, program)
            self.assertEqual(self.cycles("run", str(program), "--check-protocol"),
                             int(expected[1]), program)


if __name__ == "__main__":
    sys.exit(cli_case.main(sys.argv[1:], ResultTest))
