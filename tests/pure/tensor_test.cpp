#include "tests/pure/program_samples.h"

#include "hw/numerics/half.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace aicore::tb {
namespace {

/// A program with these lines under `tensors:`; the first one is line 3.
std::string with_tensors(const std::string& lines) {
    return "program: x\ntensors:\n" + lines + "\ncores: {}\n";
}

Tensor load_tensor(const std::string& text) {
    return load_text(with_tensors("  t: " + text)).tensors.front();
}

std::string tensor_error(const std::string& text) { return error_of(with_tensors("  t: " + text)); }

std::vector<float> floats_of(const std::vector<std::uint8_t>& bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

using Bytes = std::vector<std::uint8_t>;

TEST(Tensor, GetsAddressesInFileOrder) {
    const Program program = load_text("program: x\nvariables: {n: 10}\ntensors:\n"
                                      "  a: {dtype: int8, shape: [n, 60]}\n"
                                      "  b: {dtype: float32, shape: [2]}\n"
                                      "  c: {dtype: int8, shape: [1], address: n*1000+1}\n"
                                      "  d: {dtype: half, shape: [4]}\ncores: {}\n");
    ASSERT_EQ(program.tensors.size(), 4u);
    EXPECT_EQ(program.find_tensor("a")->address, 0u);
    EXPECT_EQ(program.find_tensor("a")->bytes(), 600);
    EXPECT_EQ(program.find_tensor("b")->address, 1024u);
    EXPECT_EQ(program.find_tensor("c")->address, 10001u);
    EXPECT_EQ(program.find_tensor("d")->address, 10240u);
    EXPECT_EQ(program.find_tensor("d")->type, DataType::float16);
    EXPECT_EQ(program.find_tensor("e"), nullptr);
}

TEST(Tensor, LiesInTheUnifiedBuffersWhereTheCubeCoreReachesThem) {
    const std::string text = with_tensors("  a: {dtype: int8, shape: [100]}\n"
                                          "  b: {dtype: int8, shape: [1000], memory: UB0}\n"
                                          "  c: {dtype: int8, shape: [8], memory: UB0}\n"
                                          "  d: {dtype: int8, shape: [1024], memory: UB1}\n");
    IsaLimits limits = test_limits();
    try {
        load_program_text(text, "p.yaml", limits);
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "p.yaml:4:43: tensors.b.memory: the cores of this platform have "
                                   "no path to UB0");
    }
    limits.fixpipe_reaches_ub = true;
    limits.ub_bytes = 1536;
    const Program program = load_program_text(text, "p.yaml", limits);
    EXPECT_EQ(program.tensors[1].memory, TensorMemory::UB0);
    EXPECT_EQ(program.tensors[1].address, 0U); // a is elsewhere
    EXPECT_EQ(program.tensors[2].address, 1024U);
    EXPECT_EQ(program.tensors[3].memory, TensorMemory::UB1);
    EXPECT_EQ(program.tensors[3].address, 0U);
    limits.ub_bytes = 1024;
    try {
        load_program_text(text, "p.yaml", limits);
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "p.yaml:5:6: tensors.c: ends behind UB0, which has 1024 bytes");
    }
}

