// Short forms of instructions for tests: dense tiles, everything at address 0 unless said.
#pragma once

#include "hw/isa/instruction.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace aicore::test {

/// `fractals` consecutive fractals from L1 to L0A or L0B.
inline Load2d load_fractals(Buffer dst, std::int64_t fractals, std::uint32_t src_addr = 0,
                            std::uint32_t dst_addr = 0) {
    Load2d load;
    load.dst = dst;
    load.src_addr = src_addr;
    load.dst_addr = dst_addr;
    load.repeat = fractals;
    return load;
}

/// `bytes` (a multiple of 32) from GM to L1.
inline DataCopy load_l1(std::int64_t bytes, std::uint64_t gm_addr = 0, std::uint64_t l1_addr = 0) {
    DataCopy copy;
    copy.src_addr = gm_addr;
    copy.dst_addr = l1_addr;
    copy.block_len = bytes / kBlockBytes;
    return copy;
}

/// `bytes` (a multiple of 32) from L1 to GM.
inline DataCopy store_l1(std::int64_t bytes, std::uint64_t l1_addr = 0, std::uint64_t gm_addr = 0) {
    DataCopy copy = load_l1(bytes, l1_addr, gm_addr);
    copy.src = Buffer::L1;
    copy.dst = Buffer::GM;
    return copy;
}

/// `bytes` (a multiple of 32) from GM to UB of a vector core, and back.
inline DataCopy load_ub(std::int64_t bytes, std::uint64_t gm_addr, std::uint64_t ub_addr) {
    DataCopy copy = load_l1(bytes, gm_addr, ub_addr);
    copy.dst = Buffer::UB;
    return copy;
}
inline DataCopy store_ub(std::int64_t bytes, std::uint64_t ub_addr, std::uint64_t gm_addr) {
    DataCopy copy = load_ub(bytes, ub_addr, gm_addr);
    std::swap(copy.src, copy.dst);
    return copy;
}

inline Mmad mmad(std::int64_t m, std::int64_t n, std::int64_t k, MmadInit init = MmadInit::zero,
                 UnitFlagMode unit_flag = UnitFlagMode::off) {
    Mmad mmad;
    mmad.m = m;
    mmad.n = n;
    mmad.k = k;
    mmad.init = init;
    mmad.unit_flag = unit_flag;
    return mmad;
}

/// Order of the fractals of the Mmads that follow.
inline SetCtrl direction(Traversal traversal) {
    SetCtrl ctrl;
    ctrl.mm_direction = traversal;
    return ctrl;
}

/// A float32 tile to GM as rows, without gaps and without conversion.
inline Fixpipe store_rows(std::int64_t m, std::int64_t n, std::uint64_t gm_addr = 0,
                          UnitFlagMode unit_flag = UnitFlagMode::off) {
    Fixpipe fixpipe;
    fixpipe.layout = FixpipeLayout::NZ2ND;
    fixpipe.m_size = m;
    fixpipe.n_size = n;
    fixpipe.src_stride = ceil_div(m, kFractalRows) * kFractalRows;
    fixpipe.dst_stride = n;
    fixpipe.dst_addr = gm_addr;
    fixpipe.unit_flag = unit_flag;
    return fixpipe;
}

inline Fixpipe to_float16(Fixpipe fixpipe) {
    fixpipe.quant_pre = QuantPreMode::F322F16;
    fixpipe.dst_type = DataType::float16;
    return fixpipe;
}

/// A tile as float16 fractals to L1.
inline Fixpipe store_l1_fractals(std::int64_t m, std::int64_t n, std::uint64_t l1_addr = 0) {
    Fixpipe fixpipe = to_float16(store_rows(m, n, l1_addr));
    fixpipe.dst = Buffer::L1;
    fixpipe.layout = FixpipeLayout::NZ;
    fixpipe.dst_stride = m;
    return fixpipe;
}

/// `count` float16 values; `bits` is 0x3c00 for 1, 0x4000 for 2.
inline std::vector<std::uint8_t> float16s(std::size_t count, std::uint16_t bits) {
    std::vector<std::uint8_t> bytes(2 * count);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes.data() + 2 * i, &bits, 2);
    return bytes;
}
inline std::vector<std::uint8_t> float32s(std::size_t count, float value) {
    std::vector<std::uint8_t> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes.data() + 4 * i, &value, 4);
    return bytes;
}

inline constexpr std::uint16_t kHalfOne = 0x3c00;
inline constexpr std::uint16_t kHalfTwo = 0x4000;

} // namespace aicore::test
