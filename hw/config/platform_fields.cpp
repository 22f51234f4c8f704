#include "hw/config/platform_fields.h"

#include "hw/isa/burst_splitter.h"

#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace aicore {

namespace {

// Bounds that keep every product of two numbers of a platform far from the end of 64 bits.
constexpr std::int64_t kMaxGmBytes = std::int64_t{1} << 48;
constexpr std::int64_t kMaxBufferBytes = std::int64_t{1} << 30;
constexpr std::int64_t kFbSliceBytes = 65536; ///< an address has 16 bits for the place in a slice
constexpr std::int64_t kMaxUnitBytes = 65536; ///< alignments and rows
constexpr std::int64_t kMaxRate = 65536;      ///< bytes or elements in a cycle
constexpr std::int64_t kMaxCycles = 1000000;
constexpr std::int64_t kMaxQueue = 4096;
constexpr std::int64_t kMaxL0cBanks = 32; ///< observers see them as bits of a 32-bit mask

struct Range {
    std::int64_t min;
    std::int64_t max;
};

void assign(int& member, std::int64_t value) { member = static_cast<int>(value); }
void assign(std::int64_t& member, std::int64_t value) { member = value; }
template <typename Tag>
void assign(Quantity<Tag>& member, std::int64_t value) {
    member = Quantity<Tag>(value);
}

/// "1.8" for 180, "2" for 200.
std::string hundredths_text(std::int64_t hundredths) {
    std::string text = std::to_string(hundredths / 100);
    if (hundredths % 100 != 0) text += "." + std::to_string(hundredths / 10 % 10);
    if (hundredths % 10 != 0) text += std::to_string(hundredths % 10);
    return text;
}

/// Collects fields; `group` puts a prefix before the keys that its function adds.
class FieldCollector {
public:
    template <typename T>
    void integer(const char* key, T& member, Range range) {
        PlatformField field = begin(key, &member);
        field.read = [&member, range](const YamlNode& node) {
            assign(member, node.as_integer(range.min, range.max));
        };
        field.write = [&member] { return std::to_string(count_of(member)); };
        fields_.push_back(std::move(field));
    }

    /// A decimal with at most two places that is not negative.
    void decimal(const char* key, CycleHundredths& member, Range range) {
        PlatformField field = begin(key, &member);
        field.read = [&member, range](const YamlNode& node) {
            assign(member, node.as_hundredths(range.min, range.max));
        };
        field.write = [&member] { return hundredths_text(member.count()); };
        fields_.push_back(std::move(field));
    }

    /// An integer that may be missing; it keeps the member's initial value.
    template <typename T>
    void optional_integer(const char* key, T& member, Range range) {
        integer(key, member, range);
        fields_.back().is_required = false;
    }

    void text(const char* key, std::string& member) {
        PlatformField field = begin(key, &member);
        field.read = [&member](const YamlNode& node) {
            member = node.as_string();
            if (member.empty()) node.fail("expected a name, found nothing");
        };
        field.write = [&member] { return member; };
        fields_.push_back(std::move(field));
    }

    void boolean(const char* key, bool& member) {
        PlatformField field = begin(key, &member);
        field.read = [&member](const YamlNode& node) { member = node.as_boolean(); };
        field.write = [&member] { return member ? "true" : "false"; };
        fields_.push_back(std::move(field));
    }

    template <typename Enum>
    void choice(const char* key, Enum& member,
                std::initializer_list<std::pair<const char*, Enum>> choices) {
        const std::vector<std::pair<std::string, Enum>> table(choices.begin(), choices.end());
        PlatformField field = begin(key, &member);
        field.read = [&member, table](const YamlNode& node) {
            const std::string found = node.as_string();
            std::string names;
            for (const auto& [name, value] : table) {
                if (name == found) {
                    member = value;
                    return;
                }
                names += (names.empty() ? "" : ", ") + name;
            }
            node.fail("expected one of: " + names + "; found " + found);
        };
        field.write = [&member, table] {
            for (const auto& [name, value] : table) {
                if (value == member) return name;
            }
            throw std::logic_error("a value of an enumeration has no name in the platform file");
        };
        fields_.push_back(std::move(field));
    }

    template <typename AddFields>
    void group(const char* key, AddFields add_fields) {
        const std::string outer = prefix_;
        prefix_ += std::string(key) + ".";
        add_fields(*this);
        prefix_ = outer;
    }

    std::vector<PlatformField> take() { return std::move(fields_); }

private:
    PlatformField begin(const char* key, const void* member) const {
        PlatformField field;
        field.path = prefix_ + key;
        field.member = member;
        return field;
    }

