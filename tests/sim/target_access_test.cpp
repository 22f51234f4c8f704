// What memory targets refuse, and how fast links are.
#include "tlm/bandwidth_meter.h"
#include "tlm/payload_pool.h"
#include "tlm/target_access.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace aicore::test {
namespace {

class TargetAccess : public ::testing::Test {
protected:
    static constexpr std::int64_t kSize = 1024;

    TargetAccess() {
        payload.set_read();
        payload.set_address(0);
        payload.set_data_ptr(data.data());
        payload.set_data_length(64);
        payload.set_streaming_width(64);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    /// The status that an access gets; INCOMPLETE when it may go on.
    tlm::tlm_response_status check(PortDirection direction = PortDirection::read_write) {
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        const bool served = check_access(payload, Bytes(kSize), direction);
        EXPECT_EQ(served, payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
        return payload.get_response_status();
    }

    tlm::tlm_generic_payload payload;
    std::array<std::uint8_t, 128> data{};
    std::array<std::uint8_t, 128> enable{};
};

TEST_F(TargetAccess, Commands) {
    EXPECT_EQ(check(PortDirection::read), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(check(PortDirection::read_write), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(check(PortDirection::write), tlm::TLM_COMMAND_ERROR_RESPONSE);
    payload.set_write();
    EXPECT_EQ(check(PortDirection::write), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(check(PortDirection::read_write), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(check(PortDirection::read), tlm::TLM_COMMAND_ERROR_RESPONSE);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(check(), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_F(TargetAccess, AtomicWritesNeedATargetThatTakesThem) {
    AccessExtension extension;
    extension.atomic = {AtomicOperation::add, AtomicElement::float32, false};
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_extension(&extension);
    const auto status = [this](PortDirection direction, bool takes_atomics) {
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        check_access(payload, Bytes(kSize), direction, takes_atomics);
        return payload.get_response_status();
    };
    EXPECT_EQ(status(PortDirection::write, true), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(status(PortDirection::write, false), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(status(PortDirection::read, true), tlm::TLM_COMMAND_ERROR_RESPONSE);
    payload.set_data_length(62);
    EXPECT_EQ(status(PortDirection::write, true), tlm::TLM_BURST_ERROR_RESPONSE);
    payload.clear_extension(&extension);
}

TEST_F(TargetAccess, Addresses) {
    payload.set_address(kSize - 64);
    EXPECT_EQ(check(), tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_address(kSize - 63);
    EXPECT_EQ(check(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    payload.set_address(kSize);
    EXPECT_EQ(check(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    payload.set_address(~std::uint64_t(0) - 31); // address + length wraps
    EXPECT_EQ(check(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    payload.set_address(0);
    payload.set_data_length(0);
    EXPECT_EQ(check(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(TargetAccess, Bursts) {
    payload.set_streaming_width(63);
    EXPECT_EQ(check(), tlm::TLM_BURST_ERROR_RESPONSE);
    payload.set_streaming_width(65);
    EXPECT_EQ(check(), tlm::TLM_INCOMPLETE_RESPONSE);
}

TEST_F(TargetAccess, ByteEnables) {
    payload.set_byte_enable_ptr(enable.data());
    payload.set_byte_enable_length(64);
    EXPECT_EQ(check(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE) << "reads have none";
    payload.set_write();
    EXPECT_EQ(check(), tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_byte_enable_length(kMaxByteEnableLength + 1);
    EXPECT_EQ(check(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    payload.set_byte_enable_length(0);
    EXPECT_EQ(check(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    payload.set_byte_enable_length(1);
    EXPECT_EQ(check(), tlm::TLM_INCOMPLETE_RESPONSE);
}

TEST(BandwidthMeter, BurstsThatTouchTakeTheCeilingOfTheirSum) {
    for (std::int64_t rate : {1, 32, 73, 118, 128, 168, 256}) {
        BandwidthMeter meter{BytesPerCycle(rate)};
        std::mt19937_64 random(static_cast<std::uint64_t>(rate));
        std::int64_t sum = 0;
        Cycles start(100);
        for (int burst = 0; burst < 1000; ++burst) {
            const auto bytes = static_cast<std::int64_t>(1 + random() % 700);
            const auto window = meter.reserve(start, Bytes(bytes));
            EXPECT_EQ(window.first, Cycles(100 + ceil_div(sum, rate)));
            sum += bytes;
            EXPECT_EQ(window.until, Cycles(100 + ceil_div(sum, rate)));
            EXPECT_EQ(meter.free_from(), window.until);
        }
    }
}

TEST(BandwidthMeter, GapEndsTheSharingOfCycles) {
    BandwidthMeter meter{BytesPerCycle(100)};
    EXPECT_EQ(meter.reserve(Cycles(0), Bytes(10)).until, Cycles(1));
    EXPECT_EQ(meter.reserve(Cycles(1), Bytes(90)).until, Cycles(1)) << "touches: same cycle";
    EXPECT_EQ(meter.reserve(Cycles(2), Bytes(10)).until, Cycles(3)) << "after a gap: a new cycle";
    const auto window = meter.reserve(Cycles(50), Bytes(101));
    EXPECT_EQ(window.first, Cycles(50));
    EXPECT_EQ(window.until, Cycles(52));
}

TEST(BandwidthMeter, PaceIsALowerBound) {
    BandwidthMeter meter{BytesPerCycle(256)};
    EXPECT_EQ(meter.reserve(Cycles(10), Bytes(64), Cycles(4)).until, Cycles(14));
    EXPECT_EQ(meter.reserve(Cycles(10), Bytes(64), Cycles(4)).until, Cycles(18));
    EXPECT_EQ(meter.reserve(Cycles(10), Bytes(2048), Cycles(4)).until, Cycles(26));
}

TEST(BandwidthMeter, ResetForgets) {
    BandwidthMeter meter{BytesPerCycle(1)};
    meter.reserve(Cycles(0), Bytes(1000));
    meter.reset();
    EXPECT_EQ(meter.free_from(), Cycles(0));
    EXPECT_EQ(meter.reserve(Cycles(3), Bytes(5)).until, Cycles(8));
}

} // namespace
} // namespace aicore::test
