// Ports and payloads: what an initiator sends, and that nothing of it is left when it is over.
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace aicore::test {
namespace {

/// A target that notes what it gets and answers as it is told.
class ScriptedTarget : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<ScriptedTarget, 64> tsock{"tsock"};

    explicit ScriptedTarget(const sc_core::sc_module_name& name) : sc_module(name) {
        tsock.register_nb_transport_fw(this, &ScriptedTarget::nb_transport_fw);
    }

    tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
    tlm::tlm_phase answer_phase = tlm::BEGIN_REQ;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    std::optional<sc_core::sc_time> answer_delay;
    std::deque<tlm::tlm_generic_payload*> requests;
    std::function<void(tlm::tlm_generic_payload&, const sc_core::sc_time&)> look;

    tlm::tlm_sync_enum send(tlm::tlm_phase phase, tlm::tlm_generic_payload& payload,
                            sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
        if (phase == tlm::BEGIN_RESP) payload.set_response_status(status);
        return tsock->nb_transport_bw(payload, phase, delay);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        EXPECT_EQ(phase, tlm::BEGIN_REQ);
        if (look) look(payload, delay);
        requests.push_back(&payload);
        if (answer == tlm::TLM_COMPLETED) payload.set_response_status(status);
        if (answer == tlm::TLM_UPDATED) phase = answer_phase;
        if (answer_delay) delay = *answer_delay;
        return answer;
    }
};

class InitiatorPortTest : public SimTest {
protected:
    void SetUp() override {
        port.socket.bind(target.tsock);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    std::vector<void*> responses;
    std::vector<sc_core::sc_time> delays;
    TestInitiator<64> initiator{"initiator", [this](void* tag, const sc_core::sc_time& annotated) {
                                    responses.push_back(tag);
                                    delays.push_back(annotated);
                                }};
    InitiatorPort<64>& port = initiator.isock;
    PayloadPool& pool = initiator.pool;
    ScriptedTarget target{"target"};
    std::array<std::uint8_t, 64> data{};
    const sc_core::sc_time delay{30, sc_core::SC_NS};
};

TEST_F(InitiatorPortTest, SetsEveryAttribute) {
    std::array<std::uint8_t, 2> enable{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    Access access = Access::write(0x1234, data.data(), 48);
    access.byte_enable = enable.data();
    access.byte_enable_length = 2;
    access.pace = Cycles(7);
    access.tag = &data;
    int looked = 0;
    target.look = [&](tlm::tlm_generic_payload& payload, const sc_core::sc_time& annotated) {
        ++looked;
        EXPECT_TRUE(payload.is_write());
        EXPECT_EQ(payload.get_address(), 0x1234u);
        EXPECT_EQ(payload.get_data_ptr(), data.data());
        EXPECT_EQ(payload.get_data_length(), 48u);
        EXPECT_EQ(payload.get_streaming_width(), 48u);
        EXPECT_EQ(payload.get_byte_enable_ptr(), enable.data());
        EXPECT_EQ(payload.get_byte_enable_length(), 2u);
        EXPECT_FALSE(payload.is_dmi_allowed());
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_TRUE(payload.has_mm());
        EXPECT_EQ(payload.get_ref_count(), 1);
        ASSERT_NE(access_extension(payload), nullptr);
        EXPECT_EQ(access_extension(payload)->pace, Cycles(7));
        EXPECT_EQ(access_extension(payload)->tag, &data);
        EXPECT_EQ(annotated, delay);
        payload.set_dmi_allowed(true); // a target's hint must not survive in the pool
    };
    EXPECT_EQ(port.start(access, delay), delay);

    // The same payload again: nothing of the first transaction shows.
    target.look = [&](tlm::tlm_generic_payload& payload, const sc_core::sc_time& annotated) {
        ++looked;
        EXPECT_TRUE(payload.is_read());
        EXPECT_EQ(payload.get_address(), 5u);
        EXPECT_EQ(payload.get_data_length(), 3u);
        EXPECT_EQ(payload.get_streaming_width(), 3u);
        EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
        EXPECT_EQ(payload.get_byte_enable_length(), 0u);
        EXPECT_FALSE(payload.is_dmi_allowed());
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_EQ(access_extension(payload)->pace, Cycles(0));
        EXPECT_EQ(access_extension(payload)->tag, nullptr);
        EXPECT_EQ(annotated, sc_core::SC_ZERO_TIME);
    };
    EXPECT_EQ(port.start(Access::read(5, data.data(), 3)), sc_core::SC_ZERO_TIME);
    EXPECT_EQ(looked, 2);
    EXPECT_EQ(target.requests[0], target.requests[1]);
    EXPECT_EQ(pool.outstanding(), 0u);
}

TEST_F(InitiatorPortTest, EarlyCompletionReturnsTheTargetsDelay) {
    target.answer_delay = delay * 2;
    Access access = Access::read(0, data.data(), 8);
    EXPECT_EQ(port.start(access, delay), delay * 2);
    EXPECT_TRUE(responses.empty());
    EXPECT_EQ(pool.outstanding(), 0u);
}

TEST_F(InitiatorPortTest, AcceptedRequestIsAnsweredLater) {
    target.answer = tlm::TLM_ACCEPTED;
    Access access = Access::read(0, data.data(), 8);
    access.tag = &data[1];
    EXPECT_EQ(port.start(access), std::nullopt);
    EXPECT_EQ(pool.outstanding(), 1u);
    EXPECT_EQ(target.send(tlm::END_REQ, *target.requests[0]), tlm::TLM_ACCEPTED);
    EXPECT_TRUE(responses.empty());
    EXPECT_EQ(target.send(tlm::BEGIN_RESP, *target.requests[0]), tlm::TLM_COMPLETED);
    EXPECT_EQ(responses, std::vector<void*>{&data[1]});
    EXPECT_EQ(pool.outstanding(), 0u);
}

TEST_F(InitiatorPortTest, RequestsFollowAfterEndReqAndAreAnsweredInAnyOrder) {
    target.answer = tlm::TLM_UPDATED;
    target.answer_phase = tlm::END_REQ;
    for (int i = 0; i < 3; ++i) {
        Access access = Access::read(0, data.data(), 8);
        access.tag = &data[static_cast<std::size_t>(i)];
        EXPECT_EQ(port.start(access), std::nullopt);
    }
    EXPECT_EQ(pool.outstanding(), 3u);
    for (std::size_t i : {2u, 0u, 1u}) target.send(tlm::BEGIN_RESP, *target.requests[i]);
    EXPECT_EQ(responses, (std::vector<void*>{&data[2], &data[0], &data[1]}));
    EXPECT_EQ(pool.outstanding(), 0u);
}

TEST_F(InitiatorPortTest, BeginRespImpliesEndReq) {
    target.answer = tlm::TLM_ACCEPTED;
    port.start(Access::read(0, data.data(), 8));
    target.send(tlm::BEGIN_RESP, *target.requests[0]);
    EXPECT_EQ(port.start(Access::read(0, data.data(), 8)), std::nullopt);
}

TEST_F(InitiatorPortTest, AnnotatedDelayOfAResponseIsHandedOn) {
    target.answer = tlm::TLM_UPDATED;
    target.answer_phase = tlm::END_REQ;
    port.start(Access::write(0, data.data(), 8));
    target.send(tlm::BEGIN_RESP, *target.requests[0], delay);
    EXPECT_EQ(delays, std::vector<sc_core::sc_time>{delay});
}

TEST_F(InitiatorPortTest, VersionOfAConditionalReadGoesBothWays) {
    target.look = [](tlm::tlm_generic_payload& payload, const sc_core::sc_time&) {
        EXPECT_EQ(access_extension(payload)->version, 7u);
        access_extension(payload)->version = 9;
    };
    Access access = Access::read(0, data.data(), 8);
    access.version = 7;
    port.start(access);
    EXPECT_EQ(access.version, 9u);
    target.look = [](tlm::tlm_generic_payload& payload, const sc_core::sc_time&) {
        EXPECT_EQ(access_extension(payload)->version, 0u) << "of another access";
    };
    port.start(Access::read(0, data.data(), 8));
}

TEST_F(InitiatorPortTest, AnAtomicWriteIsNoWriteForOthers) {
    target.look = [](tlm::tlm_generic_payload& payload, const sc_core::sc_time&) {
        EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
        ASSERT_NE(atomic_access(payload), nullptr);
        EXPECT_EQ(atomic_access(payload)->operation, AtomicOperation::add);
        EXPECT_EQ(atomic_access(payload)->element, AtomicElement::int16);
        EXPECT_FALSE(access_extension(payload)->atomic_done);
        access_extension(payload)->atomic_done = true;
    };
    Access access = Access::write(0, data.data(), 8);
    access.atomic = {AtomicOperation::add, AtomicElement::int16, false};
    port.start(access);
    target.look = [](tlm::tlm_generic_payload& payload, const sc_core::sc_time&) {
        EXPECT_TRUE(payload.is_write()) << "of another access";
        EXPECT_EQ(atomic_access(payload), nullptr);
    };
    port.start(Access::write(0, data.data(), 8));
}

TEST_F(InitiatorPortTest, ATargetThatKnowsNoAtomicWritesIsFatal) {
    Access access = Access::write(0, data.data(), 8);
    access.atomic.operation = AtomicOperation::max;
    const ScopedExpectedReport expected(sc_core::SC_FATAL,
                                        "the target does not execute atomic writes");
    EXPECT_THROW(port.start(access), sc_core::sc_report);
}

TEST_F(InitiatorPortTest, SecondRequestBeforeEndReqIsFatal) {
    target.answer = tlm::TLM_ACCEPTED;
    port.start(Access::read(0, data.data(), 8));
    const ScopedExpectedReport expected(sc_core::SC_FATAL,
                                        "isock: second BEGIN_REQ before END_REQ");
    EXPECT_THROW(port.start(Access::read(0, data.data(), 8)), sc_core::sc_report);
}

TEST_F(InitiatorPortTest, ErrorResponseIsFatalAndNamesTheAccess) {
    target.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    const ScopedExpectedReport expected(sc_core::SC_FATAL,
                                        "TLM_ADDRESS_ERROR_RESPONSE for 8 bytes at address 4096");
    EXPECT_THROW(port.start(Access::read(4096, data.data(), 8)), sc_core::sc_report);
}

TEST_F(InitiatorPortTest, UnansweredCompletionIsFatal) {
    target.status = tlm::TLM_INCOMPLETE_RESPONSE;
    const ScopedExpectedReport expected(sc_core::SC_FATAL, "TLM_INCOMPLETE_RESPONSE");
    EXPECT_THROW(port.start(Access::read(0, data.data(), 8)), sc_core::sc_report);
}

TEST_F(InitiatorPortTest, WrongPhaseIsFatal) {
    target.answer = tlm::TLM_UPDATED;
    target.answer_phase = tlm::END_RESP;
    const ScopedExpectedReport expected(sc_core::SC_FATAL, "unexpected phase after BEGIN_REQ");
    EXPECT_THROW(port.start(Access::read(0, data.data(), 8)), sc_core::sc_report);
}

TEST_F(SimTest, ExclusivePortMustCompleteEarly) {
    TestInitiator<64> initiator("initiator");
    InitiatorPort<64>& port = initiator.isock;
    ScriptedTarget target("target");
    port.socket.bind(target.tsock);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    target.answer = tlm::TLM_ACCEPTED;
    std::array<std::uint8_t, 8> data{};
    port.start(Access::read(0, data.data(), data.size()));
    const ScopedExpectedReport expected(sc_core::SC_FATAL, "an exclusive port must complete early");
    EXPECT_THROW(target.send(tlm::BEGIN_RESP, *target.requests[0]), sc_core::sc_report);
}

} // namespace
} // namespace aicore::test
