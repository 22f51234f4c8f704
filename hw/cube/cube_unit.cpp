#include "hw/cube/cube_unit.h"

#include "hw/isa/fractal_order.h"

#include <algorithm>

namespace aicore {

namespace {

/// Unit flags of one L0C fractal.
constexpr int kFlagsPerFractal = kL0cFractalBytes / kUnitFlagBlockBytes;

std::size_t fractals(const MemoryConfig& memory) {
    return static_cast<std::size_t>(memory.size_bytes.count() / kFractalBytes);
}

} // namespace

CubeUnit::CubeUnit(const sc_core::sc_module_name& name, const Platform& platform,
                   const Links& links, L0cUnitFlags& unit_flags, PayloadPool& pool,
                   ObserverHub& hub, EventFlags& flags)
    : Engine(name, Pipe::M, platform.engines.cube.pipe, hub, flags), l0a_isock("l0a_isock", pool),
      l0b_isock("l0b_isock", pool), index_isock("index_isock", pool), bt_isock("bt_isock", pool),
      l0c_isock("l0c_isock", pool), config_(platform.engines.cube),
      hf32_fraction_bits_(platform.numerics.hf32_fraction_bits),
      hf32_trans_rounding_(platform.numerics.hf32_trans_rounding), links_(links),
      unit_flags_(unit_flags), a_panels_(fractals(platform.memories.l0a)),
      b_panels_(fractals(platform.memories.l0b)) {}

void CubeUnit::start(const Entry& entry) {
    mmad_ = std::get<Mmad>(entry.instruction.operation);
    shape_ = mmad_shape(mmad_);
    number_ = entry.number;
    place_ = entry.instruction.place;
    step_ = 0;
    for (std::size_t i = 0; i < column_enable_.size(); ++i) {
        const auto valid = static_cast<std::size_t>((mmad_.n - 1) % kFractalRows + 1) * 4;
        column_enable_[i] = i < valid ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    if (shape_.m1 == 0 || shape_.n1 == 0 || shape_.k1 == 0) {
        end_stream(clk->now());
        return;
    }
    step();
}

void CubeUnit::resume() {
    if (step_ < shape_.m1 * shape_.n1) return step();
    end_stream(clk->now() + config_.drain_cycles);
}

void CubeUnit::step() {
    const auto [mi, ni] = fractal_at(mmad_.ctrl.mm_direction, shape_.m1, shape_.n1, step_);
    const std::uint32_t c_addr = c_fractal_addr(mmad_, mi, ni);
    if (mmad_.unit_flag != UnitFlagMode::off && !wait_for_unit_flags(c_addr)) return;

    const auto valid = [](std::int64_t size, int index) {
        return static_cast<int>(
            std::min<std::int64_t>(kFractalRows, size - std::int64_t(index) * kFractalRows));
    };
    const int rows = valid(mmad_.m, mi);
    const void* a = read_a(mi, rows);
    const void* b = read_b(ni);
    read_accumulator(c_addr, ni, rows);
    multiply_block(config_, mmad_, a, b, rows, block_.data());

    const Cycles now = clk->now();
    const Cycles next = now + block_cycles(config_, mmad_);
    const Cycles due = next + config_.drain_cycles;
    write_accumulator(c_addr, rows, valid(mmad_.n, ni), due);
    if (mmad_.unit_flag == UnitFlagMode::toggle) {
        unit_flags_.write_at(due, static_cast<int>(c_addr) / kUnitFlagBlockBytes, kFlagsPerFractal,
                             true, number_, place_);
    }
    ++step_;
    wake_at(next);
}

bool CubeUnit::wait_for_unit_flags(std::uint32_t c_addr) {
    const int first = static_cast<int>(c_addr) / kUnitFlagBlockBytes;
    for (int block = first; block < first + kFlagsPerFractal; ++block) {
        if (unit_flags_.holds(block, false)) continue;
        unit_flags_.wake_when(block, false, wake_event());
        set_blocked(WaitReason::unit_flag);
        return false;
    }
    set_blocked(WaitReason::none);
    return true;
}

const void* CubeUnit::read_a(int mi, int rows) {
    const std::uint32_t address = a_fractal_addr(mmad_, config_.l0a_layout, mi, 0);
    PanelBuffer& panel = a_panels_[address / kFractalBytes];
    PanelShape shape{PanelShape::Kind::a, mmad_.ab_type, shape_.k1, hf32_rounding()};
    if (shape_.gemv && rows == 1) {
        shape.kind = PanelShape::Kind::a_vector;
    } else if (config_.l0a_layout == L0aLayout::Nz && shape_.m1 > 1) {
        shape.kind = PanelShape::Kind::a_pieces;
    }
    panel.shape(shape);
    const auto bytes = static_cast<std::int64_t>(shape.pieces() * shape.piece_bytes());
    links_.l0a_to_cube.reserve(clk->now(), Bytes(bytes));
    for (std::size_t i = 0; i < shape.pieces(); ++i) {
        read_piece(l0a_isock, a_fractal_addr(mmad_, config_.l0a_layout, mi, static_cast<int>(i)),
                   panel, i);
    }
    return panel.decoded(hf32_fraction_bits_);
}

const void* CubeUnit::read_b(int ni) {
    PanelBuffer& panel = b_panels_[b_fractal_addr(mmad_, 0, ni) / kFractalBytes];
    panel.shape({mmad_.sparse ? PanelShape::Kind::b_sparse : PanelShape::Kind::b, b_type_of(mmad_),
                 shape_.b_k1, hf32_rounding()});
    links_.l0b_to_cube.reserve(clk->now(), Bytes(std::int64_t(shape_.b_k1) * kFractalBytes));
    for (int ki = 0; ki < shape_.b_k1; ++ki) {
        const std::uint32_t address = b_fractal_addr(mmad_, ki, ni);
        const auto piece = static_cast<std::size_t>(ki);
        read_piece(l0b_isock, address, panel, piece);
        if (mmad_.sparse) read_indices(address, panel, piece);
    }
    return panel.decoded(hf32_fraction_bits_);
}

std::optional<Rounding> CubeUnit::hf32_rounding() const {
    if (!uses_hf32(mmad_)) return std::nullopt;
    return mmad_.ctrl.hf32_trans ? hf32_trans_rounding_ : Rounding::nearest_even;
}

void CubeUnit::read_indices(std::uint32_t b_address, PanelBuffer& panel, std::size_t piece) {
    Access access = Access::read(b_address / (kFractalBytes / kSparseIndexBytes),
                                 panel.indices(piece), kSparseIndexBytes);
    access.version = panel.index_version(piece);
    index_isock.start(access);
    panel.set_index_version(piece, access.version);
}

void CubeUnit::read_piece(InitiatorPort<4096>& port, std::uint32_t address, PanelBuffer& panel,
                          std::size_t piece) {
    Access access = Access::read(address, panel.piece(piece), panel.piece_bytes());
    access.version = panel.version(piece);
    port.start(access);
    panel.set_version(piece, access.version);
}

void CubeUnit::read_accumulator(std::uint32_t c_addr, int ni, int rows) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(block_.data());
    switch (mmad_.init) {
    case MmadInit::zero: block_.fill(0); break;
    case MmadInit::l0c:
        links_.l0c_to_cube.reserve(clk->now(), Bytes(rows * kL0cRowBytes));
        l0c_isock.start(Access::read(c_addr, bytes, static_cast<std::size_t>(rows) * kL0cRowBytes));
        break;
    case MmadInit::bias: {
        const auto address = mmad_.bias_addr + static_cast<std::uint32_t>(ni * kL0cRowBytes);
        const auto columns =
            std::min<std::int64_t>(kFractalRows, mmad_.n - std::int64_t(ni) * kFractalRows);
        links_.bt_to_cube.reserve(clk->now(), Bytes(columns * 4));
        bt_isock.start(Access::read(address, bytes, static_cast<std::size_t>(columns) * 4));
        for (int row = 1; row < rows; ++row)
            std::copy_n(block_.begin(), 16, block_.begin() + row * 16);
        break;
    }
    }
}

void CubeUnit::write_accumulator(std::uint32_t c_addr, int rows, int columns, Cycles due) {
    const auto bytes = static_cast<std::size_t>(rows) * kL0cRowBytes;
    Access access = Access::write(c_addr, reinterpret_cast<std::uint8_t*>(block_.data()), bytes);
    if (columns < kFractalRows) {
        access.byte_enable = column_enable_.data();
        access.byte_enable_length = kL0cRowBytes;
    }
    links_.cube_to_l0c.reserve(due, Bytes(static_cast<std::int64_t>(bytes)));
    l0c_isock.start(access, clk->until(due));
}

void CubeUnit::reset() {
    for (Link* link : {&links_.l0a_to_cube, &links_.l0b_to_cube, &links_.bt_to_cube,
                       &links_.l0c_to_cube, &links_.cube_to_l0c})
        link->reset();
    for (auto* panels : {&a_panels_, &b_panels_}) {
        for (PanelBuffer& panel : *panels) panel.clear();
    }
    step_ = 0;
    shape_ = {};
}

} // namespace aicore
