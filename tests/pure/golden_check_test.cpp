#include "tb/check/golden_check.h"

#include "hw/config/strict_yaml.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace aicore::tb {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <typename T>
std::vector<T> values_of(const std::vector<std::uint8_t>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

Tensor make_tensor(const std::string& name, DataType type, std::vector<std::int64_t> shape,
                   const InitialData& init = {}) {
    Tensor tensor;
    tensor.name = name;
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.init = init;
    return tensor;
}

Tensor with_matmul(Tensor tensor, const MatmulGolden& golden) {
    tensor.golden.expected = golden;
    return tensor;
}

MatmulGolden product_of(const std::string& a, const std::string& b) {
    MatmulGolden golden;
    golden.a = a;
    golden.b = b;
    return golden;
}

std::string error_of(const std::vector<Tensor>& tensors) {
    try {
        check_goldens(tensors, "p.yaml");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TensorCheck compare(const Golden& golden, const std::vector<float>& actual,
                    const std::vector<float>& expected) {
    Tensor tensor =
        make_tensor("t", DataType::float32, {2, static_cast<std::int64_t>(actual.size()) / 2});
    tensor.golden = golden;
    return compare_with_golden(tensor, bytes_of(actual), bytes_of(expected));
}

Golden close_by(double rtol, double atol, double max_bad_fraction = 0) {
    Golden golden;
    golden.rule = GoldenRule::isclose;
    golden.rtol = rtol;
    golden.atol = atol;
    golden.max_bad_fraction = max_bad_fraction;
    return golden;
}

TEST(GoldenCheck, ExactComparesBits) {
    const TensorCheck good = compare({}, {1, kNan, kInfinity, -2}, {1, -kNan, kInfinity, -2});
    EXPECT_TRUE(good.passed);
    EXPECT_EQ(good.checked, 4);
    EXPECT_EQ(good.mismatches, 0);

    const TensorCheck zeros = compare({}, {1, 2, -0.0F, 5}, {1, 2, 0.0F, 4.5F});
    EXPECT_FALSE(zeros.passed);
    EXPECT_EQ(zeros.mismatches, 2);
    EXPECT_EQ(zeros.max_abs_error, 0.5);
    EXPECT_EQ(zeros.first_mismatch, (std::vector<std::int64_t>{1, 0}));
    EXPECT_TRUE(std::signbit(zeros.actual));
    EXPECT_FALSE(std::signbit(zeros.expected));
}

TEST(GoldenCheck, CloseIsRelativeToTheExpectedValue) {
    EXPECT_TRUE(compare(close_by(0.5, 0), {3, 1}, {2, 2}).passed);
    EXPECT_FALSE(compare(close_by(0.5, 0), {2, 3.5F}, {2, 2}).passed);
    EXPECT_TRUE(compare(close_by(0.5, 0.5), {2, 3.5F}, {2, 2}).passed);
    const TensorCheck error = compare(close_by(0, 1), {2, 3}, {2.5F, 2.25F});
    EXPECT_TRUE(error.passed);
    EXPECT_EQ(error.max_abs_error, 0.75);
}

TEST(GoldenCheck, CloseAllowsAFraction) {
    const std::vector<float> actual{1, 1, 1, 1}, expected{1, 9, 1, 1};
    EXPECT_FALSE(compare(close_by(0, 0, 0.2), actual, expected).passed);
    const TensorCheck allowed = compare(close_by(0, 0, 0.25), actual, expected);
    EXPECT_TRUE(allowed.passed);
    EXPECT_EQ(allowed.mismatches, 1);
    EXPECT_EQ(allowed.first_mismatch, (std::vector<std::int64_t>{0, 1}));
}

TEST(GoldenCheck, CloseTakesSpecialValuesOnlyWhenEqual) {
    const Golden golden = close_by(1, 1e30);
    EXPECT_TRUE(compare(golden, {kNan, kInfinity}, {kNan, kInfinity}).passed);
    EXPECT_FALSE(compare(golden, {kNan, 0}, {1, 0}).passed);
    EXPECT_FALSE(compare(golden, {1, 0}, {kInfinity, 0}).passed);
    EXPECT_FALSE(compare(golden, {-kInfinity, 0}, {kInfinity, 0}).passed);
    EXPECT_EQ(compare(golden, {kNan, 0}, {1, 0}).max_abs_error, kInfinity);
}

TEST(GoldenCheck, UnchangedIsTheInitialData) {
    Tensor tensor = make_tensor("t", DataType::int8, {3}, FillBytesData{0xa5});
    EXPECT_FALSE(has_golden(tensor));
    tensor.golden.expected = UnchangedGolden{};
    EXPECT_TRUE(has_golden(tensor));
    EXPECT_EQ(golden_bytes(tensor, {tensor}), (std::vector<std::uint8_t>{0xa5, 0xa5, 0xa5}));
}

// a = [[0 1 2] [3 4 5]], b = [[0 1] [2 3] [4 5]]
TEST(GoldenCheck, MatmulWithBiasAndRelu) {
    const Tensor a = make_tensor("a", DataType::float16, {2, 3}, RangeData{});
    const Tensor b = make_tensor("b", DataType::float16, {3, 2}, RangeData{});
    const Tensor bias = make_tensor("bias", DataType::float32, {2}, RangeData{-20, 0.5});
    MatmulGolden golden = product_of("a", "b");
    const Tensor c = make_tensor("c", DataType::float32, {2, 2});
    std::vector<Tensor> tensors{a, b, bias, with_matmul(c, golden)};
    EXPECT_EQ(error_of(tensors), "");
    EXPECT_EQ(values_of<float>(golden_bytes(tensors[3], tensors)),
              (std::vector<float>{10, 13, 28, 40}));
    golden.bias = "bias";
    tensors[3] = with_matmul(c, golden);
    EXPECT_EQ(error_of(tensors), "");
    EXPECT_EQ(values_of<float>(golden_bytes(tensors[3], tensors)),
              (std::vector<float>{-10, -6.5, 8, 20.5}));
    golden.relu = true;
    tensors[3] = with_matmul(c, golden);
    EXPECT_EQ(values_of<float>(golden_bytes(tensors[3], tensors)),
              (std::vector<float>{0, 0, 8, 20.5}));
}

TEST(GoldenCheck, MatmulOfTransposedOperands) {
    // at = [[0 1] [2 3] [4 5]], bt = [[0 1 2] [3 4 5]]
    const Tensor at = make_tensor("at", DataType::int8, {3, 2}, RangeData{});
    const Tensor bt = make_tensor("bt", DataType::int8, {2, 3}, RangeData{});
    const Tensor bias = make_tensor("bias", DataType::int32, {2}, RangeData{100, 100});
    MatmulGolden golden = product_of("at", "bt");
    golden.bias = "bias";
    golden.transpose_a = golden.transpose_b = true;
    const Tensor c = with_matmul(make_tensor("c", DataType::int32, {2, 2}), golden);
    const std::vector<Tensor> tensors{at, bt, bias, c};
    EXPECT_EQ(error_of(tensors), "");
    EXPECT_EQ(values_of<std::int32_t>(golden_bytes(c, tensors)),
              (std::vector<std::int32_t>{110, 228, 113, 240}));
}

TEST(GoldenCheck, RejectsGoldensThatDoNotFit) {
    const Tensor a = make_tensor("a", DataType::float16, {2, 3}, FillData{});
    const Tensor b = make_tensor("b", DataType::float16, {3, 2}, FillData{});
    const auto error_with = [&](const Tensor& c, const MatmulGolden& golden,
                                const std::vector<Tensor>& more = {}) {
        std::vector<Tensor> tensors{a, b, with_matmul(c, golden)};
        tensors.insert(tensors.end(), more.begin(), more.end());
        return error_of(tensors);
    };
    const std::string at = "p.yaml: tensors.c.golden.matmul: ";
    const Tensor c = make_tensor("c", DataType::float32, {2, 2});
    EXPECT_EQ(error_with(c, product_of("a", "b")), "");
    EXPECT_EQ(error_with(c, product_of("a", "a")),
              at + "the inner sizes of a float16 [2, 3] and a float16 [2, 3] are not the same");
    EXPECT_EQ(error_with(make_tensor("c", DataType::float32, {3, 3}), product_of("a", "b")),
              at + "the product has shape [2, 2], not c float32 [3, 3]");
    EXPECT_EQ(error_with(make_tensor("c", DataType::int32, {2, 2}), product_of("a", "b")),
              at + "a product of float16 can't be int32");
    EXPECT_EQ(
        error_with(c, product_of("a", "d"), {make_tensor("d", DataType::int8, {3, 2}, FillData{})}),
        at + "a float16 [2, 3] and d int8 [3, 2]: no cube multiplies these types");
    EXPECT_EQ(error_with(c, product_of("a", "d"), {make_tensor("d", DataType::float16, {3, 2})}),
              at + "operand d has no initial data");
    EXPECT_EQ(
        error_with(c, product_of("a", "d"), {make_tensor("d", DataType::float16, {6}, FillData{})}),
        at + "d float16 [6] is no matrix");
    MatmulGolden biased = product_of("a", "b");
    biased.bias = "d";
    EXPECT_EQ(error_with(c, biased, {make_tensor("d", DataType::float16, {2}, FillData{})}),
              at + "bias d float16 [2] must have 2 elements of float32");
}

TEST(GoldenCheck, RejectsQuantisationsThatTheReferenceDoesNotKnow) {
    constexpr std::int64_t kOne = 0x3F800000, kSign = std::int64_t{1} << 46;
    constexpr std::int64_t kOffset = std::int64_t{1} << 37;
    const Tensor a = make_tensor("a", DataType::int8, {2, 3}, FillData{});
    const Tensor b = make_tensor("b", DataType::int8, {3, 2}, FillData{});
    const auto error_with = [&](QuantPreMode mode, DataType type, std::int64_t word) {
        MatmulGolden golden = product_of("a", "b");
        golden.quant_pre = mode;
        golden.quant_scalar = static_cast<std::uint64_t>(word);
        const bool is_vector = info(mode).parameter == QuantParameterKind::vector;
        if (is_vector) golden.quant_table = "t";
        const Tensor c = with_matmul(make_tensor("c", type, {2, 2}), golden);
        const Tensor table =
            make_tensor("t", DataType::int64, {2}, RandomIntegersData{1, word, word});
        return error_of({a, b, c, table});
    };
    const std::string at = "p.yaml: tensors.c.golden.matmul: ";
    EXPECT_EQ(error_with(QuantPreMode::REQ8, DataType::int8, kOne | kSign), "");
    EXPECT_EQ(error_with(QuantPreMode::VDEQS16, DataType::int16, kOne), "");
    EXPECT_EQ(error_with(QuantPreMode::REQ8, DataType::int8, kOne),
              at + "quant_scalar can't be checked: bit 46 must be set for int8");
    EXPECT_EQ(error_with(QuantPreMode::VREQ8, DataType::int8, kOne | kSign | kOffset),
              at + "element 0 of t can't be checked: bits beside a scale and bit 46 must be 0");
    EXPECT_EQ(error_with(QuantPreMode::DEQF16, DataType::float16, 0x7F800000),
              at + "quant_scalar can't be checked: the scale must be finite");
    EXPECT_EQ(error_with(QuantPreMode::SHIFTS322S16, DataType::int16, kOne),
              at + "quant_pre SHIFTS322S16 of int32 sums can't be checked as int16");
}

TEST(GoldenCheck, ReluOfMinusZeroIsPlusZero) {
    const Tensor a = make_tensor("a", DataType::float16, {1, 1}, FillData{-1});
    const Tensor b = make_tensor("b", DataType::float16, {1, 1}, FillData{0});
    const Tensor bias = make_tensor("bias", DataType::float32, {1}, FillData{-0.0});
    MatmulGolden golden = product_of("a", "b");
    golden.bias = "bias";
    for (const bool relu : {false, true}) {
        golden.relu = relu;
        const Tensor c = with_matmul(make_tensor("c", DataType::float32, {1, 1}), golden);
        const float value = values_of<float>(golden_bytes(c, {a, b, bias, c})).front();
        EXPECT_EQ(value, 0);
        EXPECT_EQ(std::signbit(value), !relu);
    }
}

} // namespace
} // namespace aicore::tb
