// Steps of the loads: how they are cut and what they are charged. What they do to the data is
// compared with a reference in a simulation (tests/sim/random_loads_test.cpp).
#include "hw/isa/load_walk.h"

#include <gtest/gtest.h>

#include <vector>

namespace aicore {
namespace {

std::vector<LoadStep> steps_of(const Operation& operation) {
    LoadWalk walk = load_walk(operation);
    std::vector<LoadStep> steps;
    LoadStep step;
    while (next_step(walk, step)) steps.push_back(step);
    return steps;
}

/// The pieces fill the raw buffer without gaps, in order.
void expect_filled(const LoadStep& step) {
    int filled = 0;
    for (int i = 0; i < step.piece_count; ++i) {
        EXPECT_EQ(step.pieces[static_cast<std::size_t>(i)].offset, filled);
        filled += step.pieces[static_cast<std::size_t>(i)].bytes;
    }
    EXPECT_EQ(filled, step.raw_bytes);
    EXPECT_LE(filled, LoadStep::kRawBytes);
}

TEST(LoadSteps, AFractalIsOnePiece) {
    Load2d load;
    load.repeat = 3;
    const std::vector<LoadStep> steps = steps_of(load);
    ASSERT_EQ(steps.size(), 3u);
    for (const LoadStep& step : steps) {
        expect_filled(step);
        EXPECT_EQ(step.piece_count, 1);
        EXPECT_EQ(step.charged, Bytes(512));
        EXPECT_EQ(step.pace, Cycles(0));
    }
}

TEST(LoadSteps, OtherInstructionsHaveNoWalk) {
    EXPECT_THROW(load_walk(Mmad{}), std::invalid_argument);
    EXPECT_THROW(load_walk(L1ToFb{}), std::invalid_argument);
}

TEST(LoadSteps, ASquareIsOneStep) {
    for (const auto& [bits, fractals] :
         {std::pair(4, 4), std::pair(8, 2), std::pair(16, 1), std::pair(32, 2)}) {
        LoadTranspose load;
        load.elem_bits = bits;
        load.repeat = 2;
        const std::vector<LoadStep> steps = steps_of(load);
        ASSERT_EQ(steps.size(), 2u);
        EXPECT_EQ(steps[1].output_count, fractals);
        EXPECT_EQ(steps[1].charged, Bytes(512 * fractals));
        expect_filled(steps[1]);
    }
}

TEST(LoadSteps, AConvertedBiasIsChargedByWhatIsWritten) {
    L1ToBt copy;
    copy.block_len = 5; // 320 bytes of float16
    copy.src_type = DataType::float16;
    const std::vector<LoadStep> steps = steps_of(copy);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].raw_bytes, 256);
    EXPECT_EQ(steps[0].charged, Bytes(512));
    EXPECT_EQ(steps[1].raw_bytes, 64);
    EXPECT_EQ(steps[1].outputs[0].addr, 512u);
    EXPECT_EQ(steps[1].outputs[0].bytes, 128);
}

TEST(LoadSteps, ARepeatedTableBlock) {
    L1ToFb copy;
    copy.bytes = 640;
    copy.block_count = 2;
    copy.dst_stride = 5;
    L1ToFbWalk walk(copy);
    LoadStep step;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> moves;
    while (walk.next(step)) moves.emplace_back(step.pieces[0].src, step.outputs[0].addr);
    using Moves = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
    EXPECT_EQ(moves, (Moves{{0, 0}, {512, 512}, {0, 640}, {512, 1152}}));
}

Load3d matrix(Buffer dst, int bits) {
    Load3d load;
    load.dst = dst;
    load.elem_bits = bits;
    load.l1_h = 1;
    load.l1_w = 48;
    load.channel_size = load.k_extension = 2 * 256 / bits;
    load.m_extension = 48;
    return load;
}

TEST(LoadSteps, AMatrixIsReadByWholeFractals) {
    for (const int bits : {8, 16, 32}) {
        const std::vector<LoadStep> steps = steps_of(matrix(Buffer::L0A, bits));
        ASSERT_EQ(steps.size(), 6u);
        for (const LoadStep& step : steps) {
            expect_filled(step);
            EXPECT_EQ(step.piece_count, 1);
            EXPECT_EQ(step.pace, Cycles(2));
        }
    }
    EXPECT_EQ(steps_of(matrix(Buffer::L0B, 16)).size(), 6u);
    const std::vector<LoadStep> pairs = steps_of(matrix(Buffer::L0B, 32));
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_EQ(pairs[0].piece_count, 2);
    EXPECT_EQ(pairs[0].pace, Cycles(4));
    EXPECT_EQ(pairs[0].fractals, 2);
}

TEST(LoadSteps, FractalsAreWrittenInTheOrderOfTheirAddresses) {
    for (const Buffer dst : {Buffer::L0A, Buffer::L0B}) {
        for (const bool transpose : {false, true}) {
            for (const int stride : {0, 12}) {
                Load3d load = matrix(dst, 16);
                load.transpose = transpose;
                load.dst_stride = stride;
                std::uint32_t last = 0;
                for (const LoadStep& step : steps_of(load)) {
                    EXPECT_TRUE(step.outputs[0].addr > last || step.outputs[0].addr == 0);
                    last = step.outputs[0].addr;
                }
            }
        }
    }
}

TEST(LoadSteps, PixelsOutsideTheMapArePadding) {
    Load3d load;
    load.l1_h = load.l1_w = 1;
    load.channel_size = load.k_extension = 16;
    load.m_extension = 16;
    load.pad_top = load.pad_left = 2;
    load.pad_right = load.pad_bottom = 1; // 4 x 4 positions, one of them in the map
    const std::vector<LoadStep> steps = steps_of(load);
    ASSERT_EQ(steps.size(), 1u);
    ASSERT_EQ(steps[0].piece_count, 3);
    EXPECT_EQ(steps[0].pieces[0].source, LoadStep::Source::pad);
    EXPECT_EQ(steps[0].pieces[0].bytes, 10 * 32);
    EXPECT_EQ(steps[0].pieces[1].source, LoadStep::Source::l1);
    EXPECT_EQ(steps[0].pieces[2].source, LoadStep::Source::pad);
    EXPECT_EQ(steps[0].pace, Cycles(6)); // four rows of the output
}

TEST(Load3dRates, TheVendorsTable) {
    // Bytes a cycle to L0A: 512 / cycles.
    EXPECT_EQ(load3d_fractal_cycles(1, 1), Cycles(2));
    for (std::int64_t rows = 2; rows <= 14; ++rows) {
        EXPECT_EQ(load3d_fractal_cycles(1, rows), Cycles(rows + 2));
    }
    EXPECT_EQ(load3d_fractal_cycles(1, 15), Cycles(16));
    EXPECT_EQ(load3d_fractal_cycles(1, 16), Cycles(16));
    for (const int stride : {2, 4, 8}) {
        EXPECT_EQ(load3d_fractal_cycles(stride, 1), Cycles(2 * stride));
        for (std::int64_t rows = 2; rows <= 16; ++rows) {
            EXPECT_EQ(load3d_fractal_cycles(stride, rows),
                      Cycles(std::min<std::int64_t>(2 * stride + rows, 16)));
        }
    }
    for (const int stride : {3, 5, 6, 7, 9, 16, 63}) {
        for (std::int64_t rows = 1; rows <= 16; ++rows) {
            EXPECT_EQ(load3d_fractal_cycles(stride, rows), Cycles(16));
        }
    }
}

} // namespace
} // namespace aicore
