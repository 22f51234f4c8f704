#include "hw/core/core.h"

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>

namespace aicore {

Core::Core(const sc_core::sc_module_name& name, CoreKind kind, const Platform& platform,
           ObserverHub& hub)
    : sc_module(name), hub_(hub), info_(hub.register_core(basename())), kind_(kind) {
    // The engines' constructors take the flags; the rest may come in any order.
    event_flags_ = std::make_unique<EventFlags>("event_flags", platform.sync);
}

void Core::construct(std::vector<std::function<void()>> parts, unsigned order) {
    std::mt19937 random(order);
    if (order != 0) std::shuffle(parts.begin(), parts.end(), random);
    for (const auto& part : parts) part();
}

void Core::make_scalar(const ScalarConfig& config, const CtrlState& ctrl, PayloadPool* ub_pool) {
    scalar_ =
        std::make_unique<ScalarUnit>("scalar", kind_, config, ctrl, ub_pool, hub_, *event_flags_);
}

void Core::join_core() {
    for (Engine* engine : engine_list()) scalar_->connect(engine->info().pipe, *engine);
    clock_and_reset(*event_flags_, *scalar_);
    scalar_->done(done);
}

std::vector<const Engine*> Core::engines() const {
    const std::vector<Engine*> list = engine_list();
    return {list.begin(), list.end()};
}

void Core::end_of_elaboration() {
    event_flags_->on_double_set = [this](Cycles now, const EventFlags::Name& flag,
                                         const EventFlags::History& first,
                                         const EventFlags::History& second) {
        std::ostringstream text;
        text << "cycle " << now << ": set_flag " << to_string(flag.src) << "->"
             << to_string(flag.dst) << " id " << flag.id << " at line " << second.place.line
             << " meets a flag that line " << first.place.line << " set in cycle " << first.at
             << " and nobody has consumed; it stays 1 and one token is lost";
        SC_REPORT_WARNING("/aicore/event_flags", text.str().c_str());
    };
    if (hub_.empty()) return;
    event_flags_->on_change = [this](Cycles now, const EventFlags::Name& flag, bool value) {
        hub_.publish(&Observer::on_event_flag, now, info_, flag.src, flag.dst, flag.id, value);
    };
    connect_observers();
}

// ---- untimed access ----------------------------------------------------------------------------

unsigned Core::debug_read(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                          int sub_block) {
    return debug_transport(buffer, tlm::TLM_READ_COMMAND, address, data, bytes, sub_block);
}

unsigned Core::debug_write(Buffer buffer, std::uint64_t address, std::uint8_t* data, unsigned bytes,
                           int sub_block) {
    return debug_transport(buffer, tlm::TLM_WRITE_COMMAND, address, data, bytes, sub_block);
}

unsigned Core::debug_transport(Buffer buffer, tlm::tlm_command command, std::uint64_t address,
                               std::uint8_t* data, unsigned bytes, int sub_block) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    return debug_access(buffer, payload, sub_block);
}

void publish_counters(CrossCoreFlags& flags, const std::vector<Core*>& cores,
                      const ObserverHub& hub) {
    flags.on_change = [&cores, &hub](Cycles now, int core, int id, int count,
                                     const CrossCoreFlags::History* set) {
        const auto info = [&cores](int i) -> const CoreInfo& {
            return cores[static_cast<std::size_t>(i)]->info();
        };
        hub.publish(&Observer::on_cross_core_flag, now, info(core), id, count);
        if (set == nullptr) return;
        hub.publish(&Observer::on_cross_core_count, now, info(core), id, info(set->core),
                    set->instruction);
    };
}

} // namespace aicore
