// Pooled generic payloads with reference counting, as non-blocking transport requires.
#pragma once

#include "tlm/units.h"

#include <memory>
#include <vector>

#include <tlm>

namespace aicore {

/// Side-band of a transaction. Ignorable: a target that doesn't know it still works.
struct AccessExtension : tlm::tlm_extension<AccessExtension> {
    /// The initiator takes the data no faster than in this many cycles (the pace of its link).
    Cycles pace;
    /// Belongs to the initiator: tells its outstanding accesses apart.
    void* tag = nullptr;

    tlm_extension_base* clone() const override { return new AccessExtension(*this); }
    void copy_from(const tlm_extension_base& other) override {
        *this = static_cast<const AccessExtension&>(other);
    }
};

/// Memory manager of the payloads of one core. Each payload carries an AccessExtension for life.
class PayloadPool : public tlm::tlm_mm_interface {
public:
    PayloadPool() = default;
    PayloadPool(const PayloadPool&) = delete;
    PayloadPool& operator=(const PayloadPool&) = delete;

    /// A payload with reference count 1, to be released by the caller.
    tlm::tlm_generic_payload& acquire();
    /// Payloads that somebody still holds; zero when a run is over.
    std::size_t outstanding() const { return all_.size() - free_.size(); }

    void free(tlm::tlm_generic_payload* payload) override { free_.push_back(payload); }

private:
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
    std::vector<tlm::tlm_generic_payload*> free_;
};

/// The extension that every pooled payload carries; null for a foreign payload.
inline AccessExtension* access_extension(tlm::tlm_generic_payload& payload) {
    return payload.get_extension<AccessExtension>();
}

} // namespace aicore
