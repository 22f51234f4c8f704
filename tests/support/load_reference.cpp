#include "tests/support/load_reference.h"

#include <stdexcept>

namespace aicore::test {

namespace {

using Memory = LoadReference::Memory;

/// Elements of `bits` in a memory, counted from `base`; 4-bit ones from the low half of a byte on.
class Elements {
public:
    Elements(Memory& memory, std::int64_t base, int bits)
        : memory_(memory), base_(base), bits_(bits) {}

    std::uint32_t get(std::int64_t index) const {
        const std::int64_t bit = index * bits_;
        if (bits_ == 4) return (byte(bit / 8) >> (bit % 8)) & 15u;
        std::uint32_t value = 0;
        for (int i = 0; i < bits_ / 8; ++i) value |= std::uint32_t{byte(bit / 8 + i)} << (8 * i);
        return value;
    }
    void put(std::int64_t index, std::uint32_t value) {
        const std::int64_t bit = index * bits_;
        if (bits_ == 4) {
            std::uint8_t& place = byte(bit / 8);
            const int shift = static_cast<int>(bit % 8);
            place = static_cast<std::uint8_t>((place & ~(15 << shift)) |
                                              (static_cast<int>(value & 15u) << shift));
            return;
        }
        for (int i = 0; i < bits_ / 8; ++i) {
            byte(bit / 8 + i) = static_cast<std::uint8_t>(value >> (8 * i));
        }
    }

private:
    std::uint8_t& byte(std::int64_t offset) const {
        return memory_.at(static_cast<std::size_t>(base_ + offset));
    }

    Memory& memory_;
    std::int64_t base_;
    int bits_;
};

void copy_bytes(const Memory& from, std::int64_t src, Memory& to, std::int64_t dst,
                std::int64_t bytes) {
    for (std::int64_t i = 0; i < bytes; ++i) {
        to.at(static_cast<std::size_t>(dst + i)) = from.at(static_cast<std::size_t>(src + i));
    }
}

/// Element (r, c) inside a fractal of 16 rows of c0.
std::int64_t in_fractal(std::int64_t r, std::int64_t c, int c0) { return r % 16 * c0 + c % c0; }

std::int64_t up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

std::uint32_t widened(DataType type, std::uint32_t bits) {
    if (type == DataType::bfloat16) return bits << 16;
    const std::uint32_t sign = bits >> 15 << 31;
    std::uint32_t exponent = bits >> 10 & 31u;
    std::uint32_t mantissa = bits & 1023u;
    if (exponent == 31) return sign | 255u << 23 | mantissa << 13;
    if (exponent == 0) {
        if (mantissa == 0) return sign;
        exponent = 1;
        while (mantissa < 1024) {
            mantissa *= 2;
            --exponent;
        }
        mantissa -= 1024;
    }
    return sign | (exponent + 112) << 23 | mantissa << 13;
}

/// Element [m, k] of the im2col matrix, 0 outside of it.
std::uint32_t im2col(const Load3d& op, Memory& l1, std::int64_t m, std::int64_t k) {
    const int c0 = 256 / op.elem_bits;
    const std::int64_t kh = op.filter_h + (op.filter_size_h ? 256 : 0);
    const std::int64_t kw = op.filter_w + (op.filter_size_w ? 256 : 0);
    const std::int64_t ho =
        (op.l1_h + op.pad_top + op.pad_bottom - op.dilation_h * (kh - 1) - 1) / op.stride_h + 1;
    const std::int64_t wo =
        (op.l1_w + op.pad_left + op.pad_right - op.dilation_w * (kw - 1) - 1) / op.stride_w + 1;
    if (m >= ho * wo || k >= op.channel_size * kh * kw) return 0;

    const std::int64_t whole = op.channel_size / c0; // planes of c0 channels
    const std::int64_t rest = op.channel_size % c0;
    std::int64_t plane = k / (kh * kw * c0);
    std::int64_t channels = c0; // of this plane
    std::int64_t in_plane = k % (kh * kw * c0);
    if (plane >= whole) {
        in_plane = k - whole * kh * kw * c0;
        plane = whole;
        channels = rest;
    }
    const std::int64_t channel = in_plane % channels;
    const std::int64_t place = in_plane / channels;
    const std::int64_t h = m / wo * op.stride_h - op.pad_top + place / kw * op.dilation_h;
    const std::int64_t w = m % wo * op.stride_w - op.pad_left + place % kw * op.dilation_w;
    if (h < 0 || h >= op.l1_h || w < 0 || w >= op.l1_w) return op.pad_value;
    const std::int64_t pixels = std::int64_t{op.l1_h} * op.l1_w;
    return Elements(l1, op.src_addr, op.elem_bits)
        .get(plane * pixels * c0 + (h * op.l1_w + w) * channels + channel);
}

} // namespace

struct LoadReference::Visitor {
    LoadReference& reference;

