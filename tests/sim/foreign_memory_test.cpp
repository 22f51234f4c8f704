// The bus interface on memories of others: whatever the base protocol allows a target to do.
#include "hw/mem/bus_interface.h"
#include "tests/support/clock_bench.h"
#include "tests/support/sim_test.h"
#include "tests/support/test_initiator.h"

#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <tlm_utils/peq_with_get.h>

namespace aicore::test {
namespace {

/// How a memory answers.
enum class Manner {
    completes_early,        ///< TLM_COMPLETED with a delay
    responds_in_the_call,   ///< TLM_UPDATED with BEGIN_RESP
    ends_requests_late,     ///< TLM_ACCEPTED, END_REQ later, then BEGIN_RESP
    implies_end_of_request, ///< TLM_ACCEPTED, then BEGIN_RESP without END_REQ
    responds_in_reverse,    ///< END_REQ at once, every four responses in reverse
    between_edges,          ///< BEGIN_RESP off the edges of the clock
    holds_nothing           ///< takes no reference to the payload while it works on it
};
constexpr Manner kManners[] = {Manner::completes_early,     Manner::responds_in_the_call,
                               Manner::ends_requests_late,  Manner::implies_end_of_request,
                               Manner::responds_in_reverse, Manner::between_edges,
                               Manner::holds_nothing};

/// A memory that knows nothing of this project.
class ForeignMemory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<ForeignMemory, 4096> tsock{"tsock"};
    int waiting_requests = 0; ///< BEGIN_REQ taken, END_REQ not given
    bool overlaps = false;    ///< a request came before the END_REQ of the last one

