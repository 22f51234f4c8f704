// The protocol checker reports each broken rule, and nothing when the base protocol is kept.
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"
#include "tlm/protocol_checker.h"

#include <tlm_utils/simple_target_socket.h>

#include <array>

namespace aicore::test {
namespace {

using tlm::tlm_generic_payload;

/// Expects that exactly one report with this rule comes.
class Breaks : public ScopedExpectedReport {
public:
    explicit Breaks(const std::string& rule)
        : ScopedExpectedReport(sc_core::SC_ERROR, "/aicore/protocol: link: " + rule) {}
};

/// Plays initiator and target against the rules.
class ProtocolRulesTest : public ::testing::Test {
protected:
    tlm_generic_payload& request() {
        tlm_generic_payload& payload = pool.acquire();
        payload.set_read();
        payload.set_address(0x40);
        payload.set_data_ptr(data.data());
        payload.set_data_length(8);
        payload.set_streaming_width(8);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload.set_dmi_allowed(false);
        return payload;
    }
    void forward(tlm_generic_payload& payload, tlm::tlm_phase phase, tlm::tlm_sync_enum status,
                 tlm::tlm_phase answered) {
        rules.before_forward(payload, phase);
        rules.after_forward(payload, answered, status);
    }
    void begin(tlm_generic_payload& payload) {
        forward(payload, tlm::BEGIN_REQ, tlm::TLM_UPDATED, tlm::END_REQ);
    }
    void accept(tlm_generic_payload& payload) {
        forward(payload, tlm::BEGIN_REQ, tlm::TLM_ACCEPTED, tlm::BEGIN_REQ);
    }
    void backward(tlm_generic_payload& payload, tlm::tlm_phase phase, tlm::tlm_sync_enum status) {
        rules.before_backward(payload, phase);
        rules.after_backward(payload, status);
    }
    static void answer(tlm_generic_payload& payload) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    PayloadPool pool;
    ProtocolRules rules{"link"};
    std::array<std::uint8_t, 16> data{};
};

TEST_F(ProtocolRulesTest, LegalTransactionsPass) {
    auto& early = request();
    rules.before_forward(early, tlm::BEGIN_REQ);
    answer(early);
    rules.after_forward(early, tlm::BEGIN_REQ, tlm::TLM_COMPLETED);

    auto& short_form = request(); // END_REQ by return value, END_RESP by return value
    begin(short_form);
    auto& second = request(); // pipelined behind it
    accept(second);
    backward(second, tlm::END_REQ, tlm::TLM_ACCEPTED);
    EXPECT_EQ(rules.in_flight(), 2u);
    answer(short_form);
    backward(short_form, tlm::BEGIN_RESP, tlm::TLM_COMPLETED);

    answer(second); // all four phases as calls
    backward(second, tlm::BEGIN_RESP, tlm::TLM_ACCEPTED);
    EXPECT_EQ(rules.in_flight(), 1u);
    forward(second, tlm::END_RESP, tlm::TLM_ACCEPTED, tlm::END_RESP);
    EXPECT_EQ(rules.in_flight(), 0u);

    auto& immediate = request(); // response by return value
    rules.before_forward(immediate, tlm::BEGIN_REQ);
    answer(immediate);
    rules.after_forward(immediate, tlm::BEGIN_RESP, tlm::TLM_UPDATED);
    forward(immediate, tlm::END_RESP, tlm::TLM_COMPLETED, tlm::END_RESP);
    EXPECT_EQ(rules.in_flight(), 0u);
}

TEST_F(ProtocolRulesTest, ForwardPhases) {
    const Breaks expected("only BEGIN_REQ and END_RESP go forward");
    rules.before_forward(request(), tlm::END_REQ);
}

TEST_F(ProtocolRulesTest, TransactionBegunTwice) {
    auto& payload = request();
    begin(payload);
    const Breaks expected("BEGIN_REQ for a transaction that has not ended");
    rules.before_forward(payload, tlm::BEGIN_REQ);
}

TEST_F(ProtocolRulesTest, RequestExclusion) {
    accept(request());
    const Breaks expected("BEGIN_REQ before the END_REQ of the previous request");
    rules.before_forward(request(), tlm::BEGIN_REQ);
}

TEST_F(ProtocolRulesTest, Command) {
    auto& payload = request();
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    const Breaks expected("command is neither read, write nor atomic write");
    begin(payload);
}

TEST_F(ProtocolRulesTest, AtomicWrite) {
    auto& payload = request();
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    access_extension(payload)->atomic.operation = AtomicOperation::add;
    begin(payload);
}

TEST_F(ProtocolRulesTest, DataPointer) {
    auto& payload = request();
    payload.set_data_ptr(nullptr);
    const Breaks expected("no data");
    begin(payload);
}

TEST_F(ProtocolRulesTest, DataLength) {
    auto& payload = request();
    payload.set_data_length(0);
    const Breaks expected("no data");
    begin(payload);
}

TEST_F(ProtocolRulesTest, StreamingWidth) {
    auto& payload = request();
    payload.set_streaming_width(4);
    const Breaks expected("streaming width below data length");
    begin(payload);
}

TEST_F(ProtocolRulesTest, ResponseStatusOfARequest) {
    auto& payload = request();
    answer(payload);
    const Breaks expected("response status of a request is not INCOMPLETE");
    begin(payload);
}

TEST_F(ProtocolRulesTest, DmiHintOfARequest) {
    auto& payload = request();
    payload.set_dmi_allowed(true);
    const Breaks expected("DMI hint set by the initiator");
    begin(payload);
}

TEST_F(ProtocolRulesTest, ReferenceCount) {
    tlm_generic_payload payload;
    payload.set_read();
    payload.set_data_ptr(data.data());
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    const Breaks expected("payload is not reference counted");
    begin(payload);
}

TEST_F(ProtocolRulesTest, CompletionWithoutResponse) {
    const Breaks expected("completed without a response");
    forward(request(), tlm::BEGIN_REQ, tlm::TLM_COMPLETED, tlm::BEGIN_REQ);
}

TEST_F(ProtocolRulesTest, PhaseOfAnUpdate) {
    const Breaks expected("a request may only be updated to END_REQ or BEGIN_RESP");
    forward(request(), tlm::BEGIN_REQ, tlm::TLM_UPDATED, tlm::BEGIN_REQ);
}

TEST_F(ProtocolRulesTest, ResponseByUpdateWithoutStatus) {
    const Breaks expected("BEGIN_RESP without a response");
    forward(request(), tlm::BEGIN_REQ, tlm::TLM_UPDATED, tlm::BEGIN_RESP);
}

TEST_F(ProtocolRulesTest, BackwardCallForAStranger) {
    auto& payload = request();
    answer(payload);
    const Breaks expected("backward call for a transaction that has not begun");
    rules.before_backward(payload, tlm::BEGIN_RESP);
}

TEST_F(ProtocolRulesTest, SecondEndReq) {
    auto& payload = request();
    begin(payload);
    const Breaks expected("second END_REQ");
    rules.before_backward(payload, tlm::END_REQ);
}

TEST_F(ProtocolRulesTest, ResponseWithoutStatus) {
    auto& payload = request();
    begin(payload);
    const Breaks expected("BEGIN_RESP without a response");
    rules.before_backward(payload, tlm::BEGIN_RESP);
}

TEST_F(ProtocolRulesTest, ResponseExclusion) {
    auto& first = request();
    auto& second = request();
    begin(first);
    begin(second);
    answer(first);
    answer(second);
    backward(first, tlm::BEGIN_RESP, tlm::TLM_ACCEPTED);
    const Breaks expected("BEGIN_RESP before the END_RESP of the previous response");
    backward(second, tlm::BEGIN_RESP, tlm::TLM_ACCEPTED);
}

TEST_F(ProtocolRulesTest, BackwardPhases) {
    auto& payload = request();
    begin(payload);
    const Breaks expected("only END_REQ and BEGIN_RESP go backward");
    rules.before_backward(payload, tlm::END_RESP);
}

TEST_F(ProtocolRulesTest, EndRespWithoutBeginResp) {
    auto& payload = request();
    begin(payload);
    const Breaks expected("END_RESP without BEGIN_RESP");
    rules.before_forward(payload, tlm::END_RESP);
}

TEST_F(ProtocolRulesTest, FrozenAttributes) {
    const auto changes = {+[](tlm_generic_payload& p) { p.set_address(0x48); },
                          +[](tlm_generic_payload& p) { p.set_write(); },
                          +[](tlm_generic_payload& p) { p.set_data_length(7); },
                          +[](tlm_generic_payload& p) { p.set_data_ptr(p.get_data_ptr() + 1); }};
    for (const auto& change : changes) {
        auto& payload = request();
        begin(payload);
        change(payload);
        answer(payload);
        const Breaks expected("attributes changed during the transaction");
        backward(payload, tlm::BEGIN_RESP, tlm::TLM_COMPLETED);
    }
}

TEST_F(ProtocolRulesTest, ResetEndsWhatIsUnderWay) {
    auto& payload = request();
    accept(payload);
    rules.reset();
    EXPECT_EQ(rules.in_flight(), 0u);
    begin(payload);
}

/// A target that completes without an answer and grants DMI.
class BadTarget : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<BadTarget, 64> tsock{"tsock"};

