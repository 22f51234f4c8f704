// Cycles of the loads whose rate is not that of their link alone.
#include "tests/support/core_bench.h"
#include "tests/support/instructions.h"

namespace aicore::test {
namespace {

class LoadTiming : public SimTest {
protected:
    /// 64 pixels of 32 float16 channels, 16 / rows of them in a row of the output: 8 fractals.
    static Load3d load3d(Buffer dst, int stride, int rows) {
        Load3d load;
        load.dst = dst;
        load.l1_h = 4 * rows;
        load.l1_w = 16 / rows * stride;
        load.channel_size = load.k_extension = 32;
        load.m_extension = 64;
        load.stride_w = stride;
        return load;
    }

    CoreBench bench;
};

using List = std::vector<std::int64_t>;

TEST_F(LoadTiming, Load3dKeepsTheRateOfTheVendorsTable) {
    std::vector<Operation> loads;
    List expected;
    for (const int stride : {1, 2, 3, 4, 5, 8, 16}) {
        for (const int rows : {1, 2, 4, 8, 16}) {
            const bool is_power = stride == 1 || stride == 2 || stride == 4 || stride == 8;
            const int cycles = std::min(2 * stride + (rows > 1 ? rows : 0), 16);
            for (const Buffer dst : {Buffer::L0A, Buffer::L0B}) {
                loads.push_back(load3d(dst, stride, rows));
                expected.push_back(50 +
                                   8 * ((is_power ? cycles : 16) + (dst == Buffer::L0B ? 2 : 0)));
            }
        }
    }
    EXPECT_EQ(bench.alone(loads), expected);
}

TEST_F(LoadTiming, PaddingAndPlaceInL1CostNothing) {
    std::vector<Operation> loads;
    for (const std::uint32_t addr : {0u, 32u, 96u, 224u, 262144u - 512u}) {
        Load3d load = load3d(Buffer::L0A, 1, 2);
        load.src_addr = addr; // any group of banks, and over the border of two banks
        loads.push_back(load);
    }
    EXPECT_EQ(bench.alone(loads), List(5, 50 + 8 * 4));

    Load3d load = load3d(Buffer::L0A, 1, 1);
    load.l1_h = load.l1_w = 1;
    load.pad_left = 15;
    load.pad_top = 3; // of 4 x 16 positions only the last one is in the map
    EXPECT_EQ(bench.alone({load}), List{50 + 8 * 2});
}

TEST_F(LoadTiming, LoadsInARowHideTheirLatency) {
    ProgramList program;
    for (int i = 0; i < 8; ++i) program.add(load3d(Buffer::L0A, 1, 2));
    bench.run(program);
    for (std::uint64_t i = 2; i <= 8; ++i) {
        EXPECT_EQ(bench.done(i) - bench.done(i - 1), Cycles(2 + 8 * 4));
    }
}

TEST_F(LoadTiming, TransposedSquares) {
    std::vector<Operation> loads;
    List expected;
    for (const auto& [bits, bytes] :
         {std::pair(4, 2048), std::pair(8, 1024), std::pair(16, 512), std::pair(32, 1024)}) {
        for (const Buffer dst : {Buffer::L0A, Buffer::L0B}) {
            LoadTranspose load;
            load.dst = dst;
            load.elem_bits = bits;
            load.repeat = 7;
            loads.push_back(load);
            expected.push_back(28 + 7 * bytes / (dst == Buffer::L0A ? 256 : 128));
        }
    }
    EXPECT_EQ(bench.alone(loads), expected);
}

TEST_F(LoadTiming, SparseLoads) {
    std::vector<Operation> loads;
    List expected;
    for (const int fractals : {1, 2, 64, 128}) {
        LoadSparse load;
        load.index_addr = 128 * 1024;
        load.repeat = fractals;
        loads.push_back(load);
        expected.push_back(30 + fractals * 4);
    }
    EXPECT_EQ(bench.alone(loads), expected);
}

TEST_F(LoadTiming, ConvertedBias) {
    L1ToBt copy;
    copy.block_len = 8;
    copy.src_type = DataType::float16;
    EXPECT_EQ(bench.alone({copy}), List{20 + 1024 / 32});
}

TEST_F(LoadTiming, LoadsFromGm) {
    std::vector<Operation> loads;
    List expected;
    for (const Buffer dst : {Buffer::L0A, Buffer::L0B}) {
        for (const std::int64_t fractals : {1, 2, 32}) {
            Load2d load = load_fractals(dst, fractals);
            load.src = Buffer::GM;
            loads.push_back(load);
            expected.push_back(164 + fractals * 512 / 128);
        }
    }
    EXPECT_EQ(bench.alone(loads), expected);
}

} // namespace
} // namespace aicore::test
