// The platform: every number of the modelled hardware, as plain structs.
//
// Field names are the keys of platform.yaml; its comments give the source of each number.
// Modules take these structs by const reference and never see YAML.
#pragma once

#include "hw/isa/ctrl_state.h"
#include "hw/isa/fixpipe_readings.h"
#include "hw/isa/types.h"
#include "hw/numerics/multiply_add.h"
#include "hw/numerics/quant_parameter.h"
#include "hw/numerics/rounding.h"
#include "hw/numerics/summation.h"
#include "tlm/units.h"

#include <string>

namespace aicore {

struct ClockConfig {
    int frequency_mhz = 0;
};

/// An on-chip buffer or the global memory.
struct MemoryConfig {
    Bytes size_bytes;     ///< capacity
    Bytes reserved_bytes; ///< at the top, not for programs (framework use)
    Bytes alignment_bytes;

    Bytes usable() const { return size_bytes - reserved_bytes; }
};

/// L1 and UB: `bank_groups` groups of `banks_per_group` banks, rows of `row_bytes`.
struct BankConfig {
    int bank_groups = 0;
    int banks_per_group = 0;
    Bytes row_bytes;
};

/// L0C: `banks` banks, rows of `row_bytes`.
struct L0cBankConfig {
    int banks = 0;
    Bytes row_bytes;
};

/// Parts of a memory that work side by side.
struct ChannelsConfig {
    int channels = 0;
    BytesPerCycle channel_bytes_per_cycle; ///< of each
    Cycles access_cycles;                  ///< of an access, beyond its data
    Cycles same_line_cycles; ///< beyond that, of one to a line whose access before is under way
    /// Of each. L2: reads past it that HBM has not taken; HBM: lines that writes have replaced.
    int queue_entries = 1;
};

/// What L2 holds when a run begins: the data that the host has put into GM, or nothing.
enum class L2AtReset : std::uint8_t { host_data, nothing };

/// The L2 cache of the chip, in lines of 512 bytes.
struct L2Config {
    L2AtReset at_reset = L2AtReset::host_data;
    Bytes size_bytes;
    int ways = 0;
    Bytes sector_bytes;       ///< a read of whole sectors leaves its line in the cache
    Cycles latency_cycles;    ///< of a read
    Cycles write_miss_cycles; ///< more for a write to a line that the cache does not hold
    ChannelsConfig slices;
};

/// The memory behind L2.
struct HbmConfig {
    Cycles latency_cycles; ///< of a read, beyond that of L2
    ChannelsConfig channels;
};

/// The link to the GM of another chip, the peer, which is as large as the own one and has the same
/// L2 and HBM.
struct HccsConfig {
    BytesPerCycle bytes_per_cycle; ///< each way; 0: there is no link
    Cycles latency_cycles;         ///< each way
    Bytes peer_address;            ///< where the peer's GM begins in the addresses of GM

    bool is_there() const { return bytes_per_cycle.count() > 0; }
};

struct MemoriesConfig {
    L2Config l2;
    HbmConfig hbm;
    HccsConfig hccs;
    MemoryConfig gm, l1, l0a, l0b, l0c, bt;
    MemoryConfig fb, fb1, fb2, fb3; ///< slices of the Fixpipe buffer
    MemoryConfig ub;                ///< unified buffer of one vector core
    BankConfig l1_banks;
    BankConfig ub_banks;
    L0cBankConfig l0c_banks;
    int power_on_byte = 0; ///< content of the on-chip buffers after reset
};

/// A data path. N bytes take latency + ceil(N / bytes_per_cycle) cycles when nothing else is in
/// the way; `elements_per_cycle` (0: no limit) bounds paths that convert; an instruction takes
/// `min_instruction_cycles` at least.
struct LinkConfig {
    BytesPerCycle bytes_per_cycle;
    Cycles latency_cycles;
    std::int64_t elements_per_cycle = 0;
    Cycles min_instruction_cycles;
};

struct LinksConfig {
    LinkConfig gm_to_l1, gm_to_l0, l1_to_gm, l1_to_l0a, l1_to_l0b, l1_to_bt, l1_to_fb, l0a_to_cube,
        l0b_to_cube, bt_to_cube, l0c_to_cube, cube_to_l0c, l0c_to_l1, l0c_to_gm, gm_to_ub, ub_to_gm;
    LinkConfig l0c_to_ub;      ///< to one unified buffer; rate 0: there is no such path
    LinkConfig l0c_to_ub_dual; ///< to those of both vector cores at once; rate 0: no such path

