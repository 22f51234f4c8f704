#!/usr/bin/python3
"""Turns a launch of a field case (JSON) into a program.

usage: case_to_program.py CASE.json OUTPUT_DIRECTORY [--variant NAME] [--launch N] [--first N]
                          [--vector-as-mte1]

Writes OUTPUT_DIRECTORY/program.yaml and its data files. Instructions keep their order, one a line.
Operands that a case leaves open are at address 0 of their buffer; GM operands are a scratch tensor.
--first keeps the first N instructions. --vector-as-mte1 takes the launch of a vector core: its vector
pipe becomes MTE1, which has events with the same pipes, and the unified buffer becomes L1.

Exit status: 0 good, 2 bad input, 77 when the case needs an instruction or a core that the model does
not have (ctest reports the test as skipped).
"""

import argparse
import json
import pathlib
import re
import sys

import numpy as np

FRACTAL_BYTES = 512
BLOCK_BYTES = 32
WORD_BYTES = 4
MAX_REPEAT = 255  # of a load2d; larger loads are cut
SCRATCH_BYTES = 4 << 20
DTYPES = {"f16": ("float16", 2), "bf16": ("bfloat16", 2), "f32": ("float32", 4), "s8": ("int8", 1)}
VECTOR_OPS = {"vadd", "vdup", "vdiv"}


class Unsupported(Exception):
    """The case needs something that the model does not have."""


