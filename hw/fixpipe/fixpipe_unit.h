// FixPipe: takes results out of L0C, converts them, and writes them to GM, L1 or UB.
//
// This unit sequences; fixpipe_math converts a fractal, fixpipe_layout makes bursts of it. One
// 16 x 16 fractal after another, in the order of its output: down the panels for NZ, along the
// rows for NZ2ND. With unit flags a fractal waits until its flags are 1, and toggle frees it for
// the cube as soon as it has been read. With two destinations the fractals of the two halves
// alternate. Writes are posted; an instruction is complete when the last one has landed. The L1 ->
// Fixpipe buffer copy runs on this pipe as well.
#pragma once

#include "hw/fixpipe/fixpipe_layout.h"
#include "hw/fixpipe/fixpipe_math.h"
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/l0c2ub.h"
#include "hw/isa/table_load_walks.h"
#include "hw/mem/fb_slices.h"
#include "hw/mem/l0c_unit_flags.h"
#include "hw/pipe/engine.h"
#include "hw/pipe/link.h"
#include "hw/pipe/posted_writes.h"
#include "tlm/initiator_port.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace aicore {

class FixpipeUnit : public Engine {
public:
    struct Links {
        Link& l0c_to_gm;
        Link& l0c_to_l1;
        Link& l1_to_fb;
        Link* l0c_to_ub;      ///< null where the platform has no such path
        Link* l0c_to_ub_dual; ///< to both unified buffers at once
    };

    FixpipeUnit(const sc_core::sc_module_name& name, const FixpipeConfig& config,
                const NumericsConfig& numerics, int arch, const FbSlices& fb_slices,
                const Links& links, L0cUnitFlags& unit_flags, PayloadPool& pool, ObserverHub& hub,
                EventFlags& flags);

    /// Told when an entry of a table is illegal, which only the run can show.
    std::function<void(const std::string& message)> on_error;

    InitiatorPort<2048> l0c_isock;
    InitiatorPort<2048> l1_isock;
    InitiatorPort<4096> gm_isock;
    /// The unified buffers of the two vector cores; null where there is no such path.
    std::array<std::unique_ptr<InitiatorPort<2048>>, kSubBlocks> ub_isock;
    InitiatorPort<256> fb_write_isock;
    InitiatorPort<512> fb_read_isock;

private:
    Cycles startup(const Operation& operation) const override;
    void start(const Entry& entry) override;
    void resume() override { read_fractal(); }
    void reset() override;

    const Link& link_of(const Operation& operation) const;
    Link& output_link_of(Buffer dst, bool dual) const;
    Fixpipe fixpipe_of(const Operation& operation) const;
    Cycles write_drain(const Fixpipe& fixpipe) const;
    /// The instruction, or the half of it, that the fractal being read belongs to.
    const Fixpipe& part() const { return parts_[part_]; }

    bool next_fractal();
    void read_fractal();
    bool reads_row_by_row() const {
        return fixpipe_src_row_pitch(part()) != kL0cRowBytes && !part().broadcast;
    }
    Cycles strided_cycles(std::int64_t bytes) const;
    bool wait_for_unit_flags(int first, int count);
    void on_fractal();
    void write_fractal();
    const PanelColumns& columns_of(int panel);
    template <typename Word>
    void read_table(FbSlice slice, std::uint32_t table, Word* entries, std::size_t count);
    void post(std::size_t part, std::uint64_t address, const std::uint8_t* data, int bytes);
    void on_written(PostedWrite& write, const sc_core::sc_time& delay);

    void read_table_piece();
    void on_l1_response(void* tag, const sc_core::sc_time& delay);

    FixpipeConfig config_;
    NumericsConfig numerics_;
    int arch_;
    FbSlices fb_slices_;
    Links links_;
    L0cUnitFlags& unit_flags_;
    PostedWrites writes_;

    // The instruction whose fractals are being read.
    std::uint64_t number_ = 0;
    SourcePlace place_;
    Cycles issued_;
    /// What is executed: the instruction, or its halves for the two unified buffers, whose fractals
    /// alternate.
    std::array<Fixpipe, kSubBlocks> parts_;
    int part_count_ = 1;
    std::size_t part_ = 0;
    Link* output_ = nullptr;
    FixpipeShape shape_; ///< of each part
    FractalPlace at_;    ///< the fractal that is read
    int step_ = 0;
    int row_ = 0; ///< next row of the fractal, when rows are read one by one
    FixpipeStages stages_;
    std::vector<std::optional<PanelColumns>> columns_; ///< parameters of the panels met so far
    alignas(64) std::array<std::uint32_t, kFractalRows * 16> fractal_{};
    alignas(64) std::array<std::uint8_t, kL0cFractalBytes> converted_{};
    std::array<FixpipeLayouter, kSubBlocks> layouts_; ///< of the parts

    // The table copy under way.
    std::optional<L1ToFbWalk> table_;
    LoadStep table_step_;
    std::array<std::uint8_t, kFractalBytes> table_piece_{};
};

} // namespace aicore
