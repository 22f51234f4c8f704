// Instruction records: what a program hands to the scalar unit, one struct per instruction.
//
// Field names and units follow the vendor's parameter structs (Mmad, LoadData2D, Nd2Nz, Fixpipe
// ...). Addresses are byte addresses inside the named buffer; GM addresses are absolute. A record
// says what to do, never how long it takes.
#pragma once

#include "hw/isa/asc_copy_l0c2ub.h"
#include "hw/isa/ctrl_state.h"
#include "hw/isa/fixpipe_readings.h"
#include "hw/isa/types.h"
#include "hw/isa/vector_instruction.h"
#include "hw/numerics/quant_mode.h"
#include "tlm/atomic_access.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// DataCopy of blocks: into the core (PIPE_MTE2), GM -> L1 or UB; out of it (PIPE_MTE3), L1 or UB
/// -> GM.
struct DataCopy {
    Buffer src = Buffer::GM;
    Buffer dst = Buffer::L1;
    std::uint64_t src_addr = 0;
    std::uint64_t dst_addr = 0;
    std::int64_t block_count = 1; ///< 0..4095
    std::int64_t block_len = 0;   ///< [32 B], 0..65535
    std::int64_t src_gap = 0;     ///< end to start [32 B], 0..65535
    std::int64_t dst_gap = 0;     ///< end to start [32 B], 0..65535
    AtomicAccess atomic{};        ///< of a write to GM, stamped at dispatch
};

/// DataCopyPad (vector cores): blocks of any number of bytes, GM -> UB (PIPE_MTE2) or UB -> GM
/// (PIPE_MTE3). In UB each block starts at a multiple of 32 bytes. Into UB, a block gets
/// `left_padding` and `right_padding` elements of `padding_value` when is_pad is set; else it is
/// filled up to 32 bytes with its first element.
struct DataCopyPad {
    Buffer src = Buffer::GM;
    Buffer dst = Buffer::UB;
    std::uint64_t src_addr = 0;
    std::uint64_t dst_addr = 0;
    std::int64_t block_count = 1; ///< 0..4095
    std::int64_t block_len = 0;   ///< [B], 0..2097151
    std::int64_t src_gap = 0;     ///< end to start; GM side [B], UB side [32 B]
    std::int64_t dst_gap = 0;     ///< end to start; GM side [B], UB side [32 B]
    int elem_bytes = 2;           ///< 1, 2, 4 or 8
    bool is_pad = false;
    std::int64_t left_padding = 0;   ///< [elements], 32 B at most
    std::int64_t right_padding = 0;  ///< [elements], 32 B at most
    std::uint64_t padding_value = 0; ///< bits of an element
    AtomicAccess atomic{};           ///< of a write to GM, stamped at dispatch
};

/// Whether the source fractals of a load follow one another upwards or downwards.
enum class AddrMode : std::uint8_t { inc, dec };

/// LoadData2D: 512 B fractals from L1 to L0A or L0B (PIPE_MTE1), optionally transposed (16 bit), or
/// from GM to L1, L0A or L0B (PIPE_MTE2).
struct Load2d {
    Buffer dst = Buffer::L0A;
    std::uint64_t src_addr = 0; ///< L1: 32 B aligned; GM: byte aligned
    std::uint32_t dst_addr = 0; ///< L0A, L0B: 512 B aligned; L1: 32 B aligned
    int elem_bytes = 2;
    std::int64_t start_index = 0; ///< source start [512 B], 0..65535
    std::int64_t repeat = 0;      ///< fractals, 0..255; 0 = no operation
    std::int64_t src_stride = 1;  ///< between source fractals [512 B], 0..65535
    std::int64_t dst_gap = 0;     ///< end to start [512 B], 0..65535; arch 3510: 0
    bool transpose = false;       ///< swap rows and columns of each 16 x 16 fractal
    Buffer src = Buffer::L1;
    AddrMode addr_mode = AddrMode::inc;
};