    bool reaches_ub() const { return l0c_to_ub.bytes_per_cycle.count() > 0; }
};

/// What every pipe has: its queue and how instructions follow one another.
struct PipeConfig {
    int queue_depth = 0;           ///< instructions that wait in the queue
    int in_flight = 0;             ///< instructions taken from the queue and not complete
    Cycles instruction_gap_cycles; ///< last beat of an instruction to the first of the next one
};

struct ScalarConfig {
    Cycles dispatch_cycles; ///< from one dispatched instruction to the next
};

struct CubeConfig {
    PipeConfig pipe;
    Cycles startup_cycles; ///< issue to completion of an Mmad, beyond its fractals
    Cycles drain_cycles;   ///< part of startup_cycles after the last fractal: adders and L0C write
    int cycles_per_fractal_float16 = 0;
    int cycles_per_fractal_bfloat16 = 0;
    int cycles_per_fractal_int8 = 0;
    int cycles_per_fractal_int4 = 0;
    int cycles_per_fractal_float32 = 0;
    int cycles_per_fractal_hf32 = 0;
    int cycles_per_fractal_fp8 = 1;      ///< arch 3510
    int cycles_per_fractal_hifloat8 = 1; ///< arch 3510
    Summation summation = Summation::sequential;
    L0aLayout l0a_layout = L0aLayout::Zz;

    /// Cycles of one fractal of A times one of B; `hf32` for float32 rounded to HF32. Throws
    /// std::invalid_argument for a type that A and B never have.
    int cycles_per_fractal(DataType ab_type, bool hf32 = false) const;
};

struct Mte1Config {
    PipeConfig pipe;
    Cycles load3d_latency_cycles;         ///< in place of the link's latency
    Cycles load_transpose_latency_cycles; ///< in place of the link's latency
    Cycles load_sparse_latency_cycles;    ///< in place of the link's latency
    Cycles load3d_l0b_extra_cycles;       ///< of a fractal to L0B over the same to L0A
};

struct Mte2Config {
    PipeConfig pipe;
    int outstanding_bursts = 0; ///< GM reads in flight
    Cycles nd2nz_row_cycles;    ///< a row piece of an nd2nz occupies the path at least this long
};

struct Mte3Config {
    PipeConfig pipe;
    int outstanding_writes = 0; ///< lines that GM has not taken yet
};

struct FixpipeConfig {
    PipeConfig pipe;
    Cycles write_drain_cycles; ///< part of the link latency after the last L0C read
    /// NZ2DN that skips rows of L0C (src_nz_c0_stride above 1) takes so many times as long.
    int nz2dn_stride_slowdown = 1;
    FixpipeReadings layout;
};

struct AivMte2Config {
    PipeConfig pipe;
    int outstanding_bursts = 0; ///< GM reads in flight
};

/// Cycles from one repeat of a vector instruction to the next, without bank conflicts; at least 1.
struct VectorPace {
    CycleHundredths standard; ///< everything that is not named below
    CycleHundredths exp_ln_sqrt_float16, exp_ln_sqrt_float32;
    CycleHundredths div;
    CycleHundredths multiply_add;       ///< vmla, vmadd, vmaddrelu
    CycleHundredths multiply_add_mixed; ///< vmla, float16 into float32
    CycleHundredths cadd_float16, cadd_float32;
    CycleHundredths block_reduce_float16, block_reduce_float32; ///< vcgadd, vcgmax, vcgmin
    CycleHundredths cmax_cmin;                                  ///< but for vcmax of float16
    CycleHundredths cmax_float16;                               ///< vcmax
    CycleHundredths deq;                                        ///< conversions with DEQSCALE
    CycleHundredths compare;                                    ///< vcmpv
    CycleHundredths transpose, nchwconv;
    CycleHundredths gather_16, gather_32, gatherb;
    CycleHundredths gather_mask;
    CycleHundredths sort32, mrgsort;
};

struct VectorConfig {
    PipeConfig pipe;
    VectorPace cycles_per_repeat;
    Cycles startup_cycles;       ///< issue to the first read of UB
    Cycles write_latency_cycles; ///< last cycle of a repeat to the first write of its result
};

struct EnginesConfig {
    ScalarConfig scalar;
    CubeConfig cube;
    Mte1Config mte1;
    Mte2Config mte2;
    Mte3Config mte3;
    FixpipeConfig fixpipe;
    VectorConfig vector;
    AivMte2Config aiv_mte2;
    Mte3Config aiv_mte3;
};

/// Properties of the arithmetic that programs can't see in instruction fields.
struct NumericsConfig {
    CtrlState ctrl;                                        ///< of every core after reset
    int hf32_fraction_bits = 0;                            ///< that HF32 keeps
    Rounding hf32_trans_rounding = Rounding::nearest_away; ///< what CTRL[47] = 1 selects
    QuantSwitches quantisation;                            ///< readings of FixPipe's texts
    MultiplyAdd multiply_add = MultiplyAdd::fused;         ///< of the vector instructions
};

struct SyncConfig {
    int event_ids = 0; ///< per ordered pair of pipes
    Cycles cross_core_latency_cycles;
};

struct ChipConfig {
    int ai_cores = 0;
    int vector_cores_per_ai_core = 0;
};

struct Platform {
    std::string name;
    int arch = 0;
    ChipConfig chip;
    ClockConfig clock;
    MemoriesConfig memories;
    LinksConfig links;
    EnginesConfig engines;
    NumericsConfig numerics;
    SyncConfig sync;
};

} // namespace aicore