TEST(Tensor, LiesInThePeersGmAtAddressesOfGm) {
    const std::string text = with_tensors("  a: {dtype: int8, shape: [100]}\n"
                                          "  b: {dtype: int8, shape: [600], memory: PEER_GM}\n"
                                          "  c: {dtype: int8, shape: [8], memory: PEER_GM}\n"
                                          "  d: {dtype: int8, shape: [8]}\n");
    const auto error_with = [](const std::string& lines, const IsaLimits& limits) {
        try {
            load_program_text(with_tensors(lines), "p.yaml", limits);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    IsaLimits limits = test_limits();
    const std::string last = "  a: {dtype: int8, shape: [8], memory: PEER_GM, address: 4097}";
    EXPECT_EQ(error_with(last, limits),
              "p.yaml:3:40: tensors.a.memory: the cores of this platform have no path to PEER_GM");
    limits.peer_gm_address = 1 << 21;
    limits.peer_gm_bytes = 1 << 20;
    const Program program = load_program_text(text, "p.yaml", limits);
    EXPECT_EQ(program.tensors[0].address, 0u);
    EXPECT_EQ(program.tensors[1].memory, TensorMemory::PEER_GM);
    EXPECT_EQ(program.tensors[1].address, 1u << 21);
    EXPECT_EQ(program.tensors[2].address, (1u << 21) + 1024);
    EXPECT_EQ(program.tensors[3].address, 512u);
    EXPECT_EQ(error_with(last, limits),
              "p.yaml:3:58: tensors.a.address: expected an address in PEER_GM, which begins at "
              "2097152");
    EXPECT_EQ(
        error_with("  a: {dtype: int8, shape: [8], memory: PEER_GM, address: 3145721}", limits),
        "p.yaml:3:6: tensors.a: ends behind PEER_GM, which has 1048576 bytes");
    EXPECT_EQ(error_with("  a: {dtype: int8, shape: [8], address: 2097152}", limits),
              "p.yaml:3:6: tensors.a: ends behind GM, which has 1048576 bytes");
    EXPECT_EQ(
        error_with("  a: {dtype: int8, shape: [8], memory: PEER_GM, l2_cache: false}", limits),
        "p.yaml:3:59: tensors.a.l2_cache: only for tensors in GM");
}

TEST(Tensor, MakesInitialData) {
    EXPECT_TRUE(initial_bytes(load_tensor("{dtype: int8, shape: [3]}")).empty());
    EXPECT_EQ(initial_bytes(load_tensor("{dtype: int8, shape: [3], init: {fill: -2}}")),
              (Bytes{0xfe, 0xfe, 0xfe}));
    EXPECT_EQ(initial_bytes(load_tensor("{dtype: float16, shape: [2], init: {fill: 1.5}}")),
              (Bytes{0x00, 0x3e, 0x00, 0x3e}));
    EXPECT_EQ(initial_bytes(load_tensor("{dtype: bfloat16, shape: [1], init: {fill: -1}}")),
              (Bytes{0x80, 0xbf}));
    EXPECT_EQ(initial_bytes(load_tensor("{dtype: int32, shape: [1], init: {fill_bytes: 0xa5}}")),
              (Bytes{0xa5, 0xa5, 0xa5, 0xa5}));
    EXPECT_EQ(initial_bytes(load_tensor(
                  "{dtype: int32, shape: [2, 1], init: {range: {start: 258, step: -259}}}")),
              (Bytes{0x02, 0x01, 0, 0, 0xff, 0xff, 0xff, 0xff}));
    EXPECT_EQ(initial_bytes(
                  load_tensor("{dtype: int8, shape: [2], init: {range: {start: -127, step: -1}}}")),
              (Bytes{0x81, 0x80}));
    EXPECT_EQ(floats_of(initial_bytes(load_tensor(
                  "{dtype: float32, shape: [3], init: {range: {start: 0.5, step: 0.25}}}"))),
              (std::vector<float>{0.5f, 0.75f, 1.0f}));
}

TEST(Tensor, MakesTheSameRandomDataEverywhere) {
    const std::string text =
        "{dtype: float32, shape: [1000], init: {random: {seed: 7, min: -2, max: 3}}}";
    const std::vector<float> values = floats_of(initial_bytes(load_tensor(text)));
    // SplitMix64 with seed 7 starts with 0x63cbe1e459320dd7, 0x044c3cd7f43c661c.
    EXPECT_EQ(values[0], static_cast<float>(-2 + 5 * ((0x63cbe1e459320dd7 >> 11) * 0x1p-53)));
    EXPECT_EQ(values[1], static_cast<float>(-2 + 5 * ((0x044c3cd7f43c661c >> 11) * 0x1p-53)));
    double sum = 0;
    for (const float value : values) {
        EXPECT_GE(value, -2);
        EXPECT_LT(value, 3);
        sum += static_cast<double>(value);
    }
    EXPECT_NEAR(sum / 1000, 0.5, 0.2);

    // The same numbers, rounded to float16.
    const Bytes halves = initial_bytes(
        load_tensor("{dtype: float16, shape: [1000], init: {random: {seed: 7, min: -2, max: 3}}}"));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const int bits = halves[2 * i] | halves[2 * i + 1] << 8;
        ASSERT_EQ(bits, f32_to_f16(values[i], FloatOverflow::inf_nan)) << i;
    }
}

TEST(Tensor, MakesRandomIntegers) {
    const Bytes bytes = initial_bytes(load_tensor(
        "{dtype: int8, shape: [500], init: {random_integers: {seed: 3, min: -2, max: 2}}}"));
    std::vector<int> count(5);
    for (const std::uint8_t byte : bytes) {
        const int value = static_cast<std::int8_t>(byte);
        ASSERT_GE(value, -2);
        ASSERT_LE(value, 2);
        ++count[static_cast<std::size_t>(value + 2)];
    }
    for (const int n : count) EXPECT_GT(n, 50);
    EXPECT_EQ(floats_of(initial_bytes(load_tensor(
                  "{dtype: float32, shape: [1], init: {random_integers: {seed: 1, min: 9, max: "
                  "9}}}"))),
              std::vector<float>{9});
}

TEST(Tensor, ReadsFilesBesideTheProgram) {
    namespace fs = std::filesystem;
    const fs::path directory = fs::path(testing::TempDir()) / "aicore_tensor_test";
    fs::create_directories(directory);
    std::ofstream(directory / "x.bin", std::ios::binary) << "abcd";
    std::ofstream(directory / "p.yaml")
        << with_tensors("  t: {dtype: float16, shape: [2], init: {file: x.bin}, "
                        "golden: {file: x.bin}}");
    const std::string file = (directory / "p.yaml").string();
    const Program program = load_program(file, test_limits());
    EXPECT_EQ(initial_bytes(program.tensors[0]), (Bytes{'a', 'b', 'c', 'd'}));
    EXPECT_EQ(std::get<FileData>(program.tensors[0].golden.expected).file,
              (directory / "x.bin").string());

    std::ofstream(directory / "x.bin", std::ios::binary) << "abc";
    EXPECT_THROW(initial_bytes(program.tensors[0]), InputError);
    try {
        load_program(file, test_limits());
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(),
                  file + ":3:48: tensors.t.init.file: " + (directory / "x.bin").string() +
                      " has 3 bytes, the tensor needs 4");
    }
    EXPECT_THROW(load_program((directory / "none.yaml").string(), test_limits()), InputError);
    fs::remove_all(directory);
}

