"""Entries of a golden sequence for the vector core, as entries of a program.

The manifests speak of API calls: a number of elements, a data type, one scalar. Programs speak of
instructions: repeats, strides and the vector mask.
"""

import struct

import numpy as np

BITS = {"int4": 4, "int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "float16": 16, "bfloat16": 16,
        "int32": 32, "uint32": 32, "float32": 32}
PACKED = {"float16": np.float16, "float32": np.float32, "int8": np.int8, "int16": np.int16,
          "int32": np.int32, "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32}
ALL_LANES = [{"op": "set_mask_mode", "mode": "normal"}, {"op": "set_vector_mask", "lanes": 128}]
REDUCE = {"sum": "vcadd", "max": "vcmax", "min": "vcmin"}
ORDER = {"value": "only_value", "value_then_index": "value_index"}


class Unknown(Exception):
    """An entry that has no instructions here."""


def bits_of(value, dtype):
    return int.from_bytes(np.array([value], dtype=PACKED[dtype]).tobytes(), "little")


def counted(entry, instruction):
    """The instruction in counter mode, for entries that give a number of elements."""
    return [{"op": "set_mask_mode", "mode": "counter"},
            {"op": "set_vector_mask", "count": entry["count"]}, instruction, *ALL_LANES]


def masked(entry, instruction):
    return [{"op": "set_vector_mask", "lanes": entry["mask"]}, instruction, *ALL_LANES]


def pick(entry, *names, **renamed):
    chosen = {name: entry[name] for name in names if name in entry}
    chosen.update({new: entry[old] for new, old in renamed.items() if old in entry})
    return chosen


def copy(entry):
    return [{key: "UB" if value == "UB0" else value for key, value in entry.items()
             if key != "pipe"}]


def pad_in(entry):
    # Without is_pad the content of the padding comes from a register or is unspecified.
    pads = entry["is_pad"] or entry["left_padding"] or entry["right_padding"]
    fields = pick(entry, "src_addr", "dst_addr", "block_count", "block_len", "src_gap", "dst_gap",
                  "src")
    fields.update(op="data_copy_pad", dst="UB", elem_bytes=BITS[entry["dtype"]] // 8)
    if pads:
        value = entry.get("register_value", entry["padding_value"])
        fields.update(is_pad=True, left_padding=entry["left_padding"],
                      right_padding=entry["right_padding"],
                      padding_value=bits_of(value, entry["dtype"]))
    return [fields]


def pad_out(entry):
    fields = pick(entry, "src_addr", "dst_addr", "block_count", "block_len", "src_gap", "dst_gap",
                  "dst")
    return [{"op": "data_copy_pad", "src": "UB", **fields}]


def cast(entry):
    source, result = BITS[entry["src_dtype"]], BITS[entry["dst_dtype"]]
    widest = max(source, result)
    return counted(entry, {"op": "vconv", **pick(entry, "src_dtype", "dst_dtype", "round",
                                                 "dst_addr", src0_addr="src_addr"),
                           "src0_rep_stride": 8 * source // widest,
                           "dst_rep_stride": 8 * result // widest})


def compare(entry, scalar):
    fields = pick(entry, "dtype", "relation", "src0_addr", "dst_addr")
    fields["repeat"] = entry["count"] * BITS[entry["dtype"]] // 2048
    if entry["src1_scalar"]:
        return [{"op": "vcmpvs", **fields, "scalar": scalar}]
    return [{"op": "vcmpv", **fields, "src1_addr": entry["src1_addr"]}]


def merge_sort(entry):
    fields = pick(entry, "dst_addr", "valid_bits", "repeat", "exhausted_suspension")
    for i, (address, length) in enumerate(zip(entry["src_addrs"], entry["lengths"])):
        fields[f"src{i}_addr"], fields[f"length{i}"] = address, length
    return [{"op": "vmrgsort4", "dtype": "float32", **fields}]


def gather_mask(entry):
    fields = pick(entry, "dtype", "dst_addr", "src_addr", "repeat", "src_blk_stride",
                  "src_rep_stride", "pattern_addr", "pattern_rep_stride")
    fields["pattern"] = 0 if entry["pattern"] == "user" else entry["pattern"]
    instruction = {"op": "vreducev2", **fields}
    if entry["mode"] != "counter":
        return [instruction]
    return counted({"count": entry["mask"]}, instruction)


def reduce_repeat(entry):
    fields = pick(entry, "dtype", "dst_addr", "repeat", "dst_rep_stride", src0_addr="src_addr",
                  src0_blk_stride="src_blk_stride", src0_rep_stride="src_rep_stride")
    if entry["kind"] != "sum":
        fields["order"] = ORDER[entry["output"]]
    return masked(entry, {"op": REDUCE[entry["kind"]], **fields})


def convert(entry, read_float):
    """Program entries for one entry of the manifest. read_float(UB address): the number that the
    sequence has put there."""
    op = entry.get("op")
    if "loop" in entry:
        body = [new for old in entry["body"] for new in convert(old, read_float)]
        return [{"loop": entry["loop"], "body": body}]
    if "sync" in entry:
        return [entry]
    if op == "data_copy":
        return copy(entry)
    if op == "data_copy_pad_in":
        return pad_in(entry)
    if op == "data_copy_pad_out":
        return pad_out(entry)
    if op == "vec_brcb":
        return [{"op": "vbrcb", **pick(entry, "dtype", "dst_addr", "repeat", "dst_blk_stride",
                                       "dst_rep_stride", src0_addr="src_addr")}]
    if op == "vec_cast":
        return cast(entry)
    if op == "vec_compare":
        scalar = read_float(entry["src1_addr"]) if entry["src1_scalar"] else None
        return compare(entry, scalar)
    if op == "vec_dup":
        return counted(entry, {"op": "vector_dup", **pick(entry, "dtype", "dst_addr",
                                                          scalar="value")})
    if op == "vec_sort32":
        return [{"op": "vbitsort", "dtype": "float32",
                 **pick(entry, "dst_addr", "score_addr", "index_addr", "repeat")}]
    if op == "vec_mrgsort":
        return merge_sort(entry)
    if op == "vec_lrelu":
        return masked(entry, {"op": "vlrelu", **pick(
            entry, "dtype", "dst_addr", "scalar", "repeat", "dst_blk_stride", "dst_rep_stride",
            src0_addr="src_addr", src0_blk_stride="src_blk_stride",
            src0_rep_stride="src_rep_stride")})
    if op == "vec_gather":
        return counted(entry, {"op": "vgather", **pick(entry, "dtype", "dst_addr", "src_addr",
                                                       "offset_addr")})
    if op == "vec_gatherb":
        return [{"op": "vgatherb", **pick(entry, "dtype", "dst_addr", "src_addr", "offset_addr",
                                          "repeat", "dst_blk_stride", "dst_rep_stride")}]
    if op == "vec_gather_mask":
        return gather_mask(entry)
    if op == "vec_transpose16":
        return [{"op": "vtranspose", "dtype": "uint16", **pick(entry, "dst_addr",
                                                              src0_addr="src_addr")}]
    if op == "vec_nchwconv":
        return [{"op": "vnchwconv", **pick(
            entry, "elem_bits", "repeat", "dst_rep_stride", "src_rep_stride",
            src_base="src_list_base", src_step="src_list_step", dst_base="dst_list_base",
            dst_step="dst_list_step")}]
    if op == "vec_reduce_repeat":
        return reduce_repeat(entry)
    raise Unknown(op or next(iter(entry)))


def convert_sequence(sequence, inputs):
    """The program of a vector core. inputs: bytes of each input file."""
    placed = []
    for entry in sequence:
        if entry.get("op") == "data_copy" and entry["src"].startswith("GM:"):
            placed.append((entry["dst_addr"], inputs[entry["src"][3:]]))

    def read_float(address):
        for start, data in placed:
            if start <= address < start + len(data):
                return struct.unpack_from("<f", data, address - start)[0]
        raise Unknown("a scalar that no copy brings")

    converted = []
    register_value = None
    for entry in sequence:
        if entry.get("op") == "set_pad_value":
            register_value = entry["value"]
            continue
        if entry.get("op") == "data_copy_pad_in" and register_value is not None:
            entry = {**entry, "register_value": register_value}
        converted += convert(entry, read_float)
    return converted