/// DataCopy L1 -> BiasTable (PIPE_MTE1). Entries of the table are words.
struct L1ToBt {
    std::uint32_t src_addr = 0;   ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;   ///< BT, 64 B aligned
    std::int64_t block_count = 1; ///< 0..4095
    std::int64_t block_len = 0;   ///< [64 B], 0..65535
    std::int64_t src_gap = 0;     ///< end to start [32 B]
    std::int64_t dst_gap = 0;     ///< end to start [64 B]
    /// float16 (arch 3510: also bfloat16) becomes float32 on the way, so that a block takes twice
    /// its length in the table; float32 and int32 are copied.
    DataType src_type = DataType::float32;
};

/// Tables of the Fixpipe buffer in the order of their slices, 0 .. 3.
enum class FbTable : std::uint8_t { quant_pre, relu_pre, quant_post, relu_post, by_address };

/// DataCopy L1 -> Fixpipe buffer (PIPE_FIX). Bits [31:16] of the destination select a slice of the
/// buffer (pre stage: 0 quantisation table, 1 ReLU table; post stage: 2 and 3 [inferred]), bits
/// [15:0] a byte in it.
struct L1ToFb {
    std::uint32_t src_addr = 0;   ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;   ///< FB, 128 B aligned
    std::int64_t bytes = 0;       ///< of a block, multiple of 128 (arch 3510: 64)
    std::int64_t block_count = 1; ///< 0..4095
    std::int64_t src_stride = 0; ///< start to start of blocks [32 B], 0..65535; 0 repeats the block
    std::int64_t dst_stride = 0; ///< start to start of blocks [128 B], 0..65535
    FbTable table = FbTable::by_address; ///< confirms the slice, or leaves it to the address
};

/// Value of the unit-flag field of Mmad and Fixpipe (0b00, 0b10, 0b11).
enum class UnitFlagMode : std::uint8_t { off = 0, keep = 2, toggle = 3 };

/// Where an Mmad takes its accumulator from.
enum class MmadInit : std::uint8_t { zero, l0c, bias };

/// Mmad (PIPE_M): C[m,n] = init + A[m,k] x B[k,n].
struct Mmad {
    std::uint32_t a_addr = 0;             ///< L0A, 512 B aligned
    std::uint32_t b_addr = 0;             ///< L0B, 512 B aligned
    std::uint32_t c_addr = 0;             ///< L0C, 1024 B aligned
    DataType ab_type = DataType::float16; ///< of A, and of B if it has none of its own
    std::int64_t m = 0, n = 0, k = 0;     ///< valid elements, 0..4095; any 0 = no operation
    MmadInit init = MmadInit::zero;
    std::uint32_t bias_addr = 0; ///< BT, 64 B aligned, when init is bias
    UnitFlagMode unit_flag = UnitFlagMode::off;
    bool k_direction_align = false;   ///< float32: K fractals of L0A counted in pairs
    std::optional<DataType> b_type{}; ///< of B, when it differs (fp8)
    bool sparse = false;              ///< MmadWithSparse: int8 B 4:2 sparse, k counts elements of A
    bool disable_gemv = false;        ///< arch 3510: m = 1 reads A as a fractal, not as a vector
    CtrlState ctrl{};                 ///< stamped at dispatch
};

/// Layout that FixPipe writes; NZ2DN (arch 3510) is column-major.
enum class FixpipeLayout : std::uint8_t { NZ, NZ2ND, NZ2DN };
std::string_view to_string(FixpipeLayout layout);

/// Arch 3510: whether a result goes to one unified buffer, or half of its rows or columns to each.
enum class DualDst : std::uint8_t { none = 0, split_m = 1, split_n = 2 };
std::string_view to_string(DualDst dual);

