// Which parts of the on-chip buffers an instruction reads and writes.
//
// For the checkers of programs; derived from the description of the instructions.
#pragma once

#include "hw/isa/instruction.h"

#include <cstdint>
#include <variant>

namespace aicore::test {

/// Smallest piece of a buffer that the checkers tell apart.
inline std::int64_t granule_bytes(Buffer buffer) { return buffer == Buffer::L1 ? 32 : 512; }

/// Calls visit(buffer, granule, writes) for each granule of L1, L0A, L0B, L0C and BT that Nd2Nz,
/// Load2d, one block of L1ToBt, Mmad or Fixpipe touches. An Mmad that accumulates reports its L0C
/// granules as written only.
template <typename Visit>
void for_each_access(const Operation& operation, Visit visit) {
    const auto range = [&](Buffer buffer, std::int64_t address, std::int64_t bytes, bool writes) {
        const std::int64_t size = granule_bytes(buffer);
        for (std::int64_t granule = address / size; granule * size < address + bytes; ++granule)
            visit(buffer, granule, writes);
    };
    if (const auto* copy = std::get_if<Nd2Nz>(&operation)) {
        const std::int64_t panels = ceil_div(copy->d_value * copy->elem_bytes, 32);
        for (std::int64_t panel = 0; panel < panels; ++panel)
            for (std::int64_t row = 0; row < copy->n_value; ++row)
                range(Buffer::L1,
                      copy->dst_addr +
                          (panel * copy->dst_nz_c0_stride + row * copy->dst_nz_n_stride) * 32,
                      32, true);
    } else if (const auto* load = std::get_if<Load2d>(&operation)) {
        for (std::int64_t i = 0; i < load->repeat; ++i) {
            range(Buffer::L1, load->src_addr + (load->start_index + i * load->src_stride) * 512,
                  512, false);
            range(load->dst, load->dst_addr + i * (load->dst_gap + 1) * 512, 512, true);
        }
    } else if (const auto* mmad = std::get_if<Mmad>(&operation)) {
        const std::int64_t bits = bits_of(mmad->ab_type);
        const std::int64_t m1 = ceil_div(mmad->m, 16), n1 = ceil_div(mmad->n, 16);
        const std::int64_t k1 = ceil_div(mmad->k * bits, 256);
        range(Buffer::L0A, mmad->a_addr, mmad->m == 1 ? ceil_div(mmad->k * bits, 8) : m1 * k1 * 512,
              false);
        range(Buffer::L0B, mmad->b_addr, n1 * k1 * 512, false);
        range(Buffer::L0C, mmad->c_addr, m1 * n1 * 1024, true);
        if (mmad->init == MmadInit::bias) range(Buffer::BT, mmad->bias_addr, n1 * 64, false);
    } else if (const auto* table = std::get_if<L1ToBt>(&operation)) {
        range(Buffer::L1, table->src_addr, table->block_len * 64, false);
        range(Buffer::BT, table->dst_addr, table->block_len * 64, true);
    } else if (const auto* out = std::get_if<Fixpipe>(&operation)) {
        for (std::int64_t panel = 0; panel < ceil_div(out->n_size, 16); ++panel)
            range(Buffer::L0C, out->src_addr + panel * out->src_stride * 64,
                  ceil_div(out->m_size, 16) * 1024, false);
    }
}

} // namespace aicore::test
