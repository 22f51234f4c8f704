// What a SyncAll consists of: instructions, and loads and stores of the scalar unit in UB.
//
// Hardware forms, behind a barrier over all pipes (vendor's page on SyncAll; ids from the vendor's
// headers):
//   aiv_only   vector cores: set id 14 in mode 0, wait for it
//   all cores  vector cores: set 12 in mode 2 for their cube core, wait for 13;
//              cube cores: wait for 12, set 11 in mode 0, wait for it, set 13 in mode 2 for their
//              vector cores
// Software form, behind the same barrier: a core reads its slot in GM (MTE2), adds one, writes it
// back (MTE3), and then reads all slots again and again until their sum is the number of cores
// times its own value, so that the slots need to be 0 before the first SyncAll only. In its first
// round it also writes its own slot anew with every poll, since another core may clear the slots
// late. Each step waits for the copy before it. [inferred] is what the scalar unit's part takes:
// each step at least a dispatch, each word of UB an access of its own.
#pragma once

#include "hw/isa/legality.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace aicore {

class SyncAllSteps {
public:
    struct LoadWord {
        std::uint32_t ub_addr = 0;
    };
    struct StoreWord {
        std::uint32_t ub_addr = 0;
        std::int32_t value = 0;
    };
    using Step = std::variant<Operation, LoadWord, StoreWord>;

    /// Starts a SyncAll or SoftSyncAll and gives its first step.
    Step begin(const Operation& sync_all, CoreKind core);
    /// The step after the last one; nothing when the SyncAll is complete. `word`: what the last
    /// LoadWord gave.
    std::optional<Step> next(std::int32_t word);

    /// The software form has written its slot and waits for the others.
    bool polls() const { return phase_ == Phase::all_slots_read; }
    /// Slots of cores that had not arrived when all slots were read last.
    std::vector<int> absent() const;

private:
    /// What is known when the list of steps under way is done.
    enum class Phase { hardware, own_slot_read, own_slot_written, all_slots_read };

    void start_phase(Phase phase, std::vector<Step> steps);
    std::optional<Step> end_phase();
    void poll();
    Operation copy(Buffer dst, std::int32_t slot, std::int32_t slots) const;
    std::uint32_t ub_word(std::int32_t slot) const;

    SoftSyncAll soft_;
    Phase phase_ = Phase::hardware;
    std::vector<Step> steps_;
    std::size_t at_ = 0;               ///< of the last step that was given
    std::vector<std::int32_t> loaded_; ///< in this phase
    std::vector<std::int32_t> words_;  ///< of all slots, when they were read last
    std::int32_t turn_ = 0;            ///< SyncAlls that the slots have seen, with this one
};

} // namespace aicore