/// Fixpipe (PIPE_FIX): L0C -> GM, L1 or (arch 3510) UB.
///
/// The stages, in the order in which an element meets them: pre stage (quantisation or cast, ReLU,
/// clip), post stage (the same on the 16-bit results of the pre stage), layout. What silicon keeps
/// in registers of the FIX pipe (RELU_ALPHA, CLIP_RELU, QUANT_POST, table addresses) are fields
/// here: the values at the dispatch of the instruction.
struct Fixpipe {
    Buffer dst = Buffer::GM;
    std::uint32_t src_addr = 0; ///< L0C, 64 B aligned
    std::uint64_t dst_addr = 0;
    DataType src_type = DataType::float32; ///< float32 or int32
    DataType dst_type = DataType::float32;
    FixpipeLayout layout = FixpipeLayout::NZ;
    std::int64_t n_size = 0, m_size = 0; ///< valid elements; 0 = no operation
    std::int64_t src_stride = 0;         ///< rows of an L0C column panel [64 B], 0..65535
    /// Nonzero. NZ: panel pitch [dst_stride_unit]; NZ2ND, NZ2DN: row, column pitch [elements].
    std::int64_t dst_stride = 0;
    std::int64_t nd_num = 1;        ///< NZ2ND, NZ2DN: matrices, 1..65535
    std::int64_t src_nd_stride = 0; ///< [1024 B], 0..512; arch 3510: [64 B], 0..65535
    std::int64_t dst_nd_stride = 0; ///< [elements], 0..65535; arch 3510: 0..2^32-1
    bool channel_split = false;     ///< float32, NZ: panels of 16 columns leave as two of 8
    UnitFlagMode unit_flag = UnitFlagMode::off;

    // Pre stage. Tables have an entry for each column, from their address in their slice of the
    // Fixpipe buffer on.
    QuantPreMode quant_pre = QuantPreMode::none;
    std::uint64_t quant_scalar = 0;     ///< parameter of the scalar modes, see QuantParameter
    std::uint32_t quant_table_addr = 0; ///< vector modes: slice 0, entries of 8 B, 128 B aligned
    ReluMode relu_pre = ReluMode::none;
    std::uint32_t relu_pre_alpha = 0;      ///< leaky: slope in bits 31:13
    std::uint32_t relu_pre_table_addr = 0; ///< prelu: slice 1, entries of 4 B, 64 B aligned
    bool clip_relu_pre = false;            ///< no result exceeds clip_max
    std::uint16_t clip_max = 0;            ///< of both stages: a float16, positive and finite

    // Post stage (arch 3510).
    QuantPostMode quant_post = QuantPostMode::none;
    std::uint64_t quant_post_scalar = 0;     ///< see PostParameter
    std::uint32_t quant_post_table_addr = 0; ///< vector modes: slice 2 [inferred], as above
    ReluMode relu_post = ReluMode::none;
    std::uint32_t relu_post_alpha = 0;
    std::uint32_t relu_post_table_addr = 0; ///< prelu: slice 3 [inferred], as above
    bool clip_relu_post = false;

    // Arch 3510: units of its own, and what arch 2201 does not have.
    PanelStrideUnit dst_stride_unit = PanelStrideUnit::blocks; ///< arch 3510: elements
    NdStrideUnit src_nd_stride_unit = NdStrideUnit::fractals;  ///< arch 3510: rows
    std::int64_t src_nz_c0_stride = 1; ///< NZ2DN: from row to row of L0C [64 B], 1..65535
    int sub_block = 0;                 ///< dst UB: the vector core, 0 or 1, that owns it
    DualDst dual_dst = DualDst::none;  ///< dst UB: both, at the same address
    bool c0_pad = false;    ///< NZ: columns up to the full width of the last panel are written
    bool broadcast = false; ///< every row of the output is row 0

    CtrlState ctrl{};      ///< stamped at dispatch
    AtomicAccess atomic{}; ///< of a write to GM, stamped at dispatch
};

/// SetFixPipeConfig with the unit-flag bit (PIPE_FIX): every L0C unit flag back to 0.
struct ClearUnitFlags {};

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

/// CrossCoreSetFlag<mode, pipe>(id): queued on `pipe`, tells other cores when its earlier
/// instructions are complete. hw/sync/cross_core_flags.h has the modes.
struct CrossCoreSetFlag {
    Pipe pipe = Pipe::MTE3;
    int mode = 2; ///< 0, 1 or 2
    int id = 0;   ///< the low 4 bits count
};

