#include "hw/core/control_port.h"

#include <algorithm>
#include <cstring>

namespace aicore {

namespace reg = control_register;

ControlPort::ControlPort(const sc_core::sc_module_name& name, int arch, std::uint32_t first_block,
                         ProgramWindow& window, LaunchControl& launch)
    : sc_module(name), arch_(arch), first_block_(first_block), window_(window), launch_(launch),
      block_index_(first_block) {
    tsock.register_b_transport(this, &ControlPort::b_transport);
    tsock.register_transport_dbg(this, &ControlPort::transport_dbg);
    SC_METHOD(on_reset);
    sensitive << rst_n.neg();
    dont_initialize();
}

void ControlPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (delay != sc_core::SC_ZERO_TIME) {
        wait(delay);
        delay = sc_core::SC_ZERO_TIME;
    }
    payload.set_dmi_allowed(false);
    payload.set_response_status(access(payload));
}

tlm::tlm_response_status ControlPort::access(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address(), bytes = payload.get_data_length();
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
    if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (bytes == 0 || payload.get_streaming_width() < bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (address < kProgramWindow) return access_register(payload);
    const std::uint64_t offset = address - kProgramWindow;
    if (!ProgramWindow::contains(offset, bytes)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.is_write()) {
        window_.write(offset, payload.get_data_ptr(), bytes);
    } else {
        window_.read(offset, payload.get_data_ptr(), bytes);
    }
    return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status ControlPort::access_register(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    std::uint32_t word = 0;
    if (address >= reg::kEnd || address % sizeof word != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.get_data_length() != sizeof word) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (payload.is_write()) {
        std::memcpy(&word, payload.get_data_ptr(), sizeof word);
        return write_register(address, word);
    }
    if (address == reg::kCyclesLow) {
        cycles_high_ =
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(launch_.cycles().count()) >> 32);
    }
    word = read_register(address);
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
    return tlm::TLM_OK_RESPONSE;
}

std::uint32_t ControlPort::read_register(std::uint64_t address) const {
    switch (address) {
    case reg::kId: return reg::kIdValue;
    case reg::kVersion: return reg::kVersionValue;
    case reg::kArch: return static_cast<std::uint32_t>(arch_);
    case reg::kControl: return 0;
    case reg::kStatus: return static_cast<std::uint32_t>(launch_.status());
    case reg::kErrorCode: return static_cast<std::uint32_t>(launch_.error_code());
    case reg::kBlockIndex: return block_index_;
    case reg::kBlockCount: return block_count_;
    case reg::kCyclesLow: return static_cast<std::uint32_t>(launch_.cycles().count());
    case reg::kCyclesHigh: return cycles_high_;
    case reg::kLaunches: return launch_.launches();
    default: return 0;
    }
}

tlm::tlm_response_status ControlPort::write_register(std::uint64_t address, std::uint32_t value) {
    const bool is_writable =
        address == reg::kControl || address == reg::kBlockIndex || address == reg::kBlockCount;
    if (!is_writable) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (!rst_n.read()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (address == reg::kBlockIndex) {
        block_index_ = value;
    } else if (address == reg::kBlockCount) {
        block_count_ = value;
    } else if ((value & reg::kStart) != 0 && !launch_.request(block_index_, block_count_)) {
        return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    return tlm::TLM_OK_RESPONSE;
}

unsigned ControlPort::transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    std::uint64_t bytes = payload.get_data_length();
    std::uint8_t* const data = payload.get_data_ptr();
    if (address >= kProgramWindow) {
        const std::uint64_t offset = address - kProgramWindow;
        if (offset >= kProgramWindowBytes) return 0;
        bytes = std::min(bytes, kProgramWindowBytes - offset);
        if (payload.is_write()) {
            window_.write(offset, data, bytes);
        } else if (payload.is_read()) {
            window_.read(offset, data, bytes);
        }
        return static_cast<unsigned>(bytes);
    }
    if (!payload.is_read() || address >= reg::kEnd) return 0;
    bytes = std::min(bytes, reg::kEnd - address);
    for (std::uint64_t i = 0; i < bytes; ++i) {
        const std::uint32_t word = read_register((address + i) / 4 * 4);
        std::memcpy(data + i, reinterpret_cast<const std::uint8_t*>(&word) + (address + i) % 4, 1);
    }
    return static_cast<unsigned>(bytes);
}

void ControlPort::on_reset() {
    block_index_ = first_block_;
    block_count_ = 1;
    cycles_high_ = 0;
}

} // namespace aicore
