// Legality of the moves into and out of L1: MTE2, MTE3, MTE1 and the Fixpipe table.
#include "hw/isa/block_walk.h"
#include "hw/isa/fractal_order.h"
#include "hw/isa/legality_rules.h"
#include "hw/isa/load2d_walk.h"
#include "hw/isa/table_load_walks.h"

#include <algorithm>
#include <string>

namespace aicore::legality {
namespace {

constexpr std::int64_t kMaxPadBytes = 2097151; ///< block_len of DataCopyPad
constexpr std::int64_t kMaxU32 = 4294967295;   ///< GM gaps of DataCopyPad
constexpr std::int64_t kMaxNdStride = 16384;   ///< strides of the column panels that Nd2Nz writes

/// Bytes from the first to behind the last of `count` equal blocks.
std::int64_t span(std::int64_t count, std::int64_t block, std::int64_t gap) {
    return (count - 1) * (block + gap) + block;
}

void check_elem_bytes(int elem_bytes, Rules& rules) {
    rules.require(elem_bytes == 1 || elem_bytes == 2 || elem_bytes == 4, "elem_bytes",
                  std::to_string(elem_bytes), "must be 1, 2 or 4");
}

} // namespace

void check(const Nd2Nz& nd2nz, Rules& rules) {
    check_elem_bytes(nd2nz.elem_bytes, rules);
    rules.range("nd_num", nd2nz.nd_num, 0, 4095);
    rules.range("n_value", nd2nz.n_value, 0, 16384);
    rules.range("d_value", nd2nz.d_value, 0, kMaxU16);
    rules.range("src_nd_matrix_stride", nd2nz.src_nd_matrix_stride, 0, kMaxU16);
    rules.range("src_d_value", nd2nz.src_d_value, 1, kMaxU16);
    rules.range("dst_nz_c0_stride", nd2nz.dst_nz_c0_stride, 1, kMaxNdStride);
    rules.range("dst_nz_n_stride", nd2nz.dst_nz_n_stride, 1, kMaxNdStride);
    rules.range("dst_nz_matrix_stride", nd2nz.dst_nz_matrix_stride, 0, kMaxNdStride);
    rules.aligned("dst_addr", Buffer::L1, nd2nz.dst_addr, kBlockBytes);
    if (rules.broken()) return;
    if (nd2nz.nd_num == 0 || nd2nz.n_value == 0 || nd2nz.d_value == 0) return;

    const std::int64_t size = nd2nz.elem_bytes;
    const std::int64_t matrix_bytes = nd2nz.dst_nz_matrix_stride * size;
    // Every matrix must start at an L1 block, as the first one does.
    rules.require(nd2nz.nd_num == 1 || matrix_bytes % kBlockBytes == 0, "dst_nz_matrix_stride",
                  std::to_string(matrix_bytes) + " bytes", "must be a multiple of 32 bytes");
    const std::int64_t last_matrix = nd2nz.nd_num - 1;
    const std::int64_t last_row = nd2nz.n_value - 1;
    const std::int64_t last_panel = ceil_div(nd2nz.d_value * size, kBlockBytes) - 1;
    rules.inside_or_peer(
        "src_addr", Buffer::GM, nd2nz.src_addr,
        (last_matrix * nd2nz.src_nd_matrix_stride + last_row * nd2nz.src_d_value + nd2nz.d_value) *
            size);
    rules.inside("dst_addr", Buffer::L1, nd2nz.dst_addr,
                 last_matrix * matrix_bytes +
                     (last_panel * nd2nz.dst_nz_c0_stride + last_row * nd2nz.dst_nz_n_stride + 1) *
                         kBlockBytes);
}

void check(const DataCopy& copy, Rules& rules) {
    const bool is_cube = rules.core() == CoreKind::aic;
    const Buffer buffer = is_cube ? Buffer::L1 : Buffer::UB;
    const bool load = copy.src == Buffer::GM && copy.dst == buffer;
    const bool store = copy.src == buffer && copy.dst == Buffer::GM;
    rules.require(load || store, "src/dst",
                  std::string(to_string(copy.src)) + " -> " + std::string(to_string(copy.dst)),
                  is_cube ? "must be GM -> L1 or L1 -> GM" : "must be GM -> UB or UB -> GM");
    rules.range("block_count", copy.block_count, 0, kMaxBlockCount);
    rules.range("block_len", copy.block_len, 0, kMaxU16);
    rules.range("src_gap", copy.src_gap, 0, kMaxU16);
    rules.range("dst_gap", copy.dst_gap, 0, kMaxU16);
    if (load) rules.aligned("dst_addr", buffer, copy.dst_addr, kBlockBytes);
    if (store) {
        rules.aligned("src_addr", buffer, copy.src_addr, kBlockBytes);
        check_atomic_address(copy.atomic, copy.dst_addr, rules);
        rules.require(copy.atomic.is_none() || !is_cube || rules.arch() != 3510, "src", "L1",
                      "arch 3510 has no atomic writes from L1");
    }
    if (rules.broken() || copy.block_count == 0 || copy.block_len == 0) return;

    rules.inside_or_peer("src_addr", copy.src, copy.src_addr,
                         span(copy.block_count, copy.block_len, copy.src_gap) * kBlockBytes);
    rules.inside_or_peer("dst_addr", copy.dst, copy.dst_addr,
                         span(copy.block_count, copy.block_len, copy.dst_gap) * kBlockBytes);
}

void check(const DataCopyPad& copy, Rules& rules) {
    const bool load = copy.src == Buffer::GM && copy.dst == Buffer::UB;
    const bool store = copy.src == Buffer::UB && copy.dst == Buffer::GM;
    rules.require(load || store, "src/dst",
                  std::string(to_string(copy.src)) + " -> " + std::string(to_string(copy.dst)),
                  "must be GM -> UB or UB -> GM");
    const int size = copy.elem_bytes;
    rules.require(size == 1 || size == 2 || size == 4 || size == 8, "elem_bytes",
                  std::to_string(size), "must be 1, 2, 4 or 8");
    rules.range("block_count", copy.block_count, 0, kMaxBlockCount);
    rules.range("block_len", copy.block_len, 0, kMaxPadBytes);
    rules.range("src_gap", copy.src_gap, 0, load ? kMaxU32 : kMaxU16);
    rules.range("dst_gap", copy.dst_gap, 0, load ? kMaxU16 : kMaxU32);
    rules.require(load || !copy.is_pad, "is_pad", "true", "only a copy into UB pads");
    rules.require(copy.is_pad || copy.left_padding == 0, "left_padding",
                  std::to_string(copy.left_padding), "needs is_pad");
    rules.require(copy.is_pad || copy.right_padding == 0, "right_padding",
                  std::to_string(copy.right_padding), "needs is_pad");
    rules.range("left_padding", copy.left_padding, 0, kBlockBytes / size);
    rules.range("right_padding", copy.right_padding, 0, kBlockBytes / size);
    rules.require(size != 8 || copy.padding_value == 0, "padding_value",
                  std::to_string(copy.padding_value), "must be 0 for 8-byte elements");
    rules.aligned(load ? "dst_addr" : "src_addr", Buffer::UB, load ? copy.dst_addr : copy.src_addr,
                  kBlockBytes);
    if (store && !copy.atomic.is_none()) {
        const int element = bytes_of(copy.atomic.element);
        const std::string rule =
            "must be a multiple of " + std::to_string(element) + ", the element of set_atomic";
        check_atomic_address(copy.atomic, copy.dst_addr, rules);
        rules.require(copy.block_len % element == 0, "block_len", std::to_string(copy.block_len),
                      rule);
        rules.require(copy.dst_gap % element == 0, "dst_gap", std::to_string(copy.dst_gap), rule);
    }
    if (rules.broken() || copy.block_count == 0 || copy.block_len == 0) return;

    const std::int64_t near = span(copy.block_count, padded_block_bytes(copy),
                                   (load ? copy.dst_gap : copy.src_gap) * kBlockBytes);
    const std::int64_t far =
        span(copy.block_count, copy.block_len, load ? copy.src_gap : copy.dst_gap);
    rules.inside_or_peer("src_addr", copy.src, copy.src_addr, load ? far : near);
    rules.inside_or_peer("dst_addr", copy.dst, copy.dst_addr, load ? near : far);
}

void check(const Load2d& load, Rules& rules) {
    const bool from_gm = load.src == Buffer::GM;
    const bool to_l0 = load.dst == Buffer::L0A || load.dst == Buffer::L0B;
    rules.require(from_gm || load.src == Buffer::L1, "src", to_string(load.src),
                  "must be L1 or GM");
    rules.require(to_l0 || (from_gm && load.dst == Buffer::L1), "dst", to_string(load.dst),
                  from_gm ? "must be L1, L0A or L0B" : "must be L0A or L0B");
    if (rules.arch() == 3510) {
        rules.require(!from_gm || !to_l0, "src", "GM", "arch 3510 loads L0A and L0B from L1 only");
        rules.require(load.dst_gap == 0, "dst_gap", std::to_string(load.dst_gap),
                      "has no effect on arch 3510, must be 0");
    }
    check_elem_bytes(load.elem_bytes, rules);
    rules.require(!load.transpose || load.elem_bytes == 2, "transpose",
                  std::to_string(load.elem_bytes) + "-byte elements",
                  "only 2-byte elements can be transposed");
    rules.require(!load.transpose || !from_gm, "transpose", "GM source",
                  "only loads from L1 can be transposed");
    rules.range("start_index", load.start_index, 0, kMaxU16);
    rules.range("repeat", load.repeat, 0, 255);
    rules.range("src_stride", load.src_stride, 0, kMaxU16);
    rules.range("dst_gap", load.dst_gap, 0, kMaxU16);
    if (!from_gm) rules.aligned("src_addr", Buffer::L1, load.src_addr, kBlockBytes);
    rules.aligned("dst_addr", load.dst, load.dst_addr, to_l0 ? kFractalBytes : kBlockBytes);
    if (rules.broken() || load.repeat == 0) return;

    const std::int64_t last = load.repeat - 1;
    rules.index_walk(load.start_index, load.src_stride, last, load.addr_mode);
    if (rules.broken()) return;
    const auto [first_src, last_src] = std::minmax({load2d_src(load, 0), load2d_src(load, last)});
    rules.inside("src_addr", load.src, first_src,
                 static_cast<std::int64_t>(last_src - first_src) + kFractalBytes);
    rules.inside("dst_addr", load.dst, load.dst_addr,
                 static_cast<std::int64_t>(load2d_dst(load, last) - load.dst_addr) + kFractalBytes);
}

void check(const L1ToBt& copy, Rules& rules) {
    const DataType type = copy.src_type;
    rules.require(type != DataType::int8 && type != DataType::int4, "src_dtype", to_string(type),
                  "must be float16, float32 or int32 (arch 3510: or bfloat16)");
    rules.require(type != DataType::bfloat16 || rules.arch() == 3510, "src_dtype", to_string(type),
                  "arch 2201 converts float16 only");
    rules.range("block_count", copy.block_count, 0, kMaxBlockCount);
    rules.range("block_len", copy.block_len, 0, kMaxU16);
    rules.range("src_gap", copy.src_gap, 0, kMaxU16);
    rules.range("dst_gap", copy.dst_gap, 0, kMaxU16);
    rules.aligned("src_addr", Buffer::L1, copy.src_addr, kBlockBytes);
    rules.aligned("dst_addr", Buffer::BT, copy.dst_addr, kBtUnitBytes);
    if (rules.broken() || copy.block_count == 0 || copy.block_len == 0) return;

    const std::int64_t block = copy.block_len * kBtUnitBytes;
    rules.inside("src_addr", Buffer::L1, copy.src_addr,
                 span(copy.block_count, block, copy.src_gap * kBlockBytes));
    rules.inside("dst_addr", Buffer::BT, copy.dst_addr,
                 span(copy.block_count, block * bt_growth(copy), copy.dst_gap * kBtUnitBytes));
}

void check(const L1ToFb& copy, Rules& rules) {
    rules.range("bytes", copy.bytes, 0, kMaxU16 * kFbUnitBytes);
    const int unit = rules.arch() == 3510 ? kFbUnitBytes / 2 : kFbUnitBytes;
    rules.require(copy.bytes % unit == 0, "bytes", std::to_string(copy.bytes),
                  "must be a multiple of " + std::to_string(unit));
    rules.range("block_count", copy.block_count, 0, kMaxBlockCount);
    rules.range("src_stride", copy.src_stride, 0, kMaxU16);
    rules.range("dst_stride", copy.dst_stride, 0, kMaxU16);
    rules.aligned("src_addr", Buffer::L1, copy.src_addr, kBlockBytes);
    rules.aligned("dst_addr", Buffer::FB, copy.dst_addr, kFbUnitBytes);
    rules.range("dst_addr[31:16]", fb_slice(copy.dst_addr), 0, 3);
    const auto slice = static_cast<int>(copy.table);
    rules.require(copy.table == FbTable::by_address || slice == fb_slice(copy.dst_addr), "table",
                  std::to_string(slice),
                  "is not the slice that bits [31:16] of dst_addr name, " +
                      std::to_string(fb_slice(copy.dst_addr)));
    if (rules.broken() || copy.bytes == 0 || copy.block_count == 0) return;

    const std::int64_t last = copy.block_count - 1;
    rules.inside("src_addr", Buffer::L1, copy.src_addr,
                 last * copy.src_stride * kBlockBytes + copy.bytes);
    rules.inside_slice("dst_addr", fb_slice(copy.dst_addr), fb_offset(copy.dst_addr),
                       last * copy.dst_stride * kFbUnitBytes + copy.bytes);
}

} // namespace aicore::legality