TEST(Tensor, ReadsGolden) {
    const Program program = load_text(with_tensors(
        "  a: {dtype: float16, shape: [16, 16], init: {fill: 1}, golden: {unchanged: true}}\n"
        "  c: {dtype: float32, shape: [16, 16], golden: {matmul: {a: a, b: a, transpose_b: true}, "
        "rule: isclose, rtol: 1e-3, max_bad_fraction: 0.5}}"));
    EXPECT_TRUE(std::holds_alternative<UnchangedGolden>(program.tensors[0].golden.expected));
    EXPECT_EQ(program.tensors[0].golden.rule, GoldenRule::exact);
    const Golden& golden = program.tensors[1].golden;
    const auto& matmul = std::get<MatmulGolden>(golden.expected);
    EXPECT_EQ(matmul.a, "a");
    EXPECT_TRUE(matmul.transpose_b);
    EXPECT_FALSE(matmul.transpose_a);
    EXPECT_EQ(golden.rule, GoldenRule::isclose);
    EXPECT_EQ(golden.rtol, 1e-3);
    EXPECT_EQ(golden.atol, 0);
    EXPECT_EQ(golden.max_bad_fraction, 0.5);
}

TEST(Tensor, RejectsMistakes) {
    EXPECT_EQ(tensor_error("{dtype: float64, shape: [1]}"),
              "p.yaml:3:14: tensors.t.dtype: float64 is not supported, expected one of: float16, "
              "bfloat16, float32, int8, int32, int4, uint8, int16, uint16, uint32, int64, "
              "fp8_e4m3, fp8_e5m2, hifloat8");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: []}"),
              "p.yaml:3:27: tensors.t.shape: expected at least one size");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2, 0]}"),
              "p.yaml:3:31: tensors.t.shape[1]: expected a size >= 1, found 0");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [1024, 1025]}"),
              "p.yaml:3:27: tensors.t.shape: larger than GM");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2], address: 1048575}"),
              "p.yaml:3:6: tensors.t: ends behind GM, which has 1048576 bytes");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2], address: -1}"),
              "p.yaml:3:41: tensors.t.address: expected an address >= 0, found -1");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2], init: {fill: 128}}"),
              "p.yaml:3:45: tensors.t.init.fill: 128 does not fit int8");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2], init: {fill: 0.5}}"),
              "p.yaml:3:45: tensors.t.init.fill: expected an integer for int8, found 0.5");
    EXPECT_EQ(tensor_error("{dtype: float16, shape: [2], init: {fill: 65505}}"),
              "p.yaml:3:48: tensors.t.init.fill: 65505 does not fit float16");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2], init: {range: {start: 100, step: 28}}}"),
              "p.yaml:3:46: tensors.t.init.range: the last element does not fit int8");
    EXPECT_EQ(tensor_error("{dtype: uint8, shape: [3], init: {range: {start: 1, step: 0}}}"), "");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [3], init: {range: {start: -127, step: -1}}}"),
              "p.yaml:3:46: tensors.t.init.range: the last element does not fit int8");
    EXPECT_EQ(tensor_error("{dtype: int8, shape: [2], init: {random: {seed: 1, min: 0, max: 1}}}"),
              "p.yaml:3:47: tensors.t.init.random: needs a floating type, use random_integers for "
              "int8");
    EXPECT_EQ(tensor_error("{dtype: half, shape: [2], init: {random: {seed: 1, min: 2, max: 1}}}"),
              "p.yaml:3:47: tensors.t.init.random: min is above max");
    EXPECT_EQ(tensor_error("{dtype: half, shape: [2], init: {fill: 1, fill_bytes: 1}}"),
              "p.yaml:3:38: tensors.t.init: expected exactly one of: file, fill, fill_bytes, "
              "range, random, random_integers");
    EXPECT_EQ(tensor_error("{dtype: half, shape: [2], golden: {rule: exact}}"),
              "p.yaml:3:40: tensors.t.golden: expected exactly one of: file, unchanged, matmul, "
              "elementwise");
    EXPECT_EQ(tensor_error("{dtype: half, shape: [2], golden: {unchanged: true}}"),
              "p.yaml:3:52: tensors.t.golden.unchanged: needs initial data");
    EXPECT_EQ(tensor_error("{dtype: half, shape: [2], golden: {matmul: {a: t, b: u}}}"),
              "p.yaml:3:59: tensors.t.golden.matmul.b: unknown tensor u");
    EXPECT_EQ(tensor_error("{dtype: half, shape: [2], init: {fill: 0}, golden: {unchanged: true, "
                           "rtol: 1}}"),
              "p.yaml:3:81: tensors.t.golden.rtol: needs rule isclose");
    EXPECT_EQ(error_of(with_tensors("  t: {dtype: int8, shape: [600]}\n"
                                    "  u: {dtype: int8, shape: [1], address: 599}")),
              "p.yaml:4:6: tensors.u: overlaps tensor t: bytes 599..599 and 0..599");
    EXPECT_EQ(error_of(with_tensors("  'a b': {dtype: int8, shape: [600]}")),
              "p.yaml:3:10: tensors.a b: expected a name of letters, digits and _ . -");
}

} // namespace
} // namespace aicore::tb