/// CrossCoreWaitFlag(id): nothing that follows is dispatched to any pipe before the counter of the
/// core is above 0; takes one from it.
struct CrossCoreWaitFlag {
    int id = 0; ///< the low 4 bits count
};

/// SetAtomicAdd, SetAtomicMax, SetAtomicMin<T> and DisableDmaAtomic (scalar): what is dispatched
/// from then on writes to GM that way. `none`, the state after reset [inferred], replaces.
struct SetAtomic {
    AtomicOperation operation = AtomicOperation::none;
    AtomicElement element = AtomicElement::float32;
};

/// SyncAll<isAIVOnly>() (scalar), the hardware form: nothing that follows is dispatched before all
/// vector cores of the grid, or all of its cores, have completed what is before it. Made of flags
/// between cores with the ids 11 to 14; see hw/scalar/sync_all_steps.h.
struct SyncAll {
    bool aiv_only = true; ///< false: cube cores as well, on AI Cores with both kinds
};

/// SyncAll(gmWorkspace, ubWorkspace, usedCores) (scalar), the software form for vector cores: each
/// writes its slot in GM and reads those of all others until they have done so too.
struct SoftSyncAll {
    std::uint64_t gm_addr = 0;   ///< a slot of 32 B for each core, 0 at first; 32 B aligned
    std::uint32_t ub_addr = 0;   ///< as many bytes in UB; 32 B aligned
    std::int32_t used_cores = 1; ///< that take part, 1..4095
    std::int32_t block_idx = 0;  ///< slot of this core, 0..used_cores-1
    AtomicAccess atomic{};       ///< stamped at dispatch; must be none
};

/// LoadData2D V2 (PIPE_MTE1, arch 3510): a window of fractals of an Nz matrix in L1. Fractal (mi,
/// ki) of the window goes to fractal ki * dst_stride + mi of the destination. With `transpose` the
/// squares of the window (see LoadTranspose) are swapped: the destination is the Nz form of the
/// transposed window.
struct Load2dV2 {
    Buffer dst = Buffer::L0A;
    std::uint32_t src_addr = 0;  ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;  ///< L0A or L0B, 512 B aligned
    int elem_bits = 16;          ///< 4, 8, 16 or 32
    std::int32_t m_start = 0;    ///< first row of fractals, 0..65535
    std::int32_t k_start = 0;    ///< first column of fractals, 0..65535
    std::int32_t m_step = 0;     ///< rows of fractals, 0..255; 0 = no operation
    std::int32_t k_step = 0;     ///< columns of fractals, 0..255; 0 = no operation
    std::int32_t src_stride = 0; ///< between K neighbours [512 B], -32768..32767
    std::int32_t dst_stride = 0; ///< between K neighbours [512 B], 0..65535
    bool transpose = false;
};

/// LoadDataWithTranspose (PIPE_MTE1): squares made of adjacent fractals are transposed and written
/// as fractals again. 4 bit: 64 x 64, four fractals on top of one another, L0B only; 8 bit: 32 x
/// 32, two on top of one another; 16 bit: 16 x 16, one; 32 bit: 16 x 16, two side by side.
struct LoadTranspose {
    Buffer dst = Buffer::L0A;
    std::uint32_t src_addr = 0;   ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;   ///< L0A or L0B, 512 B aligned
    int elem_bits = 16;           ///< 4, 8, 16 or 32
    std::int32_t start_index = 0; ///< first source square, 0..65535
    std::int32_t repeat = 0;      ///< squares, 0..255; 0 = no operation
    std::int32_t src_stride = 1;  ///< between source squares [squares], 0..65535
    std::int32_t dst_gap = 0;     ///< first fractals of two squares, end to start [512 B], 0..65535
    std::int32_t dst_frac_gap = 0; ///< fractals of one square, end to start [512 B], 0..65535
    AddrMode addr_mode = AddrMode::inc;
};

