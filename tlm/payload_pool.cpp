#include "tlm/payload_pool.h"

namespace aicore {

PooledPayload& PayloadPool::acquire() {
    if (free_.empty()) {
        all_.push_back(std::make_unique<PooledPayload>(this));
        free_.push_back(all_.back().get());
    }
    PooledPayload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    return payload;
}

} // namespace aicore