    std::vector<PlatformField> fields_;
    std::string prefix_;
};

void add_memory(FieldCollector& to, const char* key, MemoryConfig& memory, std::int64_t max_bytes) {
    to.group(key, [&](FieldCollector& f) {
        f.integer("size_bytes", memory.size_bytes, {1, max_bytes});
        f.integer("reserved_bytes", memory.reserved_bytes, {0, max_bytes});
        f.integer("alignment_bytes", memory.alignment_bytes, {1, kMaxUnitBytes});
    });
}

void add_banks(FieldCollector& to, const char* key, BankConfig& banks) {
    to.group(key, [&](FieldCollector& f) {
        f.integer("bank_groups", banks.bank_groups, {1, 1024});
        f.integer("banks_per_group", banks.banks_per_group, {1, 1024});
        f.integer("row_bytes", banks.row_bytes, {1, kMaxUnitBytes});
    });
}

/// The fields of channels stand beside those of their memory; `one` is the name of a channel.
void add_channels(FieldCollector& f, const char* all, const std::string& one,
                  ChannelsConfig& channels) {
    f.integer(all, channels.channels, {1, 4096});
    f.integer((one + "_bytes_per_cycle").c_str(), channels.channel_bytes_per_cycle, {1, kMaxRate});
    f.integer((one + "_access_cycles").c_str(), channels.access_cycles, {0, kMaxCycles});
    f.integer((one + "_same_line_cycles").c_str(), channels.same_line_cycles, {0, kMaxCycles});
    f.integer((one + "_queue_entries").c_str(), channels.queue_entries, {1, kMaxQueue});
}

void add_link(FieldCollector& to, const char* key, LinkConfig& link) {
    to.group(key, [&](FieldCollector& f) {
        f.integer("bytes_per_cycle", link.bytes_per_cycle, {1, kMaxRate});
        f.integer("latency_cycles", link.latency_cycles, {0, kMaxCycles});
        f.optional_integer("elements_per_cycle", link.elements_per_cycle, {0, kMaxRate});
        f.optional_integer("min_instruction_cycles", link.min_instruction_cycles, {0, kMaxCycles});
    });
}

/// A data path that not every architecture has; without it the rate stays 0.
void add_optional_link(FieldCollector& to, const char* key, LinkConfig& link) {
    to.group(key, [&](FieldCollector& f) {
        f.optional_integer("bytes_per_cycle", link.bytes_per_cycle, {0, kMaxRate});
        f.optional_integer("latency_cycles", link.latency_cycles, {0, kMaxCycles});
        f.optional_integer("elements_per_cycle", link.elements_per_cycle, {0, kMaxRate});
        f.optional_integer("min_instruction_cycles", link.min_instruction_cycles, {0, kMaxCycles});
    });
}

/// The fields of a pipe stand beside those of its engine, without a group of their own.
void add_pipe(FieldCollector& f, PipeConfig& pipe) {
    f.integer("queue_depth", pipe.queue_depth, {1, kMaxQueue});
    f.integer("in_flight", pipe.in_flight, {1, kMaxQueue});
    f.integer("instruction_gap_cycles", pipe.instruction_gap_cycles, {0, kMaxCycles});
}

void add_memories(FieldCollector& f, MemoriesConfig& memories) {
    add_memory(f, "gm", memories.gm, kMaxGmBytes);
    f.group("l2", [&](FieldCollector& l2) {
        l2.integer("size_bytes", memories.l2.size_bytes, {kGmLineBytes, kMaxGmBytes});
        l2.integer("ways", memories.l2.ways, {1, 64});
        l2.integer("sector_bytes", memories.l2.sector_bytes, {1, kGmLineBytes});
        l2.integer("latency_cycles", memories.l2.latency_cycles, {0, kMaxCycles});
        l2.integer("write_miss_cycles", memories.l2.write_miss_cycles, {0, kMaxCycles});
        add_channels(l2, "slices", "slice", memories.l2.slices);
        l2.choice("at_reset", memories.l2.at_reset,
                  {{"host_data", L2AtReset::host_data}, {"nothing", L2AtReset::nothing}});
    });
    f.group("hbm", [&](FieldCollector& hbm) {
        hbm.integer("latency_cycles", memories.hbm.latency_cycles, {0, kMaxCycles});
        add_channels(hbm, "channels", "channel", memories.hbm.channels);
    });
    f.group("hccs", [&](FieldCollector& hccs) {
        hccs.integer("bytes_per_cycle", memories.hccs.bytes_per_cycle, {0, kMaxRate});
        hccs.integer("latency_cycles", memories.hccs.latency_cycles, {0, kMaxCycles});
        hccs.integer("peer_address", memories.hccs.peer_address, {0, kMaxGmBytes});
    });
    add_memory(f, "l1", memories.l1, kMaxBufferBytes);
    add_memory(f, "l0a", memories.l0a, kMaxBufferBytes);
    add_memory(f, "l0b", memories.l0b, kMaxBufferBytes);
    add_memory(f, "l0c", memories.l0c, kMaxBufferBytes);
    add_memory(f, "bt", memories.bt, kMaxBufferBytes);
    add_memory(f, "fb", memories.fb, kFbSliceBytes);
    add_memory(f, "fb1", memories.fb1, kFbSliceBytes);
    add_memory(f, "fb2", memories.fb2, kFbSliceBytes);
    add_memory(f, "fb3", memories.fb3, kFbSliceBytes);
    add_memory(f, "ub", memories.ub, kMaxBufferBytes);
    add_banks(f, "l1_banks", memories.l1_banks);
    add_banks(f, "ub_banks", memories.ub_banks);
    f.group("l0c_banks", [&](FieldCollector& banks) {
        banks.integer("banks", memories.l0c_banks.banks, {1, kMaxL0cBanks});
        banks.integer("row_bytes", memories.l0c_banks.row_bytes, {1, kMaxUnitBytes});
    });
    f.integer("power_on_byte", memories.power_on_byte, {0, 255});
}

void add_links(FieldCollector& f, LinksConfig& links) {
    add_link(f, "gm_to_l1", links.gm_to_l1);
    add_link(f, "gm_to_l0", links.gm_to_l0);
    add_link(f, "l1_to_gm", links.l1_to_gm);
    add_link(f, "l1_to_l0a", links.l1_to_l0a);
    add_link(f, "l1_to_l0b", links.l1_to_l0b);
    add_link(f, "l1_to_bt", links.l1_to_bt);
    add_link(f, "l1_to_fb", links.l1_to_fb);
    add_link(f, "l0a_to_cube", links.l0a_to_cube);
    add_link(f, "l0b_to_cube", links.l0b_to_cube);
    add_link(f, "bt_to_cube", links.bt_to_cube);
    add_link(f, "l0c_to_cube", links.l0c_to_cube);
    add_link(f, "cube_to_l0c", links.cube_to_l0c);
    add_link(f, "l0c_to_l1", links.l0c_to_l1);
    add_link(f, "l0c_to_gm", links.l0c_to_gm);
    add_link(f, "gm_to_ub", links.gm_to_ub);
    add_link(f, "ub_to_gm", links.ub_to_gm);
    add_optional_link(f, "l0c_to_ub", links.l0c_to_ub);
    add_optional_link(f, "l0c_to_ub_dual", links.l0c_to_ub_dual);
}

void add_cube(FieldCollector& f, CubeConfig& cube) {
    add_pipe(f, cube.pipe);
    f.integer("startup_cycles", cube.startup_cycles, {0, kMaxCycles});
    f.integer("drain_cycles", cube.drain_cycles, {0, kMaxCycles});
    f.group("cycles_per_fractal", [&](FieldCollector& types) {
        types.integer("float16", cube.cycles_per_fractal_float16, {1, 1024});
        types.integer("bfloat16", cube.cycles_per_fractal_bfloat16, {1, 1024});
        types.integer("int8", cube.cycles_per_fractal_int8, {1, 1024});
        types.integer("int4", cube.cycles_per_fractal_int4, {1, 1024});
        types.integer("float32", cube.cycles_per_fractal_float32, {1, 1024});
        types.integer("hf32", cube.cycles_per_fractal_hf32, {1, 1024});
        types.optional_integer("fp8", cube.cycles_per_fractal_fp8, {1, 1024});
        types.optional_integer("hifloat8", cube.cycles_per_fractal_hifloat8, {1, 1024});
    });
    f.choice("summation", cube.summation,
             {{"sequential", Summation::sequential},
              {"pairwise", Summation::pairwise},
              {"exact", Summation::exact},
              {"exact_then_add", Summation::exact_then_add}});
    f.choice("l0a_layout", cube.l0a_layout, {{"Zz", L0aLayout::Zz}, {"Nz", L0aLayout::Nz}});
}

void add_vector(FieldCollector& f, VectorConfig& vector) {
    add_pipe(f, vector.pipe);
    f.integer("startup_cycles", vector.startup_cycles, {0, kMaxCycles});
    // With one cycle the results would not be at UB before the operands of the next repeat.
    f.integer("write_latency_cycles", vector.write_latency_cycles, {2, kMaxCycles});
    f.group("cycles_per_repeat", [&](FieldCollector& types) {
        VectorPace& pace = vector.cycles_per_repeat;
        const auto add = [&types](const char* key, CycleHundredths& member) {
            types.decimal(key, member, {1, 1024});
        };
        add("standard", pace.standard);
        add("exp_ln_sqrt_float16", pace.exp_ln_sqrt_float16);
        add("exp_ln_sqrt_float32", pace.exp_ln_sqrt_float32);
        add("div", pace.div);
        add("multiply_add", pace.multiply_add);
        add("multiply_add_mixed", pace.multiply_add_mixed);
        add("cadd_float16", pace.cadd_float16);
        add("cadd_float32", pace.cadd_float32);
        add("block_reduce_float16", pace.block_reduce_float16);
        add("block_reduce_float32", pace.block_reduce_float32);
        add("cmax_cmin", pace.cmax_cmin);
        add("cmax_float16", pace.cmax_float16);
        add("deq", pace.deq);
        add("compare", pace.compare);
        add("transpose", pace.transpose);
        add("nchwconv", pace.nchwconv);
        add("gather_16", pace.gather_16);
        add("gather_32", pace.gather_32);
        add("gatherb", pace.gatherb);
        add("gather_mask", pace.gather_mask);
        add("sort32", pace.sort32);
        add("mrgsort", pace.mrgsort);
    });
}

void add_fixpipe_layout(FieldCollector& fixpipe, FixpipeReadings& layout) {
    fixpipe.group("layout", [&](FieldCollector& f) {
        f.choice("nz_dst_stride_unit", layout.nz_dst_stride,
                 {{"32B", PanelStrideUnit::blocks}, {"element", PanelStrideUnit::elements}});
        f.choice("src_nd_stride_unit", layout.src_nd_stride,
                 {{"1024B", NdStrideUnit::fractals}, {"64B", NdStrideUnit::rows}});
        f.choice("c0_pad", layout.c0_pad, {{"zeros", C0Pad::zeros}, {"results", C0Pad::results}});
        f.choice("broadcast_rows", layout.broadcast,
                 {{"m_size", BroadcastRows::m_size}, {"fractals", BroadcastRows::fractals}});
    });
}

void add_mte3(FieldCollector& f, Mte3Config& mte3) {
    add_pipe(f, mte3.pipe);
    f.integer("outstanding_writes", mte3.outstanding_writes, {1, 65536});
}

void add_engines(FieldCollector& f, EnginesConfig& engines) {
    f.group("scalar", [&](FieldCollector& scalar) {
        scalar.integer("dispatch_cycles", engines.scalar.dispatch_cycles, {1, kMaxCycles});
    });
    f.group("cube", [&](FieldCollector& cube) { add_cube(cube, engines.cube); });
    f.group("mte1", [&](FieldCollector& mte1) {
        add_pipe(mte1, engines.mte1.pipe);
        mte1.integer("load3d_latency_cycles", engines.mte1.load3d_latency_cycles, {0, kMaxCycles});
        mte1.integer("load_transpose_latency_cycles", engines.mte1.load_transpose_latency_cycles,
                     {0, kMaxCycles});
        mte1.integer("load_sparse_latency_cycles", engines.mte1.load_sparse_latency_cycles,
                     {0, kMaxCycles});
        mte1.integer("load3d_l0b_extra_cycles", engines.mte1.load3d_l0b_extra_cycles,
                     {0, kMaxCycles});
    });
    f.group("mte2", [&](FieldCollector& mte2) {
        add_pipe(mte2, engines.mte2.pipe);
        // 16 rows in two lines each must be under way together: they leave as fractals.
        mte2.integer("outstanding_bursts", engines.mte2.outstanding_bursts, {32, 65536});
        mte2.integer("nd2nz_row_cycles", engines.mte2.nd2nz_row_cycles, {0, kMaxCycles});
    });
    f.group("mte3", [&](FieldCollector& mte3) { add_mte3(mte3, engines.mte3); });
    f.group("fixpipe", [&](FieldCollector& fixpipe) {
        add_pipe(fixpipe, engines.fixpipe.pipe);
        fixpipe.integer("write_drain_cycles", engines.fixpipe.write_drain_cycles, {0, kMaxCycles});
        add_fixpipe_layout(fixpipe, engines.fixpipe.layout);
        fixpipe.integer("nz2dn_stride_slowdown", engines.fixpipe.nz2dn_stride_slowdown, {1, 1024});
    });
    f.group("vector", [&](FieldCollector& vector) { add_vector(vector, engines.vector); });
    f.group("aiv_mte2", [&](FieldCollector& mte2) {
        add_pipe(mte2, engines.aiv_mte2.pipe);
        mte2.integer("outstanding_bursts", engines.aiv_mte2.outstanding_bursts, {1, 65536});
    });
    f.group("aiv_mte3", [&](FieldCollector& mte3) { add_mte3(mte3, engines.aiv_mte3); });
}

void add_quantisation(FieldCollector& f, QuantSwitches& switches) {
    f.choice("offset_code", switches.offset_code,
             {{"twos_complement", OffsetCode::twos_complement}, {"plain", OffsetCode::plain}});
    f.choice("shift_code", switches.shift_code,
             {{"plus_one", ShiftCode::plus_one}, {"plain", ShiftCode::plain}});
    f.choice("offset_order", switches.offset_order,
             {{"round_then_add", OffsetOrder::round_then_add},
              {"add_then_round", OffsetOrder::add_then_round}});
    f.boolean("deqf16_rounds_first", switches.deqf16_rounds_first);
    f.choice("post_range", switches.post_range,
             {{"unlimited", PostRange::unlimited}, {"extended", PostRange::extended}});
    f.choice("bf16_cast", switches.bf16_cast,
             {{"saturate", Bf16Cast::saturate}, {"by_ctrl", Bf16Cast::by_ctrl}});
}

/// The bits of CTRL after reset stand beside the other numerics.
void add_ctrl(FieldCollector& f, CtrlState& ctrl) {
    f.boolean("hifloat8", ctrl.hifloat8);
    f.boolean("hf32", ctrl.hf32);
    f.boolean("hf32_trans", ctrl.hf32_trans);
    f.choice("float_overflow", ctrl.float_overflow,
             {{"inf_nan", FloatOverflow::inf_nan}, {"saturate", FloatOverflow::saturate}});
    f.choice("fp8_nan", ctrl.fp8_nan, {{"zero", SaturatedNan::zero}, {"keep", SaturatedNan::keep}});
    f.choice("mm_direction", ctrl.mm_direction,
             {{"column_major", Traversal::column_major}, {"row_major", Traversal::row_major}});
    f.choice("integer_overflow", ctrl.integer_overflow,
             {{"wrap", IntegerOverflow::wrap}, {"saturate", IntegerOverflow::saturate}});
}

} // namespace

