// The vendor's example vectors of vector instructions, without time: files go to UB, instructions
// run, UB is compared. The vectors come from outside of the repository.
#include "tests/support/vector_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace aicore::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

class VectorGolden : public testing::Test {
protected:
    void SetUp() override {
        machine_.ub.assign(192 * 1024, 0xA5);
        if (!std::ifstream(path("brcb/u16/golden.bin"))) GTEST_SKIP() << "no example vectors";
    }

    static std::string path(const std::string& file) { return AICORE_SHARED_DIR "/golden/" + file; }
    static Bytes read(const std::string& file) {
        std::ifstream stream(path(file), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
    void load(const std::string& file, std::size_t addr) {
        const Bytes bytes = read(file);
        ASSERT_FALSE(bytes.empty()) << file;
        std::copy(bytes.begin(), bytes.end(),
                  machine_.ub.begin() + static_cast<std::ptrdiff_t>(addr));
    }
    void run(const Operation& operation) { machine_.execute(operation); }

    void expect_bytes(const std::string& file, std::size_t addr, std::size_t count = 0) {
        const Bytes golden = read(file);
        if (count == 0) count = golden.size();
        ASSERT_GE(golden.size(), count);
        ASSERT_GT(count, 0u);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(machine_.ub[addr + i], golden[i]) << file << ", byte " << i;
        }
    }
    /// isclose with the tolerance of the vendor's example, on every element.
    template <typename Load>
    void expect_close(const std::string& file, std::size_t addr, std::size_t size, double rtol,
                      Load value) {
        const Bytes golden = read(file);
        ASSERT_GE(golden.size(), size);
        for (std::size_t i = 0; i + size <= golden.size(); i += size) {
            const double expected = value(golden.data() + i);
            EXPECT_NEAR(value(machine_.ub.data() + addr + i), expected,
                        1e-8 + rtol * std::fabs(expected))
                << file << ", byte " << i;
        }
    }
    static double f16(const std::uint8_t* bytes) {
        std::uint16_t bits;
        std::memcpy(&bits, bytes, 2);
        return static_cast<double>(f16_to_f32(bits));
    }
    static double f32(const std::uint8_t* bytes) {
        float value;
        std::memcpy(&value, bytes, 4);
        return static_cast<double>(value);
    }

    static VectorOp op(VectorOpcode opcode, DataType type, std::uint32_t dst, int repeat) {
        VectorOp op;
        op.opcode = opcode;
        op.type = type;
        op.dst.addr = dst;
        op.repeat = repeat;
        return op;
    }
    static VectorOp counted(VectorOp op, std::uint64_t elements) {
        op.control.mask_mode = MaskMode::counter;
        op.control.mask = {elements, 0};
        return op;
    }

    VectorMachine machine_;
};

TEST_F(VectorGolden, Brcb) {
    load("brcb/u16/input_x.bin", 0);
    run(op(VectorOpcode::vbrcb, DataType::uint16, 1024, 2));
    expect_bytes("brcb/u16/golden.bin", 1024);
}

TEST_F(VectorGolden, Cast) {
    const std::string directories[] = {"cast/s0_f16_to_s4_ceil", "cast/s1_f16_to_s32_ceil"};
    for (const std::string& directory : directories) {
        load(directory + "/input_x.bin", 0);
        VectorOp cast = op(VectorOpcode::vconv, DataType::float16, 1024, 0);
        const bool is_int4 = directory == directories[0];
        cast.dst_type = is_int4 ? DataType::int4 : DataType::int32;
        cast.dst.rep_stride = is_int4 ? 2 : 8;
        cast.src0.rep_stride = is_int4 ? 8 : 4;
        cast.rounding = Rounding::ceil;
        run(counted(cast, 512));
        expect_bytes(directory + "/golden.bin", 1024);
    }
}

TEST_F(VectorGolden, Compare) {
    load("compare/s1_tensor/input_x.bin", 0);
    load("compare/s1_tensor/input_y.bin", 2048);
    VectorOp compare = op(VectorOpcode::vcmpv, DataType::float32, 4096, 4);
    compare.src1.addr = 2048;
    run(compare);
    expect_bytes("compare/s1_tensor/golden.bin", 4096);
}

TEST_F(VectorGolden, CompareToRegister) {
    load("compare/s2_to_cmpmask/input_x.bin", 0);
    load("compare/s2_to_cmpmask/input_y.bin", 2048);
    VectorOp compare = op(VectorOpcode::vcmp, DataType::float32, 0, 1);
    compare.src1.addr = 2048;
    run(compare);
    run(op(VectorOpcode::get_cmpmask, DataType::uint16, 4096, 1));
    expect_bytes("compare/s2_to_cmpmask/golden.bin", 4096, 8);
}

TEST_F(VectorGolden, CompareWithScalar) {
    load("compare/s3_scalar/input_x.bin", 0);
    load("compare/s3_scalar/input_y.bin", 2048);
    VectorOp compare = op(VectorOpcode::vcmpvs, DataType::float32, 4096, 4);
    std::memcpy(&compare.scalar, machine_.ub.data() + 2048, 4);
    run(compare);
    expect_bytes("compare/s3_scalar/golden.bin", 4096);
}

TEST_F(VectorGolden, Duplicate) {
    VectorOp fill = op(VectorOpcode::vector_dup, DataType::float16, 1024, 0);
    fill.scalar = 0x4C80; // 18
    run(counted(fill, 256));
    expect_bytes("duplicate/f16_18/golden.bin", 1024);
}

TEST_F(VectorGolden, LeakyRelu) {
    load("element_wise_arithmetic/leaky_relu_f16/input_x.bin", 0);
    VectorOp relu = op(VectorOpcode::vlrelu, DataType::float16, 1024, 4);
    relu.scalar = 0x211F; // 0.01
    run(relu);
    expect_close("element_wise_arithmetic/leaky_relu_f16/golden.bin", 1024, 2, 1e-3, f16);
}

TEST_F(VectorGolden, GatherMaskByPattern) {
    load("gather/s1_mask_pattern2/input_x.bin", 0);
    GatherMask mask;
    mask.type = DataType::uint32;
    mask.pattern = 2;
    mask.repeat = 4;
    run(mask);
    expect_bytes("gather/s1_mask_pattern2/golden.bin", 0, 512); // the kept ones
}

TEST_F(VectorGolden, GatherMaskByBits) {
    load("gather/s2_mask_user_counter/input_x.bin", 0);
    load("gather/s2_mask_user_counter/input_y.bin", 1024);
    run(counted(op(VectorOpcode::vector_dup, DataType::uint32, 2048, 0), 256));
    GatherMask mask;
    mask.type = DataType::uint32;
    mask.dst_addr = 2048;
    mask.pattern = 0;
    mask.pattern_addr = 1024;
    mask.src_rep_stride = 4;
    mask.repeat = 2;
    mask.control.mask_mode = MaskMode::counter;
    mask.control.mask = {70, 0};
    run(mask);
    expect_bytes("gather/s2_mask_user_counter/golden.bin", 2048);
}

TEST_F(VectorGolden, GatherElements) {
    load("gather/s3_gather_bytes/input_x.bin", 0);
    load("gather/s3_gather_bytes/input_y.bin", 1024);
    VectorGather gather;
    gather.type = DataType::float16;
    gather.offset_addr = 1024;
    gather.dst_addr = 2048;
    run(gather);
    expect_bytes("gather/s3_gather_bytes/golden.bin", 2048);
}

TEST_F(VectorGolden, GatherBlocks) {
    load("gather/s4_gather_blocks/input_x.bin", 0);
    load("gather/s4_gather_blocks/input_y.bin", 1024);
    VectorGather gather;
    gather.blocks = true;
    gather.offset_addr = 1024;
    gather.dst_addr = 2048;
    run(gather);
    expect_bytes("gather/s4_gather_blocks/golden.bin", 2048);
}

TEST_F(VectorGolden, SortAndMerge) {
    const auto sort = [this](const std::string& directory, int repeat) {
        load(directory + "/input_x.bin", 0);
        load(directory + "/input_y.bin", 4096);
        Sort32 sort32;
        sort32.index_addr = 4096;
        sort32.dst_addr = 8192;
        sort32.repeat = repeat;
        run(sort32);
    };
    const auto merge = [this](std::uint32_t src, std::uint32_t dst, std::int32_t length, int lists,
                              int repeat) {
        MrgSort merge4;
        merge4.dst_addr = dst;
        merge4.repeat = repeat;
        merge4.valid_bits = (1 << lists) - 1;
        for (std::size_t i = 0; i < 4; ++i) {
            merge4.src_addrs[i] =
                src + static_cast<std::uint32_t>(i) * 8 * static_cast<std::uint32_t>(length);
            merge4.lengths[i] = length;
        }
        run(merge4);
    };
    sort("mrg_sort/s1_128", 4);
    merge(8192, 65536, 32, 4, 1);
    expect_bytes("mrg_sort/s1_128/golden.bin", 65536);
    sort("mrg_sort/s2_96", 3);
    merge(8192, 65536, 32, 3, 1);
    expect_bytes("mrg_sort/s2_96/golden.bin", 65536);
    sort("mrg_sort/s3_1024", 32);
    merge(8192, 16384, 32, 4, 8);
    merge(16384, 24576, 128, 4, 2);
    merge(24576, 65536, 512, 2, 1);
    expect_bytes("mrg_sort/s3_1024/golden.bin", 65536);
}

TEST_F(VectorGolden, ReduceRepeat) {
    load("reduce_repeat/s1_max_f16/input_x.bin", 0);
    VectorOp reduce = op(VectorOpcode::vcmax, DataType::float16, 16384, 8);
    reduce.dst.rep_stride = 1;
    reduce.order = ReduceOrder::only_value;
    run(reduce);
    expect_bytes("reduce_repeat/s1_max_f16/golden.bin", 16384);

    load("reduce_repeat/s2_min_index_f16/input_x.bin", 0);
    reduce.opcode = VectorOpcode::vcmin;
    reduce.order = ReduceOrder::value_index;
    run(reduce);
    expect_bytes("reduce_repeat/s2_min_index_f16/golden.bin", 16384);

    load("reduce_repeat/s3_sum_f32/input_x.bin", 0);
    reduce = op(VectorOpcode::vcadd, DataType::float32, 16384, 32);
    reduce.dst.rep_stride = 1;
    run(reduce);
    expect_close("reduce_repeat/s3_sum_f32/golden.bin", 16384, 4, 1e-5, f32);
}

TEST_F(VectorGolden, Transpose) {
    load("transpose/s1_16x16/input_x.bin", 0);
    run(op(VectorOpcode::vtranspose, DataType::uint16, 1024, 1));
    expect_bytes("transpose/s1_16x16/golden.bin", 1024);

    load("transpose/s3_nchw_to_5hd/input_x.bin", 0);
    for (std::uint32_t j = 0; j < 4; ++j) {
        NchwConv conv;
        conv.repeat = 16;
        conv.dst_rep_stride = 16;
        conv.src_rep_stride = 1;
        for (std::uint32_t i = 0; i < 16; ++i) {
            conv.src_addrs[i] = j * 8192 + i * 512;
            conv.dst_addrs[i] = 65536 + j * 8192 + i * 32;
        }
        run(conv);
    }
    expect_bytes("transpose/s3_nchw_to_5hd/golden.bin", 65536);
}

} // namespace
} // namespace aicore::test
