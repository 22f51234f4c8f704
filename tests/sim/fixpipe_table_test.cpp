// Entries of the tables in the Fixpipe buffer that no instruction may use: only the run shows them.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

#include <gtest/gtest.h>

#include <cstring>

namespace aicore::test {
namespace {

constexpr std::uint64_t kOne = 0x3F800000; ///< scale 1
constexpr std::uint64_t kSigned = std::uint64_t(1) << 46;

/// Quantises a 16 x 32 tile by a table of its columns; PReLU is optional.
class FixpipeTable : public SimTest {
protected:
    FixpipeTable() {
        fixpipe.quant_pre = QuantPreMode::VQF322B8_PRE;
        fixpipe.dst_type = DataType::int8;
        fixpipe.quant_table_addr = 0;
        bench.reset();
        set_entries(0, ByteVector(32 * 8));
        for (std::uint64_t column = 0; column < 32; ++column) entry(column, kOne | kSigned);
    }

    void set_entries(std::uint64_t address, const ByteVector& bytes) {
        bench.poke(Buffer::FB, address, bytes);
    }
    void entry(std::uint64_t column, std::uint64_t word) {
        ByteVector bytes(sizeof word);
        std::memcpy(bytes.data(), &word, sizeof word);
        set_entries(column * sizeof word, bytes);
    }

    tb::RunOutcome run() {
        ProgramList program;
        program.add(fixpipe);
        program.rewind();
        return bench.simulation().run(program);
    }
    const std::string& error() { return bench.simulation().chip().error_message(); }

    CoreBench bench;
    Fixpipe fixpipe = store_rows(16, 32);
};

TEST_F(FixpipeTable, LegalEntriesRun) { EXPECT_EQ(run(), tb::RunOutcome::finished) << error(); }

TEST_F(FixpipeTable, SignBitMustGoWithTheResult) {
    entry(21, kOne);
    EXPECT_EQ(run(), tb::RunOutcome::error);
    EXPECT_NE(error().find("panel 1: entry of column 5 in the table at quant_table_addr: bit 46 "
                           "must be set for an int8 result"),
              std::string::npos)
        << error();
}

TEST_F(FixpipeTable, ScaleMustBeANormalNumber) {
    entry(3, 0x7F800000 | kSigned);
    EXPECT_EQ(run(), tb::RunOutcome::error);
    EXPECT_NE(error().find("entry of column 3 in the table at quant_table_addr: the scale must be "
                           "zero or a normal float32"),
              std::string::npos)
        << error();
}

TEST_F(FixpipeTable, SlopeMustBeANormalNumber) {
    fixpipe.relu_pre = ReluMode::prelu;
    ByteVector slopes(32 * 4);
    slopes[7 * 4 + 2] = 0x40; // a subnormal number within the bits that are read
    set_entries(1 << 16, slopes);
    EXPECT_EQ(run(), tb::RunOutcome::error);
    EXPECT_NE(error().find("entry of column 7 in the table at relu_pre_table_addr: the slope must "
                           "be zero or a normal float32"),
              std::string::npos)
        << error();
}

TEST_F(FixpipeTable, TheShiftReadsNoScale) {
    fixpipe.src_type = DataType::int32;
    fixpipe.quant_pre = QuantPreMode::VSHIFTS322S16;
    fixpipe.dst_type = DataType::int16;
    entry(3, 0x7F800000 | kSigned);
    EXPECT_EQ(run(), tb::RunOutcome::finished) << error();
}

TEST_F(FixpipeTable, EntriesBeyondTheColumnsMayHoldAnything) {
    fixpipe.n_size = 21;
    fixpipe.dst_stride = 21;
    entry(21, kOne);
    EXPECT_EQ(run(), tb::RunOutcome::finished) << error();
}

} // namespace
} // namespace aicore::test