/// LoadDataWithSparse (PIPE_MTE1, arch 2201): int8 fractals of a 4:2 sparse B to L0B, and for each
/// of them 128 B of indices to the index buffer, at a quarter of the L0B address.
struct LoadSparse {
    std::uint32_t src_addr = 0;   ///< L1, 32 B aligned
    std::uint32_t index_addr = 0; ///< L1, 32 B aligned
    std::uint32_t dst_addr = 0;   ///< L0B, 512 B aligned
    std::int32_t start_index = 0; ///< first fractal, of the data and of the indices, 0..65535
    std::int32_t repeat = 0;      ///< fractals, 0..255; 0 = no operation
};

/// LoadData3DV2 (PIPE_MTE1): a window of the im2col matrix of a feature map. See
/// hw/isa/load3d_walk.h for the matrix and for what lies at its edges.
struct Load3d {
    Buffer dst = Buffer::L0A;
    std::uint32_t src_addr = 0;    ///< L1, 32 B aligned; feature map [C1][H][W][C0]
    std::uint32_t dst_addr = 0;    ///< L0A or L0B, 512 B aligned
    int elem_bits = 16;            ///< 4, 8, 16 or 32
    std::int32_t l1_h = 0;         ///< height of the feature map, 0..32767; 0 = no operation
    std::int32_t l1_w = 0;         ///< width, 0..32767; 0 = no operation
    std::int32_t channel_size = 0; ///< channels, 0..65535; 0 = no operation
    std::int32_t k_extension = 0;  ///< width of the window [elements], 0..65535; 0 = no operation
    std::int32_t m_extension = 0;  ///< height of the window [pixels], 0..65535; 0 = no operation
    std::int32_t k_start = 0;      ///< [elements], 0..65535, multiple of C0
    std::int32_t m_start = 0;      ///< [pixels], 0..32767
    std::int32_t stride_w = 1, stride_h = 1; ///< of the filter, 1..63
    std::int32_t filter_w = 1, filter_h = 1; ///< 0..255; 0 without the flag below = no operation
    bool filter_size_w = false, filter_size_h = false; ///< add 256 to the size of the filter
    std::int32_t dilation_w = 1, dilation_h = 1;       ///< 1..255
    std::int32_t pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0; ///< 0..255
    std::uint32_t pad_value = 0; ///< bits of the element that stands around the feature map
    bool transpose = false;      ///< L0A: the transposed window; L0B takes it transposed always
    /// arch 3510: Nz order, fractals between K neighbours of the destination, 1..65535. arch 2201:
    /// 0, L0A is filled in Zz and L0B in Zn order without gaps.
    std::int32_t dst_stride = 0;
};

using Operation =
    std::variant<Nd2Nz, DataCopy, Load2d, L1ToBt, L1ToFb, Mmad, Fixpipe, ClearUnitFlags, SetCtrl,
                 SetFlag, WaitFlag, PipeBarrier, Load2dV2, LoadTranspose, LoadSparse, Load3d,
                 DataCopyPad, CrossCoreSetFlag, CrossCoreWaitFlag, VectorOp, VectorGather,
                 GatherMask, Sort32, MrgSort, NchwConv, SetVectorMask, SetMaskMode, SetDeqScale,
                 AscCopyL0c2ub, AscCopyL0c2ubSync, SetAtomic, SyncAll, SoftSyncAll>;

/// Where an instruction stands in its program file; line 0: made by a generator.
struct SourcePlace {
    std::int32_t line = 0;
    std::int32_t column = 0;
};

struct Instruction {
    Operation operation;
    SourcePlace place;
};

/// Gives an instruction that depends on CTRL the state it is dispatched with.
void stamp_ctrl(Operation& operation, const CtrlState& ctrl);

std::string_view to_string(AtomicOperation operation);
std::string_view to_string(AtomicElement element);
/// The element type of an atomic write as other operands name it.
DataType data_type_of(AtomicElement element);

/// The queue an instruction goes to. S: the scalar unit executes it itself.
Pipe pipe_of(const Operation& operation);

/// Name of the instruction as programs spell it: "mmad", "load2d", "set_flag" ...
std::string_view mnemonic(const Operation& operation);

/// One line for people: mnemonic and the operands that matter, for reports and the timeline.
std::string disassemble(const Operation& operation);

} // namespace aicore
