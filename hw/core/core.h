// What both kinds of core share: clock, reset, scalar unit, event flags, observers, and untimed
// access to the buffers.
#pragma once

#include "hw/core/core_options.h"
#include "hw/isa/legality.h"
#include "hw/mem/l0c_unit_flags.h"
#include "hw/scalar/scalar_unit.h"
#include "tlm/payload_pool.h"
#include "tlm/protocol_checker.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aicore {

class Core : public sc_core::sc_module {
public:
    sc_core::sc_port<CycleClockIf> clk{"clk"};
    sc_core::sc_in<bool> rst_n{"rst_n"};
    /// The program is over; a core without one is done at its start.
    sc_core::sc_out<bool> done{"done"};

    /// Told when a program does something illegal that only its run can show.
    std::function<void(const std::string& message)> on_error;

    CoreKind core_kind() const { return kind_; }
    const CoreInfo& info() const { return info_; }
    ScalarUnit& scalar() { return *scalar_; }
    const ScalarUnit& scalar() const { return *scalar_; }
    const EventFlags& event_flags() const { return *event_flags_; }
    /// Of the cube core; null for a vector core.
    virtual const L0cUnitFlags* unit_flag_state() const { return nullptr; }
    /// The way to the flags of other cores, and this core's index there.
    void connect(CrossCoreFlags& flags, int core) { event_flags_->connect(flags, core); }
    /// Engines in the order of their pipes.
    std::vector<const Engine*> engines() const;

    /// Untimed access to an on-chip buffer (transport_dbg); returns the bytes moved.
    unsigned debug_read(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                        int sub_block = 0);
    unsigned debug_write(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                         int sub_block = 0);
    /// Transactions under way; zero when a run is over.
    std::size_t outstanding_transactions() const { return pool_.outstanding(); }

protected:
    Core(const sc_core::sc_module_name& name, CoreKind kind, const Platform& platform,
         ObserverHub& hub);

    /// Path of a part of the core: "aic0.l1_to_l0a".
    std::string path_of(const char* part) const { return info_.name + "." + part; }

    virtual std::vector<Engine*> engine_list() const = 0;
    /// `sub_block`: whose unified buffer is meant, of the two that FixPipe reaches.
    virtual unsigned debug_access(Buffer buffer, tlm::tlm_generic_payload& payload,
                                  int sub_block) = 0;
    /// Tells the parts of the core whom to inform. Not called without observers.
    virtual void connect_observers() {}

    /// Constructs the parts in a permuted order (0: as they stand).
    static void construct(std::vector<std::function<void()>> parts, unsigned order);
    void make_scalar(const ScalarConfig& config, const CtrlState& ctrl, PayloadPool* ub_pool);
    /// Gives the scalar unit its pipes, its own pins and the event flags theirs.
    void join_core();

    /// Binds a link, through a protocol checker when asked for.
    template <unsigned Width, typename Initiator, typename Target>
    void bind(Initiator& initiator, Target& target, const char* name, bool check_protocol) {
        if (!check_protocol) {
            initiator.bind(target);
            return;
        }
        auto checker =
            std::make_unique<ProtocolChecker<Width>>((std::string(name) + "_checker").c_str());
        checker->rst_n(rst_n);
        initiator.bind(checker->tsock);
        checker->isock.bind(target);
        checkers_.push_back(std::move(checker));
    }
    template <typename... Modules>
    void clock_and_reset(Modules&... modules) {
        (modules.clk(clk), ...);
        (modules.rst_n(rst_n), ...);
    }

    ObserverHub& hub_;
    const CoreInfo& info_;
    PayloadPool pool_;
    std::unique_ptr<EventFlags> event_flags_;
    std::unique_ptr<ScalarUnit> scalar_;

private:
    void end_of_elaboration() override;
    unsigned debug_transport(Buffer buffer, tlm::tlm_command command, std::uint64_t address,
                             std::uint8_t* data, unsigned bytes, int sub_block);

    CoreKind kind_;
    std::vector<std::unique_ptr<sc_core::sc_module>> checkers_;
};

/// Lets observers see the counters of cross-core flags. `cores`: by their index in `flags`, outlive
/// them.
void publish_counters(CrossCoreFlags& flags, const std::vector<Core*>& cores,
                      const ObserverHub& hub);

} // namespace aicore
