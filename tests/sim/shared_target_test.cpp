// A shared target: requests of one edge are granted in port order, whichever process ran first.
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"
#include "tlm/shared_target.h"

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>

namespace aicore::test {
namespace {

/// Serves one request after another, `service` cycles each.
class SerialTarget : public SharedTarget {
public:
    static constexpr int kPorts = 3;
    tlm_utils::simple_target_socket_tagged<SerialTarget, 64> tsock0{"tsock0"}, tsock1{"tsock1"},
        tsock2{"tsock2"};

    explicit SerialTarget(const sc_core::sc_module_name& name) : SharedTarget(name) {
        for (int port = 0; port < kPorts; ++port) {
            tsock(port).register_nb_transport_fw(this, &SerialTarget::nb_transport_fw, port);
        }
    }
    tlm_utils::simple_target_socket_tagged<SerialTarget, 64>& tsock(int port) {
        return port == 0 ? tsock0 : port == 1 ? tsock1 : tsock2;
    }

    Cycles service{2};
    std::string grants; ///< "<port>:<address> "
    int resets = 0;

private:
    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return collect(port, *tsock(port).operator->(), payload, phase, delay);
    }
    std::optional<Cycles> grant(int port, tlm::tlm_generic_payload& payload, Attempt&) override {
        grants += std::to_string(port) + ":" + std::to_string(payload.get_address()) + " ";
        free_from_ = std::max(free_from_, clk->now()) + service;
        return free_from_;
    }
    void serve(int, tlm::tlm_generic_payload& payload, Cycles due) override {
        EXPECT_TRUE(posted(payload) || due == clk->now());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool posted(const tlm::tlm_generic_payload& payload) const override {
        return payload.is_write();
    }
    void reset() override {
        free_from_ = Cycles(0);
        ++resets;
    }

    Cycles free_from_;
};

class SharedTargetTest : public SimTest {
protected:
    void SetUp() override {
        bench.connect(target);
        for (int i = 0; i < SerialTarget::kPorts; ++i) {
            initiators.push_back(std::make_unique<TestInitiator<64>>(
                ("initiator" + std::to_string(i)).c_str(),
                [this, i](void*, const sc_core::sc_time& delay) {
                    responses += std::to_string(i) + "@" + std::to_string(bench.now());
                    if (delay != sc_core::SC_ZERO_TIME) {
                        responses += "+" + std::to_string(delay / bench.period).substr(0, 1);
                    }
                    responses += " ";
                    if (on_response) on_response();
                }));
            initiators.back()->isock.socket.bind(target.tsock(i));
        }
    }
    std::size_t outstanding() const {
        std::size_t sum = 0;
        for (const auto& initiator : initiators) sum += initiator->pool.outstanding();
        return sum;
    }
    void request(int port, std::uint64_t address = 0) {
        initiators[static_cast<std::size_t>(port)]->read(address, data.data(), 8);
    }
    void post(int port) { initiators[static_cast<std::size_t>(port)]->write(0, data.data(), 8); }

    ClockBench bench;
    SerialTarget target{"target"};
    std::vector<std::unique_ptr<TestInitiator<64>>> initiators;
    std::array<std::uint8_t, 8> data{};
    std::string responses;
    std::function<void()> on_response;
};

TEST_F(SharedTargetTest, PortOrderWinsOverProcessOrder) {
    std::array<int, 3> order{0, 1, 2};
    std::int64_t cycle = 10;
    std::string expected;
    do {
        for (int port : order) bench.at(cycle, [this, port] { request(port); });
        for (int port = 0; port < 3; ++port) {
            expected += std::to_string(port) + "@" + std::to_string(cycle + 2 * (port + 1)) + " ";
        }
        cycle += 20;
    } while (std::next_permutation(order.begin(), order.end()));
    bench.run();
    EXPECT_EQ(responses, expected);
    EXPECT_EQ(outstanding(), 0u);
}

TEST_F(SharedTargetTest, OnePortKeepsTheOrderOfItsRequests) {
    bench.at(5, [this] {
        request(2, 1);
        request(0, 2);
        request(2, 3);
        request(0, 4);
    });
    bench.run();
    EXPECT_EQ(target.grants, "0:2 0:4 2:1 2:3 ");
    EXPECT_EQ(responses, "0@7 0@9 2@11 2@13 ");
}

TEST_F(SharedTargetTest, EarlierEdgeComesFirst) {
    bench.at(5, [this] { request(2); });
    bench.at(6, [this] { request(0); });
    bench.run();
    EXPECT_EQ(responses, "2@7 0@9 ");
}

TEST_F(SharedTargetTest, LaterGrantMayAnswerEarlier) {
    target.service = Cycles(40);
    bench.at(5, [this] { request(1); });
    bench.at(6, [this] { target.service = Cycles(-30); }); // ready at 45 - 30
    bench.at(7, [this] { request(0); });
    bench.run();
    EXPECT_EQ(responses, "0@15 1@45 ");
    EXPECT_EQ(outstanding(), 0u);
}

TEST_F(SharedTargetTest, PostedRequestIsAnsweredAtOnceWithTheRestOfItsTime) {
    bench.at(5, [this] { request(2); });
    bench.at(5, [this] { post(1); });
    bench.at(5, [this] { post(0); });
    bench.run();
    EXPECT_EQ(responses, "0@5+2 1@5+4 2@11 ");
    EXPECT_EQ(outstanding(), 0u);
}

TEST_F(SharedTargetTest, ResponseMayStartTheNextRequest) {
    on_response = [this] {
        if (bench.now() < 11) request(1);
    };
    bench.at(5, [this] { request(1); });
    bench.run();
    EXPECT_EQ(responses, "1@7 1@9 1@11 ");
    EXPECT_EQ(outstanding(), 0u);
}

TEST_F(SharedTargetTest, ResetDropsWhatIsUnderWay) {
    bench.at(10, [this] { request(0); });
    bench.at(11, [this] { request(1); });
    bench.run(11);
    EXPECT_EQ(outstanding(), 2u);
    bench.run(100);
    EXPECT_EQ(outstanding(), 0u);
    EXPECT_EQ(responses, "");
    EXPECT_EQ(target.resets, 1);
}

TEST_F(SharedTargetTest, AnnotatedDelayIsFatal) {
    bench.run(1);
    const ScopedExpectedReport expected(sc_core::SC_FATAL,
                                        "a shared port takes no annotated delay");
    EXPECT_THROW(initiators[0]->write(0, data.data(), 8, bench.period), sc_core::sc_report);
}

} // namespace
} // namespace aicore::test
