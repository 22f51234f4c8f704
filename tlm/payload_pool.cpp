#include "tlm/payload_pool.h"

namespace aicore {

tlm::tlm_generic_payload& PayloadPool::acquire() {
    if (free_.empty()) {
        auto payload = std::make_unique<tlm::tlm_generic_payload>(this);
        payload->set_extension(new AccessExtension);
        all_.push_back(std::move(payload));
        free_.push_back(all_.back().get());
    }
    tlm::tlm_generic_payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    return payload;
}

} // namespace aicore
