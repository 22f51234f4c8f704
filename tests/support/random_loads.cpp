#include "tests/support/random_loads.h"

namespace aicore::test {

/// Tries until a candidate is legal.
template <typename Make>
Operation RandomLoads::legal(Make make) {
    while (true) {
        const Operation operation = make();
        if (!find_violation(operation, limits_)) return operation;
    }
}

/// std::uniform_int_distribution gives other numbers with other libraries.
std::int64_t RandomLoads::pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
}

std::uint32_t RandomLoads::l1_addr() {
    const std::int64_t units = limits_.l1_bytes / 32;
    return static_cast<std::uint32_t>(pick(0, units - 1) * 32);
}

Operation RandomLoads::from_l1() {
    return legal([this]() -> Operation {
        switch (pick(0, 9)) {
        case 0: return load2d();
        case 1: return load_transpose();
        case 2: return limits_.arch == 2201 ? Operation(load_sparse()) : Operation(load2d_v2());
        case 3: return limits_.arch == 2201 ? Operation(load_transpose()) : Operation(load2d_v2());
        case 4: return l1_to_bt();
        case 5: return l1_to_fb();
        default: return load3d();
        }
    });
}

Operation RandomLoads::gm_move() {
    return legal([this]() -> Operation {
        switch (pick(0, 2)) {
        case 0: return gm_load2d();
        case 1: return nd2nz();
        default: return data_copy();
        }
    });
}

Load2d RandomLoads::load2d() {
    Load2d op;
    op.dst = l0();
    op.elem_bytes = 1 << pick(0, 2);
    op.transpose = op.elem_bytes == 2 && flip();
    op.src_addr = l1_addr();
    op.dst_addr = l0_addr();
    op.start_index = pick(0, 40);
    op.repeat = pick(0, 20);
    op.src_stride = pick(0, 9);
    op.dst_gap = limits_.arch == 2201 ? pick(0, 4) : 0;
    op.addr_mode = addr_mode();
    return op;
}

Load2d RandomLoads::gm_load2d() {
    Load2d op = load2d();
    op.src = Buffer::GM;
    op.transpose = false;
    op.src_addr = static_cast<std::uint64_t>(pick(0, limits_.gm_bytes - 1));
    if (pick(0, 2) == 0) {
        op.dst = Buffer::L1;
        op.dst_addr = l1_addr();
    }
    return op;
}

Load2dV2 RandomLoads::load2d_v2() {
    Load2dV2 op;
    op.dst = l0();
    op.elem_bits = elem_bits();
    op.src_addr = l1_addr();
    op.dst_addr = l0_addr();
    op.m_start = pick32(0, 5);
    op.k_start = pick32(0, 5);
    op.m_step = pick32(0, 8);
    op.k_step = pick32(0, 8);
    op.src_stride = pick32(-12, 12);
    op.transpose = flip();
    // Places that are written twice would have to agree on an order.
    const int rows = op.transpose ? op.k_step * (256 / op.elem_bits) / 16 + 1 : op.m_step;
    op.dst_stride = rows + pick32(0, 4);
    return op;
}

LoadTranspose RandomLoads::load_transpose() {
    LoadTranspose op;
    op.dst = l0();
    op.elem_bits = elem_bits();
    op.src_addr = l1_addr();
    op.dst_addr = l0_addr();
    op.start_index = pick32(0, 20);
    op.repeat = pick32(0, 10);
    op.src_stride = pick32(0, 6);
    // Side by side, or each square behind the one before.
    if (flip()) {
        op.dst_gap = pick32(0, 2);
        op.dst_frac_gap = op.repeat * (op.dst_gap + 1) + pick32(0, 2);
    } else {
        op.dst_frac_gap = pick32(0, 2);
        op.dst_gap = 4 * (op.dst_frac_gap + 1) + pick32(0, 2);
    }
    op.addr_mode = addr_mode();
    return op;
}

LoadSparse RandomLoads::load_sparse() {
    LoadSparse op;
    op.src_addr = l1_addr();
    op.index_addr = l1_addr();
    op.dst_addr = l0_addr();
    op.start_index = pick32(0, 20);
    op.repeat = pick32(0, 20);
    return op;
}