    SC_HAS_PROCESS(ForeignMemory);
    ForeignMemory(const sc_core::sc_module_name& name, Manner manner, sc_core::sc_time cycle)
        : sc_module(name), manner_(manner), cycle_(cycle), bytes_(1 << 16) {
        tsock.register_nb_transport_fw(this, &ForeignMemory::fw);
        SC_METHOD(on_end_request);
        sensitive << requests_.get_event();
        dont_initialize();
        SC_METHOD(on_respond);
        sensitive << responses_.get_event();
        dont_initialize();
    }

private:
    tlm::tlm_sync_enum fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay) {
        if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
        overlaps = overlaps || waiting_requests > 0;
        switch (manner_) {
        case Manner::completes_early:
            move(payload);
            delay += 7 * cycle_;
            return tlm::TLM_COMPLETED;
        case Manner::responds_in_the_call:
            move(payload);
            delay += 7 * cycle_;
            phase = tlm::BEGIN_RESP;
            return tlm::TLM_UPDATED;
        case Manner::ends_requests_late:
            ++waiting_requests;
            payload.acquire();
            requests_.notify(payload, 3 * cycle_);
            return tlm::TLM_ACCEPTED;
        case Manner::implies_end_of_request:
            ++waiting_requests;
            payload.acquire();
            responses_.notify(payload, 7 * cycle_);
            return tlm::TLM_ACCEPTED;
        case Manner::responds_in_reverse:
            payload.acquire();
            held_.push_back(&payload);
            if (held_.size() == 4) {
                for (int i = 3; i >= 0; --i)
                    responses_.notify(*held_[static_cast<std::size_t>(i)], (20 - i) * cycle_);
                held_.clear();
            }
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        case Manner::between_edges:
            payload.acquire();
            responses_.notify(payload, 7.3 * cycle_);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        case Manner::holds_nothing:
            responses_.notify(payload, 7 * cycle_);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        return tlm::TLM_ACCEPTED;
    }

    void on_end_request() {
        while (auto* payload = requests_.get_next_transaction()) {
            --waiting_requests;
            tlm::tlm_phase phase = tlm::END_REQ;
            sc_core::sc_time delay;
            tsock->nb_transport_bw(*payload, phase, delay);
            responses_.notify(*payload, 9 * cycle_);
        }
    }
    void on_respond() {
        while (auto* payload = responses_.get_next_transaction()) {
            if (manner_ == Manner::implies_end_of_request) --waiting_requests;
            move(*payload);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            EXPECT_EQ(tsock->nb_transport_bw(*payload, phase, delay), tlm::TLM_COMPLETED);
            if (manner_ != Manner::holds_nothing) payload->release();
        }
    }
    void move(tlm::tlm_generic_payload& payload) {
        std::uint8_t* place = bytes_.data() + payload.get_address();
        if (payload.is_read()) {
            std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
        } else {
            std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
        }
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    Manner manner_;
    sc_core::sc_time cycle_;
    std::vector<std::uint8_t> bytes_;
    std::vector<tlm::tlm_generic_payload*> held_;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"};
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> responses_{"responses"};
};

LinkConfig way() {
    LinkConfig config;
    config.bytes_per_cycle = BytesPerCycle(64);
    config.latency_cycles = Cycles(5);
    return config;
}

class ForeignMemoryTest : public SimTest, public testing::WithParamInterface<Manner> {
protected:
    void SetUp() override {
        bench.connect(biu);
        biu.gm_isock.bind(memory.tsock);
        reader.isock.socket.bind(biu.tsocks[0]);
        writer.isock.socket.bind(biu.tsocks[1]);
        for (std::size_t i = 0; i < kBursts; ++i) {
            written[i].fill(static_cast<std::uint8_t>(i + 1));
            read[i].fill(0xee);
        }
    }
    void write_at(std::int64_t cycle) {
        bench.at(cycle, [this] {
            for (std::size_t i = 0; i < kBursts; ++i)
                writer.write(512 * i, written[i].data(), written[i].size());
        });
    }
    void read_at(std::int64_t cycle) {
        bench.at(cycle, [this] {
            for (std::size_t i = 0; i < kBursts; ++i)
                reader.read(512 * i, read[i].data(), read[i].size());
        });
    }

    static constexpr std::size_t kBursts = 8;
    using Data = std::array<std::array<std::uint8_t, 512>, kBursts>;
    ClockBench bench;
    ForeignMemory memory{"memory", GetParam(), bench.period};
    BusInterface biu{"biu", {{0, true, way()}, {}}};
    std::vector<sc_core::sc_time> times;
    int writes = 0;
    TestInitiator<4096> reader{"reader",
                               [this](void*, const sc_core::sc_time&delay) {
                                   times.push_back(sc_core::sc_time_stamp() + delay);
                               }},
        writer{"writer", [this](void*, const sc_core::sc_time&) { ++writes; }};
    Data written{}, read{};
};

TEST_P(ForeignMemoryTest, EveryBurstArrivesOnAnEdgeAtTheRateOfTheWay) {
    write_at(10);
    read_at(200);
    bench.run(1000);
    EXPECT_EQ(writes, static_cast<int>(kBursts));
    EXPECT_EQ(read, written);
    EXPECT_FALSE(memory.overlaps);
    ASSERT_EQ(times.size(), kBursts);
    for (std::size_t i = 0; i < kBursts; ++i) {
        EXPECT_EQ(times[i].value() % bench.period.value(), 0u);
        if (i > 0) {
            EXPECT_GE(times[i] - times[i - 1], 8 * bench.period);
        }
    }
    EXPECT_EQ(biu.outstanding() + reader.pool.outstanding() + writer.pool.outstanding(), 0u);
}

TEST_P(ForeignMemoryTest, AnswersAfterAResetChangeNothing) {
    write_at(10);
    bench.run(100);
    read_at(10); // the reset comes while the memory works on them
    bench.run(14);
    Data untouched{};
    read = untouched;
    times.clear();
    bench.run(100);
    EXPECT_EQ(read, untouched);
    EXPECT_TRUE(times.empty());
    read_at(10);
    bench.run(1000);
    EXPECT_EQ(read, written);
    EXPECT_EQ(times.size(), kBursts);
    EXPECT_FALSE(memory.overlaps);
    EXPECT_EQ(biu.outstanding() + reader.pool.outstanding(), 0u);
}

/// It takes them for no command that it knows; the engine goes on.
TEST_P(ForeignMemoryTest, AtomicWritesThatNobodyExecutesAreAnError) {
    std::vector<std::string> errors;
    biu.on_error = [&](const std::string& message) { errors.push_back(message); };
    bench.at(10, [this] {
        for (std::size_t i = 0; i < kBursts; ++i) {
            Access access = Access::write(512 * i, written[i].data(), written[i].size());
            access.atomic.operation = AtomicOperation::add;
            writer.isock.start(access);
        }
    });
    bench.run(1000);
    EXPECT_EQ(writes, static_cast<int>(kBursts));
    EXPECT_EQ(errors,
              std::vector<std::string>(kBursts, "global memory does not execute atomic writes"));
}

TEST_P(ForeignMemoryTest, AWriteThatAResetCutsOffKeepsItsData) {
    write_at(10);
    bench.run(14);
    const Data original = written;
    bench.at(0, [this] {
        for (auto& burst : written) burst.fill(0xff); // the engine uses its buffers again
    });
    bench.run(100);
    read_at(10);
    bench.run(1000);
    for (std::size_t i = 0; i < kBursts; ++i) {
        if (read[i][0] != 0) {
            EXPECT_EQ(read[i], original[i]) << i;
        }
    }
    EXPECT_EQ(biu.outstanding() + reader.pool.outstanding() + writer.pool.outstanding(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Manners, ForeignMemoryTest, testing::ValuesIn(kManners));

} // namespace
} // namespace aicore::test
