// Pooled generic payloads with reference counting, as non-blocking transport requires.
#pragma once

#include "tlm/atomic_access.h"
#include "tlm/units.h"

#include <cstddef>
#include <memory>
#include <vector>

#include <tlm>

namespace aicore {

/// Side-band of a transaction. Ignorable but for `atomic`: a target that doesn't know it still
/// works.
struct AccessExtension : tlm::tlm_extension<AccessExtension> {
    /// The initiator takes the data no faster than in this many cycles (the pace of its link).
    Cycles pace;
    /// Belongs to the initiator: tells its outstanding accesses apart.
    void* tag = nullptr;
    /// Conditional read. Request: the version of the bytes that the initiator still holds, 0 for
    /// none. Response: the version of the bytes now; equal versions mean that nothing has changed
    /// and that the target has not moved any data. A target that knows no versions leaves 0.
    std::uint64_t version = 0;
    /// Atomic write: what the target does with the data and the bytes at the address. It must not
    /// be ignored, so the command is TLM_IGNORE_COMMAND, with which a target that knows of nothing
    /// else leaves its memory alone; one that has executed the operation says so in `atomic_done`.
    /// Without that the bus interface reports an error, any other initiator a fatal one.
    AtomicAccess atomic;
    bool atomic_done = false;
    /// Belongs to the interconnect that the transaction passes: where it came from.
    struct Route {
        int port = 0;
        std::ptrdiff_t slot = 0;
        bool is_held = false; ///< the target has a reference of its own
    } route;

    tlm_extension_base* clone() const override { return new AccessExtension(*this); }
    void copy_from(const tlm_extension_base& other) override {
        *this = static_cast<const AccessExtension&>(other);
    }
};

/// A payload that carries its AccessExtension for life.
class PooledPayload : public tlm::tlm_generic_payload {
public:
    explicit PooledPayload(tlm::tlm_mm_interface* pool)
        : tlm::tlm_generic_payload(pool), access_(new AccessExtension) {
        set_extension(access_); // freed by the payload's destructor
    }
    AccessExtension& access() { return *access_; }

private:
    AccessExtension* access_;
};

/// Memory manager of the payloads of one core.
class PayloadPool : public tlm::tlm_mm_interface {
public:
    PayloadPool() = default;
    PayloadPool(const PayloadPool&) = delete;
    PayloadPool& operator=(const PayloadPool&) = delete;

    /// A payload with reference count 1, to be released by the caller.
    PooledPayload& acquire();
    /// Payloads that somebody still holds; zero when a run is over.
    std::size_t outstanding() const { return all_.size() - free_.size(); }

    void free(tlm::tlm_generic_payload* payload) override {
        payload->reset(); // deletes what an interconnect has attached with set_auto_extension
        free_.push_back(static_cast<PooledPayload*>(payload));
    }

private:
    std::vector<std::unique_ptr<PooledPayload>> all_;
    std::vector<PooledPayload*> free_;
};

/// The extension that every pooled payload carries; null for a foreign payload.
inline AccessExtension* access_extension(tlm::tlm_generic_payload& payload) {
    return payload.get_extension<AccessExtension>();
}

/// The pace that the initiator asks for; 0 for a foreign payload.
inline Cycles pace_of(tlm::tlm_generic_payload& payload) {
    const AccessExtension* extension = access_extension(payload);
    return extension != nullptr ? extension->pace : Cycles(0);
}

/// The operation of an atomic write; null for any other transaction.
inline const AtomicAccess* atomic_access(const tlm::tlm_generic_payload& payload) {
    const auto* extension = payload.get_extension<AccessExtension>();
    const bool is_atomic = payload.get_command() == tlm::TLM_IGNORE_COMMAND &&
                           extension != nullptr && !extension->atomic.is_none();
    return is_atomic ? &extension->atomic : nullptr;
}

} // namespace aicore
