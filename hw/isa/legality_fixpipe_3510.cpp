// Legality of what only arch 3510 has in a Fixpipe: unified buffers as destination, NZ2DN, padding,
// broadcast; and of the units in which the two architectures count.
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/legality_rules.h"

#include <string>

namespace aicore::legality {
namespace {

std::string text(std::int64_t value) { return std::to_string(value); }

void check_units(const Fixpipe& fixpipe, Rules& rules) {
    const FixpipeReadings& platform = rules.limits().fixpipe;
    const bool blocks = fixpipe.dst_stride_unit == PanelStrideUnit::blocks;
    rules.require(fixpipe.layout != FixpipeLayout::NZ ||
                      fixpipe.dst_stride_unit == platform.nz_dst_stride,
                  "dst_stride_unit", blocks ? "32B" : "element",
                  std::string("must be ") + (blocks ? "element" : "32B") +
                      " with layout NZ on this platform");
    if (fixpipe.layout == FixpipeLayout::NZ || fixpipe.nd_num <= 1) return;
    const bool fractals = fixpipe.src_nd_stride_unit == NdStrideUnit::fractals;
    rules.require(fixpipe.src_nd_stride_unit == platform.src_nd_stride, "src_nd_stride_unit",
                  fractals ? "1024B" : "64B",
                  std::string("must be ") + (fractals ? "64B" : "1024B") + " on this platform");
}

void check_dn(const Fixpipe& fixpipe, Rules& rules) {
    rules.range("src_nz_c0_stride", fixpipe.src_nz_c0_stride, 1, kMaxU16);
    rules.require(fixpipe.src_nz_c0_stride == 1 || fixpipe.unit_flag == UnitFlagMode::off,
                  "src_nz_c0_stride", text(fixpipe.src_nz_c0_stride),
                  "must be 1 with the unit flag");
    rules.require(bits_of(fixpipe.dst_type) >= 8, "layout", "NZ2DN",
                  "does not go with int4, two of which share a byte");
}

void check_dual(const Fixpipe& fixpipe, Rules& rules) {
    const std::string_view dual = to_string(fixpipe.dual_dst);
    rules.require(fixpipe.layout != FixpipeLayout::NZ2DN, "dual_dst", dual,
                  "does not go with layout NZ2DN");
    const bool copies =
        fixpipe.quant_pre == QuantPreMode::none && fixpipe.quant_post == QuantPostMode::none;
    rules.require(copies, "dual_dst", dual, "does not go with a quantisation");
    rules.require(fixpipe.relu_pre == ReluMode::none, "dual_dst", dual, "does not go with a ReLU");
    rules.require(!fixpipe.channel_split, "dual_dst", dual, "does not go with the channel split");
    rules.require(!fixpipe.c0_pad && !fixpipe.broadcast, "dual_dst", dual,
                  "does not go with padding or broadcast");
    if (fixpipe.dual_dst == DualDst::split_m) {
        rules.require(fixpipe.m_size % 2 == 0, "m_size", text(fixpipe.m_size),
                      "must be even to be split");
        rules.require(fixpipe.unit_flag == UnitFlagMode::off ||
                          fixpipe.m_size % (2 * kFractalRows) == 0,
                      "m_size", text(fixpipe.m_size),
                      "must be a multiple of 32 to be split with the unit flag");
    } else {
        rules.require(fixpipe.n_size % (2 * kFractalRows) == 0, "n_size", text(fixpipe.n_size),
                      "must be a multiple of 32 to be split");
    }
}

void check_ub(const Fixpipe& fixpipe, Rules& rules) {
    rules.aligned("dst_addr", Buffer::UB, fixpipe.dst_addr, kBlockBytes);
    rules.range("sub_block", fixpipe.sub_block, 0, kSubBlocks - 1);
    const auto whole_blocks = [&](std::string_view field, std::int64_t elements) {
        rules.require(elements * bits_of(fixpipe.dst_type) % (kBlockBytes * 8) == 0, field,
                      text(elements),
                      "a line of " + std::string(to_string(fixpipe.layout)) +
                          " in UB must be a multiple of 32 bytes");
    };
    const bool half_n = fixpipe.dual_dst == DualDst::split_n;
    if (fixpipe.layout == FixpipeLayout::NZ2ND)
        whole_blocks("n_size", half_n ? fixpipe.n_size / 2 : fixpipe.n_size);
    if (fixpipe.layout == FixpipeLayout::NZ2DN) whole_blocks("m_size", fixpipe.m_size);
}

} // namespace

void check_fixpipe_3510(const Fixpipe& fixpipe, Rules& rules) {
    check_units(fixpipe, rules);
    if (rules.arch() != 3510) {
        const std::string rule = "only arch 3510 has this";
        rules.require(fixpipe.layout != FixpipeLayout::NZ2DN, "layout", "NZ2DN", rule);
        rules.require(!fixpipe.c0_pad, "c0_pad", "true", rule);
        rules.require(!fixpipe.broadcast, "broadcast", "true", rule);
    }
    if (fixpipe.layout == FixpipeLayout::NZ2DN) check_dn(fixpipe, rules);
    rules.require(!fixpipe.c0_pad || fixpipe.layout == FixpipeLayout::NZ, "c0_pad", "true",
                  "goes with layout NZ only");
    rules.require(!fixpipe.broadcast || fixpipe.unit_flag == UnitFlagMode::off, "broadcast", "true",
                  "does not go with the unit flag");
    if (fixpipe.dst == Buffer::UB) {
        if (fixpipe.dual_dst != DualDst::none) check_dual(fixpipe, rules);
        check_ub(fixpipe, rules);
    } else {
        rules.require(fixpipe.dual_dst == DualDst::none, "dual_dst", to_string(fixpipe.dual_dst),
                      "goes with dst UB only");
        rules.require(fixpipe.sub_block == 0, "sub_block", text(fixpipe.sub_block),
                      "goes with dst UB only");
    }
}

} // namespace aicore::legality
