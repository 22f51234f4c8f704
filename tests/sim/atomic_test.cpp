// Atomic writes of several cores to global memory.
#include "tests/support/program_test.h"

#include <cstring>
#include <string>
#include <vector>

namespace aicore::test {
namespace {

class AtomicTest : public ProgramTest {
protected:
    template <typename T>
    void load_values(std::uint64_t address, const std::vector<T>& values) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
        load(address, ByteVector(bytes, bytes + values.size() * sizeof(T)));
    }
    template <typename T>
    std::vector<T> values(std::uint64_t address, std::size_t count) {
        const ByteVector bytes = dump(address, count * sizeof(T));
        std::vector<T> result(count);
        std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }
};

TEST_F(AtomicTest, AllVectorCoresAddIntoOneTensor) {
    constexpr std::size_t kElements = 1024; // two lines of 512 B for each row of 256
    std::vector<std::int32_t> sums(kElements, 7), source;
    load_values(1 << 20, sums);
    for (std::int32_t core = 0; core < 4; ++core) {
        for (std::size_t i = 0; i < kElements; ++i) {
            source.push_back(core * 1000 - static_cast<std::int32_t>(i));
            sums[i] += source.back();
        }
    }
    load_values(0, source);
    ASSERT_EQ(run(R"(
  aiv:
    - {op: data_copy, src: GM, src_addr: core * 4096, dst: UB, dst_addr: 0, block_len: 128}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: set_atomic, operation: add, dtype: int32}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 1048576, block_len: 128}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(values<std::int32_t>(1 << 20, kElements), sums);
}

/// Cube cores take the way through L1; each element is a maximum of its own.
TEST_F(AtomicTest, CubeCoresTakeTheMaximum) {
    load_values<float>(4096, {1, 2, 3, 4, 5, 6, 7, 8});
    load_values<float>(0, {8, 7, 6, 5, 4, 3, 2, 1});
    load_values<float>(512, {0, 0, 9, 0, 0, 0, 0, 9});
    ASSERT_EQ(run(R"(
  aic:
    - {op: data_copy, src: GM, src_addr: core * 512, dst: L1, dst_addr: 0, block_len: 1}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: set_atomic, operation: max, dtype: float32}
    - {op: data_copy, src: L1, src_addr: 0, dst: GM, dst_addr: 4096, block_len: 1}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(values<float>(4096, 8), (std::vector<float>{8, 7, 9, 5, 5, 6, 7, 9}));
}

TEST_F(AtomicTest, HoldsForWhatIsDispatchedFromThenOn) {
    load_values<std::int16_t>(0, std::vector<std::int16_t>(16, 5));
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 0, block_len: 1}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 512, block_len: 1}
    - {op: set_atomic, operation: add, dtype: int16}
    - {op: pipe_barrier, pipe: MTE3}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 512, block_len: 1}
    - {op: data_copy_pad, src: UB, src_addr: 0, dst: GM, dst_addr: 1022, block_len: 6}
    - {op: set_atomic, operation: none}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 2048, block_len: 1}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(values<std::int16_t>(512, 16), std::vector<std::int16_t>(16, 10));
    EXPECT_EQ(values<std::int16_t>(1022, 4), (std::vector<std::int16_t>{5, 5, 5, 0}));
    EXPECT_EQ(values<std::int16_t>(2048, 16), std::vector<std::int16_t>(16, 5));
}

/// One first, then the small numbers, each of which is lost; the other way round they would count.
TEST_F(AtomicTest, FloatsAreAddedInTheOrderOfTheirArrival) {
    load_values<float>(0, std::vector<float>(8, 1.0f));
    load_values<float>(512, std::vector<float>(8, 0x1p-24f));
    ASSERT_EQ(run(R"(
  aiv0:
    - {op: data_copy, src: GM, src_addr: 512, dst: UB, dst_addr: 0, block_len: 1}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: set_atomic, operation: add, dtype: float32}
    - {op: cross_core_set_flag, pipe: MTE3, mode: 1, id: 0}
    - {op: cross_core_wait_flag, id: 0}
    - {loop: {var: i, count: 2}, body: [{op: data_copy, src: UB, src_addr: 0, dst: GM,
       dst_addr: 4096, block_len: 1}]}
  aiv1:
    - {op: data_copy, src: GM, src_addr: 0, dst: UB, dst_addr: 0, block_len: 1}
    - {sync: [MTE2, MTE3], event: 0}
    - {op: set_atomic, operation: add, dtype: float32}
    - {op: data_copy, src: UB, src_addr: 0, dst: GM, dst_addr: 4096, block_len: 1}
    - {op: cross_core_set_flag, pipe: MTE3, mode: 1, id: 0}
    - {op: cross_core_wait_flag, id: 0}
)"),
              tb::RunOutcome::finished);
    EXPECT_EQ(values<float>(4096, 8), std::vector<float>(8, 1.0f));
}

} // namespace
} // namespace aicore::test