def align(value, multiple):
    return -(-value // multiple) * multiple


def address(instruction, key, buffer):
    """Byte address of an operand written as "L0C[65536]", "L0B[0..24575]" or "L0C"."""
    text = str(instruction.get(key, buffer))
    found = re.fullmatch(r"(\w+)(?:\[(\d+)(?:\.\.\d+)?\])?", text)
    if found is None or found[1] != buffer:
        raise Unsupported(f"{instruction['op']} with {key} {text}")
    return int(found[2] or 0)


def l0c_address(instruction, key):
    ranges = instruction.get("l0c")
    return ranges[0][0] if ranges else address(instruction, key, "L0C")


def line(op, **fields):
    return "{op: " + op + "".join(f", {key}: {value}" for key, value in fields.items()) + "}"


class Converter:
    """Collects the lines of the program of one core."""

    def __init__(self, vector_as_mte1):
        self.vector_as_mte1 = vector_as_mte1
        self.lines = []

    def pipe(self, name):
        return "MTE1" if name == "V" and self.vector_as_mte1 else name

    def add(self, instruction):
        op = instruction["op"]
        if op in VECTOR_OPS and self.vector_as_mte1:
            op = "vector"
        method = getattr(self, "op_" + op, None)
        if method is None:
            raise Unsupported("op " + op)
        method(instruction)

    def emit(self, op, **fields):
        self.lines.append(line(op, **fields))

    def op_set_flag(self, i):
        self.emit(i["op"], src=self.pipe(i["src"]), dst=self.pipe(i["dst"]), id=i["id"])

    op_wait_flag = op_set_flag

    def op_pipe_barrier(self, i):
        self.emit("pipe_barrier", pipe=self.pipe(i["pipe"]))

    def op_load2d(self, i):
        buffer = i["dst"].split("[")[0]
        dst, src = address(i, "dst", buffer), address(i, "src", "L1")
        fractals = i["bytes"] // FRACTAL_BYTES if "bytes" in i else i.get("frac", 1)
        if isinstance(fractals, str):  # "16x16 f16": one
            fractals = 1
        for first in range(0, fractals, MAX_REPEAT):
            offset = first * FRACTAL_BYTES
            self.emit("load2d", src_addr=src + offset, dst=buffer, dst_addr=dst + offset,
                      elem_bytes=2, repeat=min(MAX_REPEAT, fractals - first))

    def op_mmad(self, i):
        init = str(i.get("init", True)).lower()
        self.emit("mmad", a_addr=0, b_addr=address(i, "b", "L0B"), c_addr=l0c_address(i, "dst"),
                  ab_dtype=DTYPES[i.get("elem", "f16")][0], m=i["m"], n=i["n"], k=i["k"],
                  c_init_zero=init, unit_flag=i.get("unit_flag", 0))

    def op_vector(self, i):
        self.emit("load2d", src_addr=0, dst="L0A", dst_addr=0, elem_bytes=2,
                  repeat=min(1, i.get("repeat", 1)))

    def op_fixpipe(self, i):
        if "quant" in i:
            raise Unsupported("fixpipe with quant " + str(i["quant"]))
        to_nd = i.get("fmt") == "nz2nd"
        rows = align(i["m"], 16)
        stride = i["n"] if to_nd else rows * 16 * WORD_BYTES // BLOCK_BYTES
        self.emit("fixpipe", src_addr=l0c_address(i, "src"), dst="GM:scratch_out", dst_addr=0,
                  src_dtype="float32", dst_dtype="float32", layout="NZ2ND" if to_nd else "NZ",
                  n_size=i["n"], m_size=i["m"], src_stride=i.get("src_stride", rows),
                  dst_stride=i.get("dst_stride", stride), unit_flag=i.get("unit_flag", 0))

    def op_nd2nz(self, i):
        self.emit("nd2nz", src=i.get("gm", "GM:scratch_in"), src_addr=i.get("gm_addr", 0),
                  dst_addr=address(i, "dst", "L1"), elem_bytes=DTYPES[i["elem"]][1],
                  n_value=i["n"], d_value=i["d"], src_d_value=i["src_d"],
                  dst_nz_c0_stride=i["dst_c0_stride"], dst_nz_n_stride=i.get("dst_n_stride", 1))

    def op_copy_gm_l1(self, i):
        self.emit("data_copy", src="GM:scratch_in", src_addr=0, dst="L1", dst_addr=0,
                  block_count=i["n_burst"], block_len=i["len_burst"], src_gap=i["src_gap"],
                  dst_gap=i["dst_gap"])

    def copy_of_vector_core(self, i, src, dst):
        if not self.vector_as_mte1:
            raise Unsupported("op " + i["op"])
        length = i["len_burst"] if "len_burst" in i else i["bytes"] // BLOCK_BYTES
        self.emit("data_copy", src=src, src_addr=0, dst=dst, dst_addr=0,
                  block_count=i.get("n_burst", 1), block_len=length)

    def op_copy_gm_ub(self, i):
        self.copy_of_vector_core(i, "GM:scratch_in", "L1")

    def op_copy_ub_gm(self, i):
        self.copy_of_vector_core(i, "L1", "GM:scratch_out")


class Checked:
    """Data around a case: what GM holds before, instructions before and after, what must come out."""

    def __init__(self, target):
        self.target = target
        self.tensors, self.before, self.after = [], [], []

    def tensor(self, name, values, role):
        values.tofile(self.target / (name + ".bin"))
        dtype = {"f": "float32", "i": "int32", "u": "int32"}[values.dtype.kind]
        rule = f"init: {{file: {name}.bin}}" if role == "input" else \
            f"init: {{fill_bytes: 0x5a}}, golden: {{file: {name}.bin}}"
        self.tensors.append(f"  {name}: {{dtype: {dtype}, "
                            f"shape: [{values.nbytes // WORD_BYTES}], {rule}}}")


def wrong_and_fixed_halves(case, variant, instructions, checked):
    """A21: K[r][c] = r * 128 + c; the block at each probed L1 address continues along a row."""
    key = np.arange(128 * 128, dtype=np.uint32).astype(np.uint16)
    checked.tensor("k", key.view(np.uint32), "input")
    for half, instruction in enumerate(instructions):
        instruction.update(gm="GM:k", gm_addr=half * 64 * 128 * 2)
    for probe in case["expect"]["l1_probe"]:
        first = probe[variant if variant == "fixed" else "wrong"]
        block = np.arange(first, first + 16, dtype=np.uint16)
        name = f"at_{probe['addr']}"
        checked.tensor(name, block.view(np.uint32), "golden")
        checked.after.append(line("data_copy", src="L1", src_addr=probe["addr"], dst="GM:" + name,
                                  dst_addr=0, block_len=1))
    checked.after.insert(0, line("pipe_barrier", pipe="ALL"))


def vector_times_matrix(case, _variant, instructions, checked):
    """A23: A[k] = k mod 7 + 1, B[k][n] = (k mod 5 + 1)(n + 1); C[n] = C[0] (n + 1)."""
    k, n = np.arange(256), np.arange(32)
    a = (k % 7 + 1).astype(np.float16)
    b = ((k % 5 + 1)[:, None] * (n + 1)[None, :]).astype(np.float16)
    # L0B: fractals of 16 columns by 16 k, columns one after another, N before K.
    b_fractals = b.reshape(16, 16, 2, 16).transpose(0, 2, 3, 1)
    checked.tensor("a", a.view(np.uint32), "input")
    checked.tensor("b", np.ascontiguousarray(b_fractals).ravel().view(np.uint32), "input")
    row = (case["expect"]["C0_correct"] * (n + 1)).astype(np.float32)
    checked.tensor("c", row, "golden")
    b_addr = FRACTAL_BYTES
    for name, dst, size in (("a", 0, FRACTAL_BYTES), ("b", b_addr, 32 * FRACTAL_BYTES)):
        checked.before.append(line("data_copy", src="GM:" + name, src_addr=0, dst="L1",
                                   dst_addr=dst, block_len=size // BLOCK_BYTES))
    checked.before.append(line("pipe_barrier", pipe="ALL"))
    instructions[1]["src"] = f"L1[{b_addr}]"
    checked.after += [line("pipe_barrier", pipe="ALL"),
                      line("fixpipe", src_addr=0, dst="GM:c", dst_addr=0, src_dtype="float32",
                           dst_dtype="float32", layout="NZ2ND", n_size=32, m_size=1, src_stride=16,
                           dst_stride=32)]


WITH_DATA = {"A21": wrong_and_fixed_halves, "A23": vector_times_matrix}


def select(case, arguments):
    """The instructions of the one core of a launch."""
    launches = case["variants"][arguments.variant] if arguments.variant else case["launches"]
    launch = launches[arguments.launch]
    cores = list(launch)
    wanted = "AIV" if arguments.vector_as_mte1 else "AIC"
    if len(cores) != 1 or not cores[0].startswith(wanted):
        raise Unsupported("cores " + ", ".join(cores))
    return launch[cores[0]][:arguments.first]


def convert(arguments):
    case = json.loads(pathlib.Path(arguments.case).read_text(encoding="utf-8"))
    if not case.get("launches"):
        raise Unsupported("cases without instructions")
    instructions = select(case, arguments)
    target = pathlib.Path(arguments.output)
    target.mkdir(parents=True, exist_ok=True)
    checked = Checked(target)
    if case["id"] in WITH_DATA:
        WITH_DATA[case["id"]](case, arguments.variant, instructions, checked)
    converter = Converter(arguments.vector_as_mte1)
    for instruction in instructions:
        converter.add(instruction)
    lines = [f"program: {case['id']}", "tensors:",
             f"  scratch_in: {{dtype: int8, shape: [{SCRATCH_BYTES}]}}",
             f"  scratch_out: {{dtype: int8, shape: [{SCRATCH_BYTES}]}}"]
    lines += checked.tensors + ["cores:", "  aic0:"]
    lines += ["    - " + text for text in checked.before + converter.lines + checked.after]
    (target / "program.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("case")
    parser.add_argument("output")
    parser.add_argument("--variant")
    parser.add_argument("--launch", type=int, default=0)
    parser.add_argument("--first", type=int)
    parser.add_argument("--vector-as-mte1", action="store_true")
    options = parser.parse_args(arguments)
    try:
        convert(options)
    except Unsupported as reason:
        print(f"{options.case}: skipped, the model does not have {reason}")
        return 77
    except (OSError, KeyError, IndexError, ValueError) as error:
        print(f"{options.case}: {error!r}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
