// Random loads of every kind, executed by the model and by a reference that walks elements.
#include "tests/support/core_bench.h"
#include "tests/support/load_reference.h"
#include "tests/support/random_loads.h"

#include <map>
#include <sstream>

namespace aicore::test {
namespace {

constexpr int kPrograms = 60;
constexpr int kLoadsPerProgram = 36;
constexpr std::int64_t kGmBytes = 1 << 17;

class RandomLoadsTest : public SimTest {
protected:
    explicit RandomLoadsTest(int arch) : arch_(arch) {}

    IsaLimits limits() const {
        const MemoriesConfig& memories = bench.platform().memories;
        IsaLimits limits;
        limits.gm_bytes = kGmBytes;
        limits.l1_bytes = memories.l1.usable().count();
        limits.l0a_bytes = memories.l0a.usable().count();
        limits.l0b_bytes = memories.l0b.usable().count();
        limits.bt_bytes = memories.bt.usable().count();
        limits.fb_bytes = memories.fb.usable().count();
        limits.fb1_bytes = memories.fb1.usable().count();
        limits.fb2_bytes = memories.fb2.usable().count();
        limits.fb3_bytes = memories.fb3.usable().count();
        limits.arch = arch_;
        return limits;
    }

    static ByteVector random_bytes(std::mt19937& random, std::int64_t count) {
        ByteVector bytes(static_cast<std::size_t>(count));
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
        return bytes;
    }

    /// Fills every memory with the same random bytes in the model and in the reference.
    void fill(std::uint32_t seed) {
        std::mt19937 random(seed);
        const MemoriesConfig& memories = bench.platform().memories;
        const auto set = [&](Buffer buffer, std::uint64_t addr, Bytes size, ByteVector& copy) {
            copy = random_bytes(random, size.count());
            bench.poke(buffer, addr, copy);
        };
        set(Buffer::GM, 0, Bytes(kGmBytes), reference.gm);
        set(Buffer::L1, 0, memories.l1.size_bytes, reference.l1);
        set(Buffer::L0A, 0, memories.l0a.size_bytes, reference.l0a);
        set(Buffer::L0B, 0, memories.l0b.size_bytes, reference.l0b);
        set(Buffer::L0B_IDX, 0, Bytes(memories.l0b.size_bytes.count() / 4), reference.l0b_index);
        set(Buffer::BT, 0, memories.bt.size_bytes, reference.bt);
        reference.fb.resize(4);
        const MemoryConfig* slices[] = {&memories.fb, &memories.fb1, &memories.fb2, &memories.fb3};
        for (std::size_t i = 0; i < 4; ++i) {
            set(Buffer::FB, i << 16, slices[i]->size_bytes, reference.fb[i]);
        }
    }

    /// A pipe's instructions follow one another without a barrier; pipes take turns.
    ProgramList make_program(RandomLoads& loads, std::map<std::string, int>& counts) {
        ProgramList program;
        Pipe last = Pipe::S;
        for (int i = 0; i < kLoadsPerProgram; ++i) {
            const Operation operation = i % 12 < 3 ? loads.gm_move() : loads.from_l1();
            ++counts[std::string(mnemonic(operation))];
            const Pipe pipe = pipe_of(operation);
            if (pipe != last || pipe == Pipe::MTE2) program.add(PipeBarrier{Pipe::ALL});
            last = pipe;
            program.add(operation);
        }
        return program;
    }

    void expect_equal(const char* name, const ByteVector& model, const ByteVector& expected) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (model[i] == expected[i]) continue;
            ADD_FAILURE() << name << " differs first at byte " << i << ": " << int{model[i]}
                          << " instead of " << int{expected[i]};
            return;
        }
    }

    void expect_memories() {
        const auto check = [&](const char* name, Buffer buffer, std::uint64_t addr,
                               const ByteVector& expected) {
            expect_equal(name, bench.peek(buffer, addr, expected.size()), expected);
        };
        check("GM", Buffer::GM, 0, reference.gm);
        check("L1", Buffer::L1, 0, reference.l1);
        check("L0A", Buffer::L0A, 0, reference.l0a);
        check("L0B", Buffer::L0B, 0, reference.l0b);
        check("L0B_IDX", Buffer::L0B_IDX, 0, reference.l0b_index);
        check("BT", Buffer::BT, 0, reference.bt);
        for (std::size_t i = 0; i < 4; ++i) check("FB", Buffer::FB, i << 16, reference.fb[i]);
    }

    std::map<std::string, int> run_all() {
        std::map<std::string, int> counts;
        RandomLoads loads(limits(), 20260 + static_cast<std::uint32_t>(arch_));
        for (int i = 0; i < kPrograms; ++i) {
            ProgramList program = make_program(loads, counts);
            std::ostringstream text;
            for (const Instruction& instruction : program.instructions()) {
                text << disassemble(instruction.operation) << '\n';
            }
            SCOPED_TRACE(text.str());
            bench.reset();
            fill(static_cast<std::uint32_t>(i));
            bench.run(program);
            for (const Instruction& instruction : program.instructions()) {
                if (!std::holds_alternative<PipeBarrier>(instruction.operation)) {
                    reference.execute(instruction.operation);
                }
            }
            expect_memories();
            if (HasFailure()) break;
        }
        return counts;
    }

    CoreBench bench;
    LoadReference reference;

private:
    int arch_;
};

class RandomLoads2201 : public RandomLoadsTest {
protected:
    RandomLoads2201() : RandomLoadsTest(2201) {}
};
class RandomLoads3510 : public RandomLoadsTest {
protected:
    RandomLoads3510() : RandomLoadsTest(3510) {}
};

TEST_F(RandomLoads2201, MatchTheReference) {
    const std::map<std::string, int> counts = run_all();
    for (const char* kind : {"nd2nz", "data_copy", "load2d", "load_transpose", "load_sparse",
                             "load3d", "l1_to_bt", "l1_to_fb"}) {
        EXPECT_GE(counts.count(kind) != 0 ? counts.at(kind) : 0, 50) << kind;
    }
}

TEST_F(RandomLoads3510, MatchTheReference) {
    const std::map<std::string, int> counts = run_all();
    for (const char* kind :
         {"load2d", "load2d_v2", "load_transpose", "load3d", "l1_to_bt", "l1_to_fb"}) {
        EXPECT_GE(counts.count(kind) != 0 ? counts.at(kind) : 0, 50) << kind;
    }
}

} // namespace
} // namespace aicore::test