    explicit BadTarget(const sc_core::sc_module_name& name) : sc_module(name) {
        tsock.register_nb_transport_fw(this, &BadTarget::nb_transport_fw);
        tsock.register_get_direct_mem_ptr(this, &BadTarget::get_direct_mem_ptr);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi&) { return true; }
};

TEST_F(SimTest, CheckerWatchesItsLink) {
    TestInitiator<64> initiator("initiator");
    InitiatorPort<64>& port = initiator.isock;
    ProtocolChecker<64> checker("link");
    BadTarget target("target");
    sc_core::sc_signal<bool> rst_n("rst_n");
    checker.rst_n(rst_n);
    port.socket.bind(checker.tsock);
    checker.isock.bind(target.tsock);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    {
        std::array<std::uint8_t, 8> data{};
        const Breaks expected("completed without a response");
        const ScopedExpectedReport refused(sc_core::SC_FATAL, "TLM_INCOMPLETE_RESPONSE");
        EXPECT_THROW(port.start(Access::read(0, data.data(), 8)), sc_core::sc_report);
    }
    {
        tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        const Breaks expected("a timed port must refuse DMI");
        EXPECT_TRUE(port.socket->get_direct_mem_ptr(payload, dmi));
    }
    EXPECT_EQ(checker.rules().in_flight(), 0u);
}

} // namespace
} // namespace aicore::test