    void operator()(const Nd2Nz& op) const { reference.run(op); }
    void operator()(const DataCopy& op) const { reference.run(op); }
    void operator()(const Load2d& op) const { reference.run(op); }
    void operator()(const Load2dV2& op) const { reference.run(op); }
    void operator()(const LoadTranspose& op) const { reference.run(op); }
    void operator()(const LoadSparse& op) const { reference.run(op); }
    void operator()(const Load3d& op) const { reference.run(op); }
    void operator()(const L1ToBt& op) const { reference.run(op); }
    void operator()(const L1ToFb& op) const { reference.run(op); }
    template <typename Other>
    void operator()(const Other&) const {
        throw std::invalid_argument("not a load");
    }
};

void LoadReference::execute(const Operation& operation) { std::visit(Visitor{*this}, operation); }

LoadReference::Memory& LoadReference::memory(Buffer buffer) {
    switch (buffer) {
    case Buffer::GM: return gm;
    case Buffer::L1: return l1;
    case Buffer::L0A: return l0a;
    case Buffer::L0B: return l0b;
    default: throw std::invalid_argument("buffer of a load");
    }
}

void LoadReference::run(const Nd2Nz& op) {
    const int bits = op.elem_bytes * 8;
    const std::int64_t c0 = 32 / op.elem_bytes;
    Elements from(gm, static_cast<std::int64_t>(op.src_addr), bits);
    for (std::int64_t i = 0; i < op.nd_num; ++i) {
        for (std::int64_t n = 0; n < op.n_value; ++n) {
            for (std::int64_t d = 0; d < up(op.d_value, c0); ++d) {
                const std::int64_t to = i * op.dst_nz_matrix_stride * op.elem_bytes +
                                        d / c0 * op.dst_nz_c0_stride * 32 +
                                        n * op.dst_nz_n_stride * 32;
                const std::uint32_t value =
                    d < op.d_value ? from.get(i * op.src_nd_matrix_stride + n * op.src_d_value + d)
                                   : 0;
                Elements(l1, op.dst_addr + to, bits).put(d % c0, value);
            }
        }
    }
}

void LoadReference::run(const DataCopy& op) {
    for (std::int64_t i = 0; i < op.block_count; ++i) {
        copy_bytes(memory(op.src),
                   static_cast<std::int64_t>(op.src_addr) + i * (op.block_len + op.src_gap) * 32,
                   memory(op.dst),
                   static_cast<std::int64_t>(op.dst_addr) + i * (op.block_len + op.dst_gap) * 32,
                   op.block_len * 32);
    }
}

void LoadReference::run(const Load2d& op) {
    const int bits = op.elem_bytes * 8;
    const std::int64_t elements = 512 / op.elem_bytes;
    for (std::int64_t i = 0; i < op.repeat; ++i) {
        const std::int64_t step = op.addr_mode == AddrMode::inc ? op.src_stride : -op.src_stride;
        Elements from(memory(op.src),
                      static_cast<std::int64_t>(op.src_addr) + (op.start_index + i * step) * 512,
                      bits);
        Elements to(memory(op.dst), op.dst_addr + i * (op.dst_gap + 1) * 512, bits);
        for (std::int64_t e = 0; e < elements; ++e) {
            to.put(e, from.get(op.transpose ? e % 16 * 16 + e / 16 : e));
        }
    }
}

void LoadReference::run(const Load2dV2& op) {
    const int c0 = 256 / op.elem_bits;
    const std::int64_t stride = op.src_stride;
    const std::int64_t start = op.k_start * (stride < 0 ? -stride : stride) + op.m_start;
    Elements from(l1, op.src_addr, op.elem_bits);
    Elements to(memory(op.dst), op.dst_addr, op.elem_bits);
    for (std::int64_t k = 0; k < std::int64_t{op.k_step} * c0; ++k) {
        for (std::int64_t m = 0; m < std::int64_t{op.m_step} * 16; ++m) {
            const std::int64_t src =
                (start + k / c0 * stride + m / 16) * 16 * c0 + in_fractal(m, k, c0);
            const std::int64_t row = op.transpose ? k : m, column = op.transpose ? m : k;
            const std::int64_t dst =
                (column / c0 * op.dst_stride + row / 16) * 16 * c0 + in_fractal(row, column, c0);
            to.put(dst, from.get(src));
        }
    }
}

void LoadReference::run(const LoadTranspose& op) {
    const int side = op.elem_bits == 4 ? 64 : op.elem_bits == 8 ? 32 : 16;
    // Element (r, c) of a square: which fractal, which element in it.
    const auto fractal_of = [&](int r, int c) { return op.elem_bits == 32 ? c / 8 : r / 16; };
    const int c0 = 256 / op.elem_bits;
    for (std::int64_t i = 0; i < op.repeat; ++i) {
        const std::int64_t step = op.addr_mode == AddrMode::inc ? op.src_stride : -op.src_stride;
        Elements from(l1, op.src_addr, op.elem_bits);
        Elements to(memory(op.dst), op.dst_addr, op.elem_bits);
        for (int r = 0; r < side; ++r) {
            for (int c = 0; c < side; ++c) {
                const std::int64_t src = (op.start_index + i * step) * side * side +
                                         fractal_of(r, c) * 16 * c0 + in_fractal(r, c, c0);
                const std::int64_t place =
                    i * (op.dst_gap + 1) +
                    static_cast<std::int64_t>(fractal_of(c, r)) * (op.dst_frac_gap + 1);
                to.put(place * 16 * c0 + in_fractal(c, r, c0), from.get(src));
            }
        }
    }
}

void LoadReference::run(const LoadSparse& op) {
    for (std::int64_t i = 0; i < op.repeat; ++i) {
        copy_bytes(l1, op.src_addr + (op.start_index + i) * 512, l0b, op.dst_addr + i * 512, 512);
        copy_bytes(l1, op.index_addr + (op.start_index + i) * 128, l0b_index,
                   op.dst_addr / 4 + i * 128, 128);
    }
}

void LoadReference::run(const Load3d& op) {
    const int c0 = 256 / op.elem_bits;
    const bool is_nop = op.l1_h == 0 || op.l1_w == 0 || op.channel_size == 0 ||
                        op.k_extension == 0 || op.m_extension == 0 ||
                        (op.filter_h == 0 && !op.filter_size_h) ||
                        (op.filter_w == 0 && !op.filter_size_w);
    if (is_nop) return;
    const bool transposed = op.transpose || op.dst == Buffer::L0B;
    const std::int64_t ks = up(op.k_extension, c0);
    const std::int64_t ms = up(op.m_extension, transposed && op.elem_bits == 8 ? 32 : 16);
    const std::int64_t rows = (transposed ? up(ks, 16) : ms) / 16; // fractals of the destination
    const std::int64_t columns = (transposed ? ms : ks) / c0;
    Elements to(memory(op.dst), op.dst_addr, op.elem_bits);
    for (std::int64_t m = 0; m < ms; ++m) {
        for (std::int64_t k = 0; k < ks; ++k) {
            const std::uint32_t value =
                m < op.m_extension ? im2col(op, l1, op.m_start + m, op.k_start + k) : 0;
            const std::int64_t row = transposed ? k : m, column = transposed ? m : k;
            std::int64_t fractal = column / c0 * rows + row / 16; // Nz, Zn
            if (op.dst_stride != 0) {
                fractal = column / c0 * op.dst_stride + row / 16;
            } else if (op.dst == Buffer::L0A) {
                fractal = row / 16 * columns + column / c0; // Zz
            }
            to.put(fractal * 16 * c0 + in_fractal(row, column, c0), value);
        }
    }
}

void LoadReference::run(const L1ToBt& op) {
    const bool converts = op.src_type == DataType::float16 || op.src_type == DataType::bfloat16;
    const std::int64_t growth = converts ? 2 : 1;
    for (std::int64_t i = 0; i < op.block_count; ++i) {
        const std::int64_t from = op.src_addr + i * (op.block_len * 64 + op.src_gap * 32);
        const std::int64_t to = op.dst_addr + i * (op.block_len * 64 * growth + op.dst_gap * 64);
        if (!converts) {
            copy_bytes(l1, from, bt, to, op.block_len * 64);
            continue;
        }
        for (std::int64_t e = 0; e < op.block_len * 32; ++e) {
            Elements(bt, to, 32).put(e, widened(op.src_type, Elements(l1, from, 16).get(e)));
        }
    }
}

void LoadReference::run(const L1ToFb& op) {
    for (std::int64_t i = 0; i < op.block_count; ++i) {
        copy_bytes(l1, op.src_addr + i * op.src_stride * 32, fb.at(op.dst_addr >> 16),
                   (op.dst_addr & 0xffff) + i * op.dst_stride * 128, op.bytes);
    }
}

} // namespace aicore::test
