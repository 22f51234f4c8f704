// An AI Core as a module for any SystemC design: a cube core (AIC) and the vector cores (AIV) that
// go with it, behind pins and TLM-2.0 sockets.
//
//   clk, rst_n   `clk` takes an sc_clock, a QuietClock (no waveform, no cost) or any steady boolean
//                signal that runs during reset; rst_n low returns everything to its power-on state
//   done         all programs of a launch are over; falls at the edge at which the next one starts
//   error        something went wrong; stays until a reset
//   gm_isock     to global memory: the base protocol, reads and writes of at most 512 bytes that
//                stay inside a line of 512. The memory may answer in every way the protocol allows
//   ctrl_tsock   control registers and program window: control_registers.h, control_port.h
//
// A host loads a program image (hw/isa/program_image.h) into the window and writes the start bit.
// The launch starts at the first rising edge after the write and runs on the state as the last one
// left it. The time resolution must be 1 fs or divide the clock's period.
#pragma once

#include "hw/config/platform.h"
#include "hw/core/control_registers.h"
#include "hw/core/core_options.h"
#include "hw/pipe/observer.h"
#include "hw/scalar/instruction_source.h"
#include "tlm/cycle_clock.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

namespace aicore {

class Aic;
class Aiv;
class BusInterface;
class ControlPort;
class Core;
class CrossCoreFlags;
class LaunchControl;
class ProgramWindow;

/// What an AI Core shares with others; all of it outlives the AI Core.
struct AiCoreOptions {
    CoreOptions core;
    /// Among the AI Cores of a design. Its cores are aic<index> and, with n vector cores,
    /// aiv<n * index> and those that follow.
    int index = 0;
    /// Null: its own.
    ObserverHub* observers = nullptr;
    /// Flags that join the cores of several AI Cores, AI Core by AI Core in the order of `index`;
    /// who makes them says which cores take part. Null: its own.
    CrossCoreFlags* cross_core_flags = nullptr;
};

class AiCore : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    sc_core::sc_out<bool> done{"done"};
    sc_core::sc_out<bool> error{"error"};
    tlm::tlm_initiator_socket<4096> gm_isock{"gm_isock"};
    tlm::tlm_target_socket<32> ctrl_tsock{"ctrl_tsock"};

    SC_HAS_PROCESS(AiCore);
    explicit AiCore(const sc_core::sc_module_name& name, const Platform& platform,
                    const AiCoreOptions& options = {});
    ~AiCore() override;

    /// Programs of the launches to come, in place of the image in the program window: one for each
    /// core, the cube core first, null for none. They are rewound at the start and outlive the
    /// launch. An empty list stands for the image again. Changed while no launch runs.
    void set_sources(std::vector<InstructionSource*> sources);

    LaunchStatus status() const;
    /// The error in words, with the instruction; empty without one.
    const std::string& error_message() const;
    /// Cycles of the launch that runs, else of the last one: from its start to the edge at which
    /// all was complete.
    Cycles cycles() const;
    /// Edge of the last start, in cycles since the reset.
    Cycles started_at() const;
    /// Observers are added before the simulation starts.
    ObserverHub& observers() { return hub_; }

    // What is inside, for the tests and reports of this repository; the package has no headers of
    // these classes.
    Aic& aic() { return *aic_; }
    Aiv& aiv(int i) { return *aivs_[static_cast<std::size_t>(i)]; }
    int aiv_count() const { return static_cast<int>(aivs_.size()); }
    /// The cube core, then the vector cores.
    const std::vector<Core*>& cores() const { return cores_; }
    BusInterface& biu() { return *biu_; }
    /// An error of core `core` of this AI Core, told by who shares its flags.
    void fail(LaunchError code, std::size_t core, const std::string& message);

private:
    void make_cores(const Platform& platform, const AiCoreOptions& options);
    void make_flags(const Platform& platform, const AiCoreOptions& options);
    void make_biu(const LinksConfig& links);
    void make_control(const Platform& platform, const AiCoreOptions& options);
    void end_of_elaboration() override;
    void on_reset();

    std::unique_ptr<ObserverHub> own_hub_;
    ObserverHub& hub_;
    CycleClock clock_;
    std::unique_ptr<Aic> aic_;
    std::vector<std::unique_ptr<Aiv>> aivs_;
    std::vector<Core*> cores_;
    std::unique_ptr<CrossCoreFlags> own_flags_;
    CrossCoreFlags* flags_;
    std::unique_ptr<BusInterface> biu_;
    std::unique_ptr<ProgramWindow> window_;
    std::unique_ptr<LaunchControl> launch_;
    std::unique_ptr<ControlPort> control_;
    std::vector<const LinkInfo*> read_links_; ///< of each port of the bus interface; null: writes
    sc_core::sc_vector<sc_core::sc_signal<bool>> core_done_{"core_done"};
};

} // namespace aicore
