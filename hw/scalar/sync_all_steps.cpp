#include "hw/scalar/sync_all_steps.h"

#include "hw/isa/cross_core_ids.h"

#include <numeric>
#include <utility>

namespace aicore {

namespace {

CrossCoreSetFlag set(Pipe pipe, int mode, int id) {
    CrossCoreSetFlag flag;
    flag.pipe = pipe;
    flag.mode = mode;
    flag.id = id;
    return flag;
}

std::vector<SyncAllSteps::Step> hardware_steps(const SyncAll& sync, CoreKind core) {
    const Operation barrier = PipeBarrier{};
    const auto wait = [](int id) { return Operation(CrossCoreWaitFlag{id}); };
    const auto tell = [](Pipe pipe, int mode, int id) { return Operation(set(pipe, mode, id)); };
    if (sync.aiv_only) {
        return {barrier, tell(Pipe::MTE3, 0, kSyncAllVectorCores), wait(kSyncAllVectorCores)};
    }
    if (core == CoreKind::aiv) {
        return {barrier, tell(Pipe::MTE3, 2, kSyncAllToCubeCore), wait(kSyncAllToVectorCores)};
    }
    return {barrier, wait(kSyncAllToCubeCore), tell(Pipe::FIX, 0, kSyncAllCubeCores),
            wait(kSyncAllCubeCores), tell(Pipe::MTE3, 2, kSyncAllToVectorCores)};
}

} // namespace

SyncAllSteps::Step SyncAllSteps::begin(const Operation& sync_all, CoreKind core) {
    words_.clear();
    if (const auto* hardware = std::get_if<SyncAll>(&sync_all)) {
        start_phase(Phase::hardware, hardware_steps(*hardware, core));
    } else {
        soft_ = std::get<SoftSyncAll>(sync_all);
        start_phase(Phase::own_slot_read,
                    {Operation(PipeBarrier{}), copy(Buffer::UB, soft_.block_idx, 1),
                     Operation(PipeBarrier{}), LoadWord{ub_word(soft_.block_idx)}});
    }
    return steps_.front();
}

std::optional<SyncAllSteps::Step> SyncAllSteps::next(std::int32_t word) {
    if (std::holds_alternative<LoadWord>(steps_[at_])) loaded_.push_back(word);
    if (++at_ == steps_.size()) return end_phase();
    return steps_[at_];
}

void SyncAllSteps::start_phase(Phase phase, std::vector<Step> steps) {
    phase_ = phase;
    steps_ = std::move(steps);
    at_ = 0;
    loaded_.clear();
}

std::optional<SyncAllSteps::Step> SyncAllSteps::end_phase() {
    switch (phase_) {
    case Phase::hardware: return std::nullopt;
    case Phase::own_slot_read:
        // What the slot holds is the program's: it may be anything, and the hardware's add wraps.
        turn_ = static_cast<std::int32_t>(static_cast<std::uint32_t>(loaded_.front()) + 1u);
        start_phase(Phase::own_slot_written,
                    {StoreWord{ub_word(soft_.block_idx), turn_},
                     copy(Buffer::GM, soft_.block_idx, 1), Operation(PipeBarrier{})});
        break;
    case Phase::own_slot_written: poll(); break;
    case Phase::all_slots_read:
        words_ = loaded_;
        if (std::accumulate(words_.begin(), words_.end(), std::int64_t{0}) >=
            std::int64_t{soft_.used_cores} * turn_) {
            phase_ = Phase::hardware;
            return std::nullopt;
        }
        poll();
        break;
    }
    return steps_.front();
}

void SyncAllSteps::poll() {
    std::vector<Step> steps{copy(Buffer::UB, 0, soft_.used_cores), Operation(PipeBarrier{})};
    if (turn_ == 1) {
        steps.push_back(StoreWord{ub_word(soft_.block_idx), turn_});
        steps.push_back(copy(Buffer::GM, soft_.block_idx, 1));
        steps.push_back(Operation(PipeBarrier{}));
    }
    for (std::int32_t slot = 0; slot < soft_.used_cores; ++slot) {
        steps.push_back(LoadWord{ub_word(slot)});
    }
    start_phase(Phase::all_slots_read, std::move(steps));
}

std::vector<int> SyncAllSteps::absent() const {
    std::vector<int> slots;
    for (std::size_t slot = 0; slot < words_.size(); ++slot) {
        if (words_[slot] < turn_) slots.push_back(static_cast<int>(slot));
    }
    return slots;
}

Operation SyncAllSteps::copy(Buffer dst, std::int32_t slot, std::int32_t slots) const {
    const std::uint64_t offset = static_cast<std::uint64_t>(slot) * kBlockBytes;
    DataCopy copy;
    copy.dst = dst;
    copy.src = dst == Buffer::UB ? Buffer::GM : Buffer::UB;
    copy.src_addr = (dst == Buffer::UB ? soft_.gm_addr : soft_.ub_addr) + offset;
    copy.dst_addr = (dst == Buffer::UB ? soft_.ub_addr : soft_.gm_addr) + offset;
    copy.block_len = slots;
    return copy;
}

std::uint32_t SyncAllSteps::ub_word(std::int32_t slot) const {
    return soft_.ub_addr + static_cast<std::uint32_t>(slot * kBlockBytes);
}

} // namespace aicore
