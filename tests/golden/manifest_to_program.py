#!/usr/bin/python3
"""Turns a golden-vector directory (manifest.yaml and data files) into a program with its data.

usage: manifest_to_program.py GOLDEN_DIRECTORY OUTPUT_DIRECTORY

Writes OUTPUT_DIRECTORY/program.yaml, the input files and golden.bin. The sequence of the manifest is
copied line by line; only the names of GM operands change ('GM:x1_gm.bin' becomes 'GM:x1_gm'), and
a pad_list becomes four fields. An operand that the sequence reads past its end gets a tail.
The result tensor is preset with a byte pattern and lies between two guards that must not change.
A sequence for a vector core becomes a program of aiv0 (vector_entries.py). On arch 3510, whose vector
cores are not modelled, the tensors are parts of the unified buffers and hold what the copies out of
them would read.

Exit status: 0 good, 2 bad input, 77 when the manifest needs something that this script can't express.
"""

import pathlib
import re
import shutil
import sys

import numpy as np
import vector_entries
import yaml

DTYPES = {"float16": "float16", "float32": "float32", "int8": "int8", "int32": "int32"}
VECTOR_OPS = ("vec_", "data_copy_pad_", "net_")
NUMPY_TYPES = {"float16": np.float16, "float32": np.float32, "int8": np.int8, "int32": np.int32}
RULES = {"bit_exact": "exact", "isclose": "isclose"}
OPS = {"nd2nz", "data_copy", "load2d", "load2d_v2", "load_transpose", "load3d", "l1_to_bt",
       "l1_to_fb", "mmad", "fixpipe", "clear_unit_flags"}
ARCHES = {2201, 3510}
# Two elements of int4 are a byte, and so are they in a tensor.
OPERAND_TYPES = {*DTYPES, "int4"}
INPUT_TYPES = {**DTYPES, "int4": "int8", "uint64": "int32"}
QUANT_MODES = {"none", "F322F16", "F322BF16", "DEQF16", "VDEQF16", "REQ8", "VREQ8", "QF322B8_PRE",
               "VQF322B8_PRE"}
BUFFERS = {"GM", "L1", "L0A", "L0B", "L0C", "BT", "FB"}
UBS = ("UB0", "UB1")
PRESET_BYTE = 0xA5
GUARD_BYTES = 512
ALIGNMENT = 512


class Unsupported(Exception):
    """The manifest needs something that the model does not have."""


def check_entry(entry):
    """Raises Unsupported for an entry of the sequence that the model can't run."""
    if is_dropped(entry):
        return
    if "loop" in entry:
        for inner in entry["body"]:
            check_entry(inner)
    elif "sync" in entry:
        if "V" in entry["sync"]:
            raise Unsupported("pipe V")
    elif "op" not in entry:
        raise Unsupported(next(iter(entry)) + " entries")
    else:
        check_instruction(entry)


def is_copy_out(entry):
    """A copy of a vector core from its unified buffer to the result."""
    return entry.get("op") == "data_copy" and entry["src"] in UBS and entry["dst"] == "GM:out"


def is_dropped(entry):
    """What the vector cores do, and the flags between them and the cube core."""
    return "cross_core" in entry or is_copy_out(entry)


def check_instruction(entry):
    op = entry["op"]
    if op not in OPS:
        raise Unsupported("op " + op)
    for side in ("src", "dst"):
        buffer = str(entry.get(side, "L1")).split(":")[0]
        if buffer not in BUFFERS and not (op == "fixpipe" and buffer in UBS):
            raise Unsupported(f"{op} with {side} {buffer}")
    if op == "mmad" and entry["ab_dtype"] not in OPERAND_TYPES:
        raise Unsupported("mmad of " + entry["ab_dtype"])
    if op == "fixpipe" and entry["quant_pre"] not in QUANT_MODES:
        raise Unsupported("fixpipe with quant_pre " + entry["quant_pre"])


def is_for_vector_core(sequence):
    return any(str(entry.get("op")).startswith(VECTOR_OPS)
               or is_for_vector_core(entry.get("body", [])) for entry in sequence)


