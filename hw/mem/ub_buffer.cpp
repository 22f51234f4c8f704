#include "hw/mem/ub_buffer.h"

#include "hw/mem/sram.h"
#include "tlm/payload_pool.h"

#include <algorithm>
#include <array>

namespace aicore {

namespace {

constexpr std::int64_t kPortBytes = 256; ///< of a port in a cycle
constexpr std::int64_t kMostRows = 64;   ///< of a burst: bits of Attempt::progress

PortDirection direction_of(int port) {
    return port == UbBuffer::kVectorDst || port == UbBuffer::kMte2 ? PortDirection::write
                                                                   : PortDirection::read;
}

} // namespace

const char* UbBuffer::name_of(int port) {
    constexpr std::array<const char*, kPorts> kNames{"vector_dst", "vector_src0", "vector_src1",
                                                     "mte2", "mte3"};
    return kNames[static_cast<std::size_t>(port)];
}

UbBuffer::UbBuffer(const sc_core::sc_module_name& name, const MemoryConfig& config,
                   const BankConfig& banks, int power_on_byte)
    : SharedTarget(name), storage_(config.size_bytes, static_cast<std::uint8_t>(power_on_byte)),
      banks_(banks, config.size_bytes) {
    const auto open = [this](auto& socket, Port port) {
        socket.register_nb_transport_fw(this, &UbBuffer::nb_transport_fw, port);
        socket.register_transport_dbg(this, &UbBuffer::transport_dbg, port);
    };
    open(vector_dst_tsock, kVectorDst);
    open(vector_src0_tsock, kVectorSrc0);
    open(vector_src1_tsock, kVectorSrc1);
    open(mte2_tsock, kMte2);
    open(mte3_tsock, kMte3);
}

tlm::tlm_bw_transport_if<>& UbBuffer::initiator(int port) {
    switch (port) {
    case kVectorDst: return *vector_dst_tsock.operator->();
    case kVectorSrc0: return *vector_src0_tsock.operator->();
    case kVectorSrc1: return *vector_src1_tsock.operator->();
    case kMte2: return *mte2_tsock.operator->();
    default: return *mte3_tsock.operator->();
    }
}

tlm::tlm_sync_enum UbBuffer::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (!check_access(payload, storage_.size(), direction_of(port))) return tlm::TLM_COMPLETED;
    if (payload.get_data_length() > static_cast<unsigned>((kMostRows - 1) * banks_.row_bytes())) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    return collect(port, initiator(port), payload, phase, delay);
}

unsigned UbBuffer::transport_dbg(int, tlm::tlm_generic_payload& payload) {
    return debug_access(storage_, clk->now(), payload);
}

std::optional<Cycles> UbBuffer::grant(int port, tlm::tlm_generic_payload& payload,
                                      Attempt& attempt) {
    const Cycles now = clk->now();
    const auto row_bytes = static_cast<std::uint64_t>(banks_.row_bytes());
    const std::uint64_t first = payload.get_address() / row_bytes;
    const std::uint64_t last = (payload.get_address() + payload.get_data_length() - 1) / row_bytes;
    std::optional<int> winner;
    for (std::uint64_t row = first; row <= last; ++row) {
        const std::uint64_t bit = std::uint64_t{1} << (row - first);
        if ((attempt.progress & bit) != 0) continue;
        const std::optional<int> taken = banks_.take(now, row, payload.is_write(), port);
        if (!taken) {
            attempt.progress |= bit;
        } else if (!winner) {
            winner = taken;
        }
    }
    if (winner) {
        if (on_conflict) {
            on_conflict(now, static_cast<Port>(port), static_cast<Port>(*winner));
        }
        return std::nullopt;
    }
    const Cycles beats(ceil_div(payload.get_data_length(), kPortBytes));
    return std::max(now + Cycles(1), attempt.since + std::max(beats, pace_of(payload)));
}

void UbBuffer::serve(int, tlm::tlm_generic_payload& payload, Cycles due) {
    serve_granted(storage_, clk->now(), due, payload);
}

void UbBuffer::reset() {
    storage_.reset();
    banks_.reset();
}

} // namespace aicore