Load3d RandomLoads::load3d() {
    Load3d op;
    op.dst = l0();
    op.elem_bits = elem_bits();
    op.transpose = flip();
    op.src_addr = static_cast<std::uint32_t>(pick(0, 12000) * 32);
    op.dst_addr = l0_addr();
    const int c0 = 256 / op.elem_bits;
    const std::int32_t rests[] = {0, 0, 0, 4, 8, 16, 32};
    op.l1_h = pick32(1, 9);
    op.l1_w = pick32(1, 24);
    op.channel_size = pick32(0, 3) * c0 + rests[pick(0, 6)];
    op.stride_w = pick32(1, pick(0, 2) == 0 ? 9 : 2);
    op.stride_h = pick32(1, 3);
    op.filter_w = pick32(1, 4);
    op.filter_h = pick32(1, 4);
    op.dilation_w = pick32(1, 3);
    op.dilation_h = pick32(1, 3);
    op.pad_left = pick32(0, 3);
    op.pad_right = pick32(0, 3);
    op.pad_top = pick32(0, 3);
    op.pad_bottom = pick32(0, 3);
    if (pick(0, 9) == 0) { // a filter of more than 256 columns needs room, and so does one of rows
        std::int32_t& filter = flip() ? op.filter_w : op.filter_h;
        (&filter == &op.filter_w ? op.filter_size_w : op.filter_size_h) = true;
        filter = pick32(0, 3);
        (&filter == &op.filter_w ? op.l1_w : op.l1_h) = pick32(1, 40);
        (&filter == &op.filter_w ? op.pad_left : op.pad_top) = pick32(200, 255);
        (&filter == &op.filter_w ? op.pad_right : op.pad_bottom) = pick32(30, 255);
        (&filter == &op.filter_w ? op.dilation_w : op.dilation_h) = 1;
    }
    op.pad_value = static_cast<std::uint32_t>(random_());
    if (op.elem_bits < 32) op.pad_value &= (1u << op.elem_bits) - 1;
    op.m_start = flip() ? 0 : pick32(0, 60);
    op.k_start = flip() ? 0 : pick32(0, 20) * c0;
    op.m_extension = flip() ? pick32(0, 6) * 16 : pick32(1, 100);
    op.k_extension = pick(0, 2) != 0 ? pick32(0, 6) * c0 : pick32(1, 6 * c0);
    const bool transposed = op.transpose || op.dst == Buffer::L0B;
    const int rows = (transposed ? op.k_extension + c0 : op.m_extension) / 16 + 1;
    op.dst_stride = limits_.arch == 2201 ? 0 : rows + pick32(0, 4);
    return op;
}

L1ToBt RandomLoads::l1_to_bt() {
    const DataType types[] = {DataType::float32, DataType::int32, DataType::float16,
                              DataType::bfloat16};
    L1ToBt op;
    op.src_type = types[pick(0, 3)];
    op.src_addr = l1_addr();
    op.dst_addr = static_cast<std::uint32_t>(pick(0, 15) * 64);
    op.block_count = pick(0, 3);
    op.block_len = pick(0, 10);
    op.src_gap = pick(0, 9);
    op.dst_gap = pick(0, 3);
    return op;
}

L1ToFb RandomLoads::l1_to_fb() {
    L1ToFb op;
    op.src_addr = l1_addr();
    op.dst_addr = static_cast<std::uint32_t>(pick(0, 3) << 16 | pick(0, 15) * 128);
    op.bytes = pick(0, 8) * 128;
    op.block_count = pick(0, 3);
    op.src_stride = pick(0, 40);
    op.dst_stride = pick(0, 8);
    return op;
}

Nd2Nz RandomLoads::nd2nz() {
    Nd2Nz op;
    op.elem_bytes = 1 << pick(0, 2);
    op.src_addr = static_cast<std::uint64_t>(pick(0, limits_.gm_bytes - 1));
    op.dst_addr = l1_addr();
    op.nd_num = pick(0, 3);
    op.n_value = pick(0, 40);
    op.d_value = pick(0, 300);
    op.src_d_value = pick(1, 400);
    op.src_nd_matrix_stride = pick(0, 20000);
    op.dst_nz_n_stride = pick(1, 3);
    op.dst_nz_c0_stride = pick(1, 150);
    op.dst_nz_matrix_stride = pick(0, 500) * 32 / op.elem_bytes;
    // Places that are written twice would have to agree on an order.
    if (op.dst_nz_c0_stride < op.n_value * op.dst_nz_n_stride) {
        op.dst_nz_c0_stride = op.n_value * op.dst_nz_n_stride;
    }
    const std::int64_t panels = (op.d_value * op.elem_bytes + 31) / 32;
    if (op.dst_nz_matrix_stride * op.elem_bytes < panels * op.dst_nz_c0_stride * 32) op.nd_num = 1;
    return op;
}

DataCopy RandomLoads::data_copy() {
    DataCopy op;
    if (flip()) std::swap(op.src, op.dst);
    std::uint64_t& gm = op.src == Buffer::GM ? op.src_addr : op.dst_addr;
    std::uint64_t& l1 = op.src == Buffer::GM ? op.dst_addr : op.src_addr;
    gm = static_cast<std::uint64_t>(pick(0, limits_.gm_bytes - 1));
    l1 = l1_addr();
    op.block_count = pick(0, 5);
    op.block_len = pick(0, 70);
    op.src_gap = pick(0, 20);
    op.dst_gap = pick(0, 20);
    return op;
}

} // namespace aicore::test