def defined_part(manifest, golden):
    """The part of the golden data that the manifest wants compared; its shape goes with it."""
    if "elements" not in manifest["comparison"]:
        return golden
    first, end = manifest["comparison"]["elements"]
    if first != 0:
        raise Unsupported("results that are defined from the middle on")
    output = manifest["output"]
    output["shape"] = [end]
    return golden[:end * vector_entries.BITS[output["dtype"]] // 8]


def convert_for_vector_core(manifest, source, target):
    """A program of aiv0; its tensors have the types of the manifest."""
    inputs = {}
    for operand in manifest["inputs"]:
        inputs[operand["file"]] = (source / operand["file"]).read_bytes()
        (target / operand["file"]).write_bytes(inputs[operand["file"]])
    golden = (source / manifest["output"]["file"]).read_bytes()
    (target / "golden.bin").write_bytes(defined_part(manifest, golden))
    try:
        body = vector_entries.convert_sequence(manifest["sequence"], inputs)
    except vector_entries.Unknown as reason:
        raise Unsupported("op " + str(reason)) from reason
    lines = [f"program: {manifest['example']}_{manifest['scenario']}", "tensors:"]
    lines += tensor_lines(manifest, source, target)
    if "elements" in manifest["comparison"]:
        # The sequence writes more than the tensor of the defined part has.
        out = next(line for line in lines if line.startswith("  out: "))
        for entry in body:
            if entry.get("dst") == "GM:out":
                entry.update(dst="GM", dst_addr=entry["dst_addr"]
                             + int(re.search(r"address: (\d+)", out)[1]))
    text = yaml.safe_dump({"cores": {"aiv0": body}}, sort_keys=False, width=1000)
    text = re.sub(r"GM:([\w]+)\.bin", r"GM:\1", text)
    (target / "program.yaml").write_text("\n".join(lines) + "\n" + text, encoding="utf-8")


def check_manifest(manifest):
    if manifest["arch"] not in ARCHES:
        raise Unsupported(f"arch {manifest['arch']}")
    for operand in manifest["inputs"]:
        if operand["dtype"] not in INPUT_TYPES:
            raise Unsupported("tensors of " + operand["dtype"])
    if manifest["output"]["dtype"] not in DTYPES:
        raise Unsupported("results of " + manifest["output"]["dtype"])
    for entry in manifest["sequence"]:
        check_entry(entry)


def tensor_name(file_name):
    return pathlib.Path(file_name).stem


def sequence_lines(text):
    """The lines of the sequence as they stand in the manifest."""
    lines = text.splitlines()
    start = lines.index("sequence:") + 1
    end = start
    while end < len(lines) and (lines[end][:1] in ("-", " ")):
        end += 1
    return lines[start:end]


def kept_lines(manifest, text):
    """The lines of the entries that are not dropped, with UB destinations as the program has them."""
    entries = []
    for line in sequence_lines(text):
        if line.startswith("- "):
            entries.append([])
        entries[-1].append(line)
    kept = []
    for entry, lines in zip(manifest["sequence"], entries, strict=True):
        if not is_dropped(entry):
            kept += [re.sub(r"dst: UB\d", "dst: UB", re.sub(r" dst2: \w+,", "", line))
                     for line in lines]
    return kept


def copies_out(manifest):
    return [entry for entry in manifest["sequence"] if is_copy_out(entry)]


def bytes_copied_out(copy, golden):
    """What one copy reads from its unified buffer, from where it puts it in the result."""
    block = copy["block_len"] * 32
    pitch = block + copy["dst_gap"] * 32
    starts = (copy["dst_addr"] + i * pitch for i in range(copy["block_count"]))
    return b"".join(golden[start:start + block] for start in starts)


def ub_tensor_lines(manifest, source, target, golden_rule):
    """A tensor in a unified buffer for each copy out of one, with a guard behind it."""
    golden = (source / manifest["output"]["file"]).read_bytes()
    dtype = manifest["output"]["dtype"]
    lines = []
    for number, copy in enumerate(copies_out(manifest)):
        if copy["src_gap"] != 0:
            raise Unsupported("copies out of UB with gaps")
        data = bytes_copied_out(copy, golden)
        (target / f"golden{number}.bin").write_bytes(data)
        width = NUMPY_TYPES[dtype]().itemsize
        memory, address = copy["src"], copy["src_addr"]
        lines += [f"  out{number}: {{dtype: {dtype}, shape: [{len(data) // width}], "
                  f"memory: {memory}, address: {address},",
                  f"    init: {{fill_bytes: {PRESET_BYTE}}}, "
                  f"golden: {{file: golden{number}.bin{golden_rule}}}}}",
                  f"  guard{number}: {{dtype: int8, shape: [{GUARD_BYTES}], memory: {memory}, "
                  f"address: {address + len(data)},",
                  f"    init: {{fill_bytes: {PRESET_BYTE}}}, golden: {{unchanged: true}}}}"]
    return lines


def write_golden(manifest, source, target):
    """Copies the golden data in the layout that the sequence writes."""
    output = manifest["output"]
    layout = output.get("golden_layout")
    if layout is None:
        shutil.copyfile(source / output["file"], target)
        return
    if layout != "row_major_while_output_is_nz":
        raise Unsupported("golden_layout " + layout)
    rows, columns = output["shape"]
    width = output["nz_c0"]
    golden = np.fromfile(source / output["file"], dtype=NUMPY_TYPES[output["dtype"]])
    panels = golden.reshape(rows, columns // width, width).transpose(1, 0, 2)
    np.ascontiguousarray(panels).tofile(target)


def bytes_read(manifest, file_name):
    """Bytes of a GM operand up to the last one that an nd2nz reads."""
    end = 0
    for entry in manifest["sequence"]:
        if entry.get("op") != "nd2nz" or entry["src"] != "GM:" + file_name:
            continue
        elements = ((entry["nd_num"] - 1) * entry["src_nd_matrix_stride"]
                    + (entry["n_value"] - 1) * entry["src_d_value"] + entry["d_value"])
        end = max(end, entry["src_addr"] + elements * entry["elem_bytes"])
    return end


def copy_input(manifest, operand, source, target):
    """Copies the data of an operand; the tail that it may need holds the preset byte."""
    data = (source / operand["file"]).read_bytes()
    tail = max(0, bytes_read(manifest, operand["file"]) - len(data))
    (target / operand["file"]).write_bytes(data + bytes([PRESET_BYTE]) * tail)


def input_shape(manifest, operand):
    """Shape of the operand's tensor; with a tail and for int4 it is a plain row of elements."""
    size = max(operand["bytes"], bytes_read(manifest, operand["file"]))
    if size == operand["bytes"] and (operand["dtype"] in DTYPES
                                        or operand["dtype"] not in INPUT_TYPES):
        return operand["shape"], size
    width = NUMPY_TYPES[INPUT_TYPES[operand["dtype"]]]().itemsize
    return [size // width], size


def golden_rule(manifest):
    """The comparison as the keys of a golden behind its file."""
    comparison = manifest["comparison"]
    text = f", rule: {RULES[comparison['rule']]}"
    if comparison["rule"] == "isclose":
        for key in ("rtol", "atol", "max_bad_fraction"):
            text += f", {key}: {comparison[key]!r}"
    return text


def tensor_lines(manifest, source, target):
    """The tensors: inputs, then the result between its guards, all at addresses of their own."""
    lines = []
    address = 0

    def add(name, dtype, shape, size, rest):
        nonlocal address
        lines.append(f"  {name}: {{dtype: {dtype}, shape: {shape}, address: {address},")
        lines.append(f"    {rest}}}")
        address += size

    def align():
        nonlocal address
        address = -(-address // ALIGNMENT) * ALIGNMENT

    def add_guard(name):
        add(name, "int8", [GUARD_BYTES], GUARD_BYTES,
            f"init: {{fill_bytes: {PRESET_BYTE}}}, golden: {{unchanged: true}}")

    for operand in manifest["inputs"]:
        shape, size = input_shape(manifest, operand)
        dtype = INPUT_TYPES.get(operand["dtype"], operand["dtype"])
        add(tensor_name(operand["file"]), dtype, shape, size,
            f"init: {{file: {operand['file']}}}")
        align()
    has_vector_core = is_for_vector_core(manifest["sequence"])
    if copies_out(manifest) and not has_vector_core:
        return lines + ub_tensor_lines(manifest, source, target, golden_rule(manifest))
    if not has_vector_core:
        write_golden(manifest, source, target / "golden.bin")
    golden = "file: golden.bin" + golden_rule(manifest)
    output = manifest["output"]
    add_guard("guard_before_out")
    add("out", output["dtype"], output["shape"], output["bytes"],
        f"init: {{fill_bytes: {PRESET_BYTE}}}, golden: {{{golden}}}")
    add_guard("guard_after_out")
    return lines


def convert(source, target):
    text = (source / "manifest.yaml").read_text(encoding="utf-8")
    manifest = yaml.safe_load(text)
    if is_for_vector_core(manifest["sequence"]):
        if manifest["arch"] != 2201:
            raise Unsupported(f"arch {manifest['arch']} on a vector core")
        target.mkdir(parents=True, exist_ok=True)
        convert_for_vector_core(manifest, source, target)
        return
    check_manifest(manifest)
    target.mkdir(parents=True, exist_ok=True)
    for operand in manifest["inputs"]:
        copy_input(manifest, operand, source, target)
    names = {operand["file"]: tensor_name(operand["file"]) for operand in manifest["inputs"]}
    lines = [f"program: {manifest['example']}_{manifest['scenario']}", "tensors:"]
    lines += tensor_lines(manifest, source, target)
    lines += ["cores:", "  aic0:"]
    for line in kept_lines(manifest, text):
        line = re.sub(r"GM:([\w.]+)", lambda match: "GM:" + names.get(match[1], match[1]), line)
        line = re.sub(r"pad_list: \[(\d+), (\d+), (\d+), (\d+)\]",
                      r"pad_left: \1, pad_right: \2, pad_top: \3, pad_bottom: \4", line)
        if "op: load2d_v2" in line:
            line = re.sub(r"elem_bytes: (\d)", lambda match: f"elem_bits: {int(match[1]) * 8}", line)
        lines.append("    " + line)
    (target / "program.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    source, target = (pathlib.Path(argument) for argument in arguments)
    try:
        convert(source, target)
    except Unsupported as reason:
        print(f"{source}: skipped, the model does not have {reason}")
        return 77
    except (OSError, KeyError, ValueError, yaml.YAMLError) as error:
        print(f"{source}: {error!r}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
