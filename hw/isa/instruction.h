// Instruction records: what a program hands to the scalar unit, one struct per instruction.
//
// Field names and units follow the vendor's parameter structs (Mmad, LoadData2D, Nd2Nz, Fixpipe ...).
// Addresses are byte addresses inside the named buffer; GM addresses are absolute.
// A record says what to do, never how long it takes.
#pragma once

#include "hw/isa/types.h"
#include "hw/numerics/quant_mode.h"

#include <cstdint>
#include <string>
#include <variant>

namespace aicore {

/// DataCopy with Nd2NzParams (PIPE_MTE2): row-major matrices in GM become 32-byte wide column
/// panels in L1. The tail of the last panel is zero-filled; rows past n_value are not written.
struct Nd2Nz {
    std::uint64_t src_addr = 0;            ///< GM, byte aligned
    std::uint32_t dst_addr = 0;            ///< L1, 32 B aligned
    int elem_bytes = 2;                    ///< 1, 2 or 4
    std::int64_t nd_num = 1;               ///< matrices, 0..4095
    std::int64_t n_value = 0;              ///< rows, 0..16384
    std::int64_t d_value = 0;              ///< columns [elements], 0..65535
    std::int64_t src_nd_matrix_stride = 0; ///< [elements], 0..65535
    std::int64_t src_d_value = 0;          ///< row pitch [elements], 1..65535
    std::int64_t dst_nz_c0_stride = 0;     ///< panel pitch [32 B], 1..16384
    std::int64_t dst_nz_n_stride = 1;      ///< row pitch [32 B], 1..16384
    std::int64_t dst_nz_matrix_stride = 0; ///< matrix pitch [elements], 0..16384
};

/// DataCopy of blocks: GM -> L1 (PIPE_MTE2) or L1 -> GM (PIPE_MTE3).
struct DataCopy {
    Buffer src = Buffer::GM;
    Buffer dst = Buffer::L1;
    std::uint64_t src_addr = 0;
    std::uint64_t dst_addr = 0;
    std::int64_t block_count = 1; ///< 0..4095
    std::int64_t block_len = 0;   ///< [32 B], 0..65535
    std::int64_t src_gap = 0;     ///< end to start [32 B], 0..65535
    std::int64_t dst_gap = 0;     ///< end to start [32 B], 0..65535
};

/// LoadData2D (PIPE_MTE1): 512 B fractals from L1 to L0A or L0B, optionally transposed (16 bit).
struct Load2d {
    Buffer dst = Buffer::L0A;
    std::uint32_t src_addr = 0;  ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;  ///< 512 B aligned
    int elem_bytes = 2;
    std::int64_t start_index = 0; ///< source start [512 B], 0..65535
    std::int64_t repeat = 0;      ///< fractals, 0..255; 0 = no operation
    std::int64_t src_stride = 1;  ///< between source fractals [512 B], 0..65535
    std::int64_t dst_gap = 0;     ///< end to start [512 B], 0..65535
    bool transpose = false;       ///< swap rows and columns of each 16 x 16 fractal
};

/// DataCopy L1 -> BiasTable (PIPE_MTE1).
struct L1ToBt {
    std::uint32_t src_addr = 0;   ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;   ///< BT, 64 B aligned
    std::int64_t block_count = 1; ///< 0..4095
    std::int64_t block_len = 0;   ///< [64 B], 0..65535
    std::int64_t src_gap = 0;     ///< [32 B]
    std::int64_t dst_gap = 0;     ///< [64 B]
};

/// DataCopy L1 -> Fixpipe buffer (PIPE_FIX), one contiguous block.
struct L1ToFb {
    std::uint32_t src_addr = 0; ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0; ///< FB, 128 B aligned
    std::int64_t bytes = 0;     ///< multiple of 128
};

/// Value of the unit-flag field of Mmad and Fixpipe (0b00, 0b10, 0b11).
enum class UnitFlagMode : std::uint8_t { off = 0, keep = 2, toggle = 3 };

/// Where an Mmad takes its accumulator from.
enum class MmadInit : std::uint8_t { zero, l0c, bias };

/// Order in which L0C fractals are visited. SetMMRowMajor: N first; SetMMColumnMajor: M first.
enum class Traversal : std::uint8_t { column_major, row_major };

/// Mmad (PIPE_M): C[m,n] = init + A[m,k] x B[k,n].
struct Mmad {
    std::uint32_t a_addr = 0; ///< L0A, 512 B aligned
    std::uint32_t b_addr = 0; ///< L0B, 512 B aligned
    std::uint32_t c_addr = 0; ///< L0C, 1024 B aligned
    DataType ab_type = DataType::float16;
    std::int64_t m = 0, n = 0, k = 0; ///< valid elements, 0..4095; any 0 = no operation
    MmadInit init = MmadInit::zero;
    std::uint32_t bias_addr = 0; ///< BT, 64 B aligned, when init is bias
    UnitFlagMode unit_flag = UnitFlagMode::off;
    bool k_direction_align = false; ///< float32: K fractals of L0A counted in pairs
    Traversal traversal = Traversal::column_major; ///< stamped at dispatch from the CTRL state
};

/// Layout that FixPipe writes.
enum class FixpipeLayout : std::uint8_t { NZ, NZ2ND };

/// Fixpipe (PIPE_FIX): L0C -> GM or L1.
struct Fixpipe {
    Buffer dst = Buffer::GM;
    std::uint32_t src_addr = 0; ///< L0C, 64 B aligned
    std::uint64_t dst_addr = 0;
    DataType src_type = DataType::float32; ///< float32 or int32
    DataType dst_type = DataType::float32;
    FixpipeLayout layout = FixpipeLayout::NZ;
    std::int64_t n_size = 0, m_size = 0; ///< valid elements; 0 = no operation
    std::int64_t src_stride = 0; ///< rows of an L0C column panel [64 B], 0..65535
    std::int64_t dst_stride = 0; ///< NZ: panel pitch [32 B]; NZ2ND: row pitch [elements]; nonzero
    std::int64_t nd_num = 1;        ///< NZ2ND: matrices, 1..65535
    std::int64_t src_nd_stride = 0; ///< NZ2ND: [1024 B], 0..512
    std::int64_t dst_nd_stride = 0; ///< NZ2ND: [elements], 0..65535
    QuantPreMode quant_pre = QuantPreMode::none;
    std::uint64_t quant_scalar = 0;     ///< parameter of the scalar modes, see QuantParameter
    std::uint32_t quant_table_addr = 0; ///< vector modes: FB, 8 B for each column, 128 B aligned
    bool relu = false;                  ///< normal ReLU
    bool channel_split = false;         ///< float32, NZ: panels of 16 columns leave as two of 8
    UnitFlagMode unit_flag = UnitFlagMode::off;
};

/// SetFixPipeConfig with the unit-flag bit (PIPE_FIX): every L0C unit flag back to 0.
struct ClearUnitFlags {};

/// SetMMRowMajor / SetMMColumnMajor: the traversal of the Mmads that follow (scalar, CTRL[51]).
struct SetMmDirection {
    Traversal traversal = Traversal::column_major;
};

/// SetFlag<src_dst>(id): queued on src, executes when its earlier instructions are complete.
struct SetFlag {
    Pipe src = Pipe::S, dst = Pipe::S;
    int id = 0; ///< 0..7
};

/// WaitFlag<src_dst>(id): queued on dst, blocks what follows until the flag is 1, then clears it.
struct WaitFlag {
    Pipe src = Pipe::S, dst = Pipe::S;
    int id = 0; ///< 0..7
};

/// PipeBarrier<pipe>: what follows on the pipe starts after everything before it is complete.
struct PipeBarrier {
    Pipe pipe = Pipe::ALL; ///< ALL: the scalar unit waits for every pipe
};

using Operation = std::variant<Nd2Nz, DataCopy, Load2d, L1ToBt, L1ToFb, Mmad, Fixpipe, ClearUnitFlags,
                               SetMmDirection, SetFlag, WaitFlag, PipeBarrier>;

/// Where an instruction stands in its program file; line 0: made by a generator.
struct SourcePlace {
    std::int32_t line = 0;
    std::int32_t column = 0;
};

struct Instruction {
    Operation operation;
    SourcePlace place;
};

/// The queue an instruction goes to. S: the scalar unit executes it itself.
Pipe pipe_of(const Operation& operation);

/// Name of the instruction as programs spell it: "mmad", "load2d", "set_flag" ...
std::string_view mnemonic(const Operation& operation);

/// One line for people: mnemonic and the operands that matter, for reports and the timeline.
std::string disassemble(const Operation& operation);

} // namespace aicore
