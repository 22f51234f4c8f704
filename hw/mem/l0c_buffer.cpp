#include "hw/mem/l0c_buffer.h"

#include "hw/mem/sram.h"

#include <algorithm>

namespace aicore {

L0cBuffer::L0cBuffer(const sc_core::sc_module_name& name, const MemoryConfig& config,
                     const L0cBankConfig& banks, int power_on_byte)
    : sc_module(name), storage_(config.size_bytes, static_cast<std::uint8_t>(power_on_byte)),
      banks_(banks.banks), row_bytes_(banks.row_bytes.count()),
      all_banks_(static_cast<std::uint32_t>((std::uint64_t(1) << banks.banks) - 1)) {
    cube_tsock.register_nb_transport_fw(this, &L0cBuffer::cube_access);
    cube_tsock.register_transport_dbg(this, &L0cBuffer::transport_dbg);
    fixpipe_tsock.register_nb_transport_fw(this, &L0cBuffer::fixpipe_access);
    fixpipe_tsock.register_transport_dbg(this, &L0cBuffer::transport_dbg);
    SC_METHOD(on_burst);
    sensitive << burst_ev_;
    dont_initialize();
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

std::uint32_t L0cBuffer::banks_of(std::uint64_t address, std::uint64_t bytes) const {
    const auto row_bytes = static_cast<std::uint64_t>(row_bytes_);
    const auto banks = static_cast<std::uint64_t>(banks_);
    const std::uint64_t first = address / row_bytes;
    const std::uint64_t rows = (address + bytes - 1) / row_bytes - first + 1;
    if (rows >= banks) return all_banks_;
    std::uint32_t mask = 0;
    for (std::uint64_t row = first; row < first + rows; ++row) mask |= 1u << (row % banks);
    return mask;
}

tlm::tlm_sync_enum L0cBuffer::cube_access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
    const tlm::tlm_sync_enum status = serve_exclusive(
        storage_, *clk.operator->(), PortDirection::read_write, payload, phase, delay);
    if (!payload.is_response_ok()) return status;
    if (payload.is_write() && !on_access) return status;
    const Cycles now = clk->now();
    const std::uint32_t banks = banks_of(payload.get_address(), payload.get_data_length());
    if (payload.is_read()) {
        advance_fixpipe(now); // beats of earlier cycles met the previous read, not this one
        cube_read_cycle_ = now;
        cube_read_banks_ = banks;
    }
    if (on_access) {
        on_access(clk->edge_after(delay), banks, payload.is_write());
    }
    return status;
}

tlm::tlm_sync_enum L0cBuffer::fixpipe_access(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_REQ || burst_ != nullptr)
        SC_REPORT_FATAL(name(), "FixPipe reads one burst at a time");
    if (!check_access(payload, storage_.size(), PortDirection::read)) return tlm::TLM_COMPLETED;
    payload.acquire();
    burst_ = &payload;
    beat_cycle_ = clk->now();
    beat_address_ = payload.get_address();
    beats_left_ = static_cast<int>(ceil_div(payload.get_data_length(), kFixpipeBeatBytes));
    burst_ev_.notify(clk->until(beat_cycle_ + std::max(Cycles(beats_left_), pace_of(payload))));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void L0cBuffer::advance_fixpipe(Cycles until) {
    for (; beats_left_ > 0 && beat_cycle_ < until; beat_cycle_ += Cycles(1)) {
        const std::uint32_t banks = banks_of(beat_address_, kFixpipeBeatBytes);
        if (beat_cycle_ == cube_read_cycle_ && (banks & cube_read_banks_) != 0) {
            if (on_conflict) on_conflict(beat_cycle_, Cycles(1));
            continue;
        }
        if (on_access) on_access(beat_cycle_, banks, false);
        beat_address_ += kFixpipeBeatBytes;
        --beats_left_;
    }
}

void L0cBuffer::on_burst() {
    const Cycles now = clk->now();
    advance_fixpipe(now);
    if (beats_left_ > 0) {
        burst_ev_.notify(clk->until(now + Cycles(beats_left_)));
        return;
    }
    tlm::tlm_generic_payload& payload = *burst_;
    burst_ = nullptr;
    storage_.read(now, payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (fixpipe_tsock->nb_transport_bw(payload, phase, delay) != tlm::TLM_COMPLETED) {
        SC_REPORT_FATAL(name(), "FixPipe must take a response at once");
    }
    payload.release();
}

unsigned L0cBuffer::transport_dbg(tlm::tlm_generic_payload& payload) {
    return debug_access(storage_, clk->now(), payload);
}

void L0cBuffer::on_reset() {
    if (burst_ != nullptr) {
        burst_->release(); // the buffer's reference
        burst_->release(); // FixPipe's, which forgets the burst as well
        burst_ = nullptr;
    }
    burst_ev_.cancel();
    beats_left_ = 0;
    cube_read_cycle_ = Cycles(-1);
    storage_.reset();
}

} // namespace aicore
