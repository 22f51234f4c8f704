#include "tlm/target_access.h"

#include "tlm/payload_pool.h"

namespace aicore {

bool check_access(tlm::tlm_generic_payload& payload, Bytes size, PortDirection direction,
                  bool takes_atomics) {
    const auto refuse = [&payload](tlm::tlm_response_status status) {
        payload.set_response_status(status);
        return false;
    };
    const AtomicAccess* atomic = takes_atomics ? atomic_access(payload) : nullptr;
    const bool writes = payload.is_write() || atomic != nullptr;
    const bool served = payload.is_read() ? direction != PortDirection::write
                        : writes          ? direction != PortDirection::read
                                          : false;
    if (!served) return refuse(tlm::TLM_COMMAND_ERROR_RESPONSE);

    const auto capacity = static_cast<std::uint64_t>(size.count());
    const std::uint64_t length = payload.get_data_length();
    if (length == 0 || payload.get_address() >= capacity ||
        length > capacity - payload.get_address()) {
        return refuse(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    if (payload.get_streaming_width() < length ||
        (atomic != nullptr && length % static_cast<unsigned>(bytes_of(atomic->element)) != 0)) {
        return refuse(tlm::TLM_BURST_ERROR_RESPONSE);
    }
    if (payload.get_byte_enable_ptr() != nullptr &&
        (payload.is_read() || payload.get_byte_enable_length() == 0 ||
         payload.get_byte_enable_length() > kMaxByteEnableLength)) {
        return refuse(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
    return true;
}

} // namespace aicore