std::vector<PlatformField> platform_fields(Platform& platform) {
    FieldCollector fields;
    fields.text("platform", platform.name);
    fields.integer("arch", platform.arch, {1, 99999});
    fields.group("chip", [&](FieldCollector& f) {
        f.integer("ai_cores", platform.chip.ai_cores, {1, 256});
        f.integer("vector_cores_per_ai_core", platform.chip.vector_cores_per_ai_core, {0, 8});
    });
    fields.group("clock", [&](FieldCollector& f) {
        f.integer("frequency_mhz", platform.clock.frequency_mhz, {1, 10000});
    });
    fields.group("memories", [&](FieldCollector& f) { add_memories(f, platform.memories); });
    fields.group("links", [&](FieldCollector& f) { add_links(f, platform.links); });
    fields.group("engines", [&](FieldCollector& f) { add_engines(f, platform.engines); });
    fields.group("numerics", [&](FieldCollector& f) {
        add_ctrl(f, platform.numerics.ctrl);
        f.integer("hf32_fraction_bits", platform.numerics.hf32_fraction_bits, {1, 22});
        f.choice("hf32_trans_rounding", platform.numerics.hf32_trans_rounding,
                 {{"nearest_away", Rounding::nearest_away}, {"trunc", Rounding::trunc}});
        f.choice("multiply_add", platform.numerics.multiply_add,
                 {{"fused", MultiplyAdd::fused}, {"separate", MultiplyAdd::separate}});
        f.group("quantisation",
                [&](FieldCollector& q) { add_quantisation(q, platform.numerics.quantisation); });
    });
    fields.group("sync", [&](FieldCollector& f) {
        f.integer("event_ids", platform.sync.event_ids, {1, 8});
        f.integer("cross_core_latency_cycles", platform.sync.cross_core_latency_cycles,
                  {1, kMaxCycles});
    });
    return fields.take();
}

} // namespace aicore
