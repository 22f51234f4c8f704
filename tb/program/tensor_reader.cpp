#include "tb/program/tensor_reader.h"

#include "hw/numerics/element.h"
#include "tb/program/field_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

namespace aicore::tb {
namespace {

constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;

std::int64_t read_constant(const YamlNode& node, const Scope& scope) {
    try {
        return FieldValue(node, ValueKind::integer, scope).evaluate({});
    } catch (const ExpressionError& error) {
        node.fail(error.what());
    }
}

void require_fits(const YamlNode& node, double value, DataType type) {
    if (value < least_value(type) || value > largest_value(type)) {
        node.fail(node.as_string() + " does not fit " + std::string(to_string(type)));
    }
    if (is_integer(type) && value != std::floor(value)) {
        node.fail("expected an integer for " + std::string(to_string(type)) + ", found " +
                  node.as_string());
    }
}

double read_element(const YamlNode& node, DataType type) {
    const double value = node.as_number();
    require_fits(node, value, type);
    return value;
}

/// The one key of a map that must be one of `allowed`.
std::string read_only_key(const YamlNode& node, const std::vector<std::string>& allowed) {
    node.allow_keys(allowed);
    const std::vector<std::string> keys = node.keys();
    if (keys.size() == 1) return keys.front();
    std::string names;
    for (const std::string& name : allowed) names += (names.empty() ? "" : ", ") + name;
    node.fail("expected exactly one of: " + names);
}

/// First address of a memory.
std::uint64_t start_of(TensorMemory memory, const IsaLimits& limits) {
    return memory == TensorMemory::PEER_GM ? limits.peer_gm_address : 0;
}

/// Reads one tensor; the directory is that of the program file.
class TensorReader {
public:
    TensorReader(const Scope& scope, std::filesystem::path directory, const IsaLimits& limits)
        : scope_(scope), directory_(std::move(directory)), limits_(limits) {}

    Tensor read(const std::string& name, const YamlNode& node,
                const std::array<std::uint64_t, kTensorMemories>& next_address) const {
        node.allow_keys(
            {"dtype", "shape", "memory", "address", "l2_cache", "init", "golden", "note"});
        Tensor tensor;
        tensor.name = name;
        const YamlNode type = node.require("dtype");
        const auto parsed = parse_data_type(type.as_string());
        if (!parsed) {
            std::string names;
            for (int i = 0; i < kDataTypes; ++i) {
                names += (i == 0 ? "" : ", ") + std::string(to_string(static_cast<DataType>(i)));
            }
            type.fail(type.as_string() + " is not supported, expected one of: " + names);
        }
        tensor.type = *parsed;
        if (node.has("memory")) tensor.memory = read_memory(node.require("memory"));
        read_shape(node.require("shape"), tensor);
        place(node, tensor, next_address[static_cast<std::size_t>(tensor.memory)]);
        if (node.has("l2_cache")) {
            const YamlNode l2_cache = node.require("l2_cache");
            if (tensor.memory != TensorMemory::GM) l2_cache.fail("only for tensors in GM");
            tensor.l2_cache = l2_cache.as_boolean();
        }
        if (node.has("init")) read_init(node.require("init"), tensor);
        if (node.has("golden")) read_golden(node.require("golden"), tensor);
        return tensor;
    }

private:
    TensorMemory read_memory(const YamlNode& node) const {
        const std::string text = node.as_string();
        for (int i = 0; i < kTensorMemories; ++i) {
            const auto memory = static_cast<TensorMemory>(i);
            if (text != to_string(memory)) continue;
            if (capacity_of(memory) == 0)
                node.fail("the cores of this platform have no path to " + text);
            return memory;
        }
        node.fail(text + " is not supported, expected one of: GM, PEER_GM, UB0, UB1");
    }

    std::int64_t capacity_of(TensorMemory memory) const {
        if (memory == TensorMemory::GM) return limits_.gm_bytes;
        if (memory == TensorMemory::PEER_GM) return limits_.peer_gm_bytes;
        return limits_.fixpipe_reaches_ub ? limits_.ub_bytes : 0;
    }

    void read_shape(const YamlNode& node, Tensor& tensor) const {
        std::int64_t bits = bits_of(tensor.type);
        for (const YamlNode& item : node.items()) {
            const std::int64_t size = read_constant(item, scope_);
            if (size < 1) item.fail("expected a size >= 1, found " + std::to_string(size));
            if (size > capacity_of(tensor.memory) * 8 / bits)
                node.fail("larger than " + std::string(to_string(tensor.memory)));
            bits *= size;
            tensor.shape.push_back(size);
        }
        if (tensor.shape.empty()) node.fail("expected at least one size");
    }

    void place(const YamlNode& node, Tensor& tensor, std::uint64_t next_address) const {
        tensor.address = next_address;
        if (node.has("address")) {
            const YamlNode address = node.require("address");
            const std::int64_t value = read_constant(address, scope_);
            if (value < 0) address.fail("expected an address >= 0, found " + std::to_string(value));
            tensor.address = static_cast<std::uint64_t>(value);
        }
        const std::string memory(to_string(tensor.memory));
        const std::int64_t capacity = capacity_of(tensor.memory);
        const std::uint64_t start = start_of(tensor.memory, limits_);
        if (tensor.address < start) {
            node.require("address").fail("expected an address in " + memory + ", which begins at " +
                                         std::to_string(start));
        }
        if (tensor.address - start > static_cast<std::uint64_t>(capacity - tensor.bytes())) {
            node.fail("ends behind " + memory + ", which has " + std::to_string(capacity) +
                      " bytes");
        }
    }

    void read_init(const YamlNode& node, Tensor& tensor) const {
        const std::string kind = read_only_key(
            node, {"file", "fill", "fill_bytes", "range", "random", "random_integers"});
        const YamlNode value = node.require(kind);
        if (kind == "file") {
            tensor.init = read_file(value, tensor);
        } else if (kind == "fill") {
            tensor.init = FillData{read_element(value, tensor.type)};
        } else if (kind == "fill_bytes") {
            tensor.init = FillBytesData{static_cast<std::uint8_t>(value.as_integer(0, 255))};
        } else if (kind == "range") {
            tensor.init = read_range(value, tensor);
        } else if (kind == "random") {
            tensor.init = read_random(value, tensor.type);
        } else {
            tensor.init = read_random_integers(value, tensor.type);
        }
    }

    FileData read_file(const YamlNode& node, const Tensor& tensor) const {
        const std::string file = (directory_ / node.as_string()).string();
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(file, error);
        if (error) node.fail("cannot read " + file + ": " + error.message());
        if (size != static_cast<std::uintmax_t>(tensor.bytes())) {
            node.fail(file + " has " + std::to_string(size) + " bytes, the tensor needs " +
                      std::to_string(tensor.bytes()));
        }
        return {file};
    }

    static RangeData read_range(const YamlNode& node, const Tensor& tensor) {
        node.allow_keys({"start", "step"});
        const YamlNode start = node.require("start"), step = node.require("step");
        const RangeData range{read_element(start, tensor.type), read_element(step, tensor.type)};
        const double last = range.start + static_cast<double>(tensor.elements() - 1) * range.step;
        if (last < least_value(tensor.type) || last > largest_value(tensor.type)) {
            node.fail("the last element does not fit " + std::string(to_string(tensor.type)));
        }
        return range;
    }

    static RandomData read_random(const YamlNode& node, DataType type) {
        node.allow_keys({"seed", "min", "max"});
        if (is_integer(type)) {
            node.fail("needs a floating type, use random_integers for " +
                      std::string(to_string(type)));
        }
        RandomData data;
        data.seed = read_seed(node);
        data.min = read_element(node.require("min"), type);
        data.max = read_element(node.require("max"), type);
        if (data.min > data.max) node.fail("min is above max");
        return data;
    }

    static RandomIntegersData read_random_integers(const YamlNode& node, DataType type) {
        node.allow_keys({"seed", "min", "max"});
        RandomIntegersData data;
        data.seed = read_seed(node);
        const auto read_limit = [&node, type](const char* key) {
            const YamlNode limit = node.require(key);
            const std::int64_t value = limit.as_integer(-kLargestInteger, kLargestInteger);
            require_fits(limit, static_cast<double>(value), type);
            return value;
        };
        data.min = read_limit("min");
        data.max = read_limit("max");
        if (data.min > data.max) node.fail("min is above max");
        return data;
    }

    static std::uint64_t read_seed(const YamlNode& node) {
        return static_cast<std::uint64_t>(
            node.require("seed").as_integer(0, std::numeric_limits<std::int64_t>::max()));
    }

    void read_golden(const YamlNode& node, Tensor& tensor) const {
        node.allow_keys({"file", "unchanged", "matmul", "elementwise", "rule", "rtol", "atol",
                         "max_bad_fraction"});
        Golden& golden = tensor.golden;
        const int sources = int{node.has("file")} + int{node.has("unchanged")} +
                            int{node.has("matmul")} + int{node.has("elementwise")};
        if (sources != 1) {
            node.fail("expected exactly one of: file, unchanged, matmul, elementwise");
        }
        if (node.has("file")) {
            golden.expected = read_file(node.require("file"), tensor);
        } else if (node.has("matmul")) {
            golden.expected = read_matmul(node.require("matmul"));
        } else if (node.has("elementwise")) {
            golden.expected = ElementwiseGolden{node.require("elementwise").as_string()};
        } else {
            const YamlNode unchanged = node.require("unchanged");
            if (!unchanged.as_boolean()) unchanged.fail("expected true");
            if (std::holds_alternative<std::monostate>(tensor.init)) {
                unchanged.fail("needs initial data");
            }
            golden.expected = UnchangedGolden{};
        }
        if (node.has("rule")) read_rule(node.require("rule"), golden);
        const auto read_tolerance = [&node, &golden](const char* key, double& value, double max) {
            if (!node.has(key)) return;
            const YamlNode tolerance = node.require(key);
            value = tolerance.as_number();
            if (value < 0 || value > max)
                tolerance.fail("expected a number from 0, at most 1 for a fraction");
            if (golden.rule == GoldenRule::exact) tolerance.fail("needs rule isclose");
        };
        read_tolerance("rtol", golden.rtol, std::numeric_limits<double>::infinity());
        read_tolerance("atol", golden.atol, std::numeric_limits<double>::infinity());
        read_tolerance("max_bad_fraction", golden.max_bad_fraction, 1);
    }

    static void read_rule(const YamlNode& node, Golden& golden) {
        const std::string rule = node.as_string();
        if (rule != "exact" && rule != "isclose") {
            node.fail(rule + " is not a rule, expected one of: exact, isclose");
        }
        golden.rule = rule == "exact" ? GoldenRule::exact : GoldenRule::isclose;
    }

    static void read_quant(const YamlNode& node, MatmulGolden& matmul) {
        constexpr std::int64_t kLargest = (std::int64_t{1} << 47) - 1;
        const YamlNode name = node.require("quant_pre");
        const auto mode = parse_quant_pre(name.as_string());
        if (!mode) name.fail(name.as_string() + " is no mode of the pre stage");
        matmul.quant_pre = *mode;
        const QuantParameterKind parameter = info(*mode).parameter;
        if (parameter == QuantParameterKind::none) {
            name.fail(name.as_string() + " has no parameter");
        } else if (parameter == QuantParameterKind::vector) {
            matmul.quant_table = node.require("quant_table").as_string();
        } else {
            matmul.quant_scalar =
                static_cast<std::uint64_t>(node.require("quant_scalar").as_integer(0, kLargest));
        }
    }

    static MatmulGolden read_matmul(const YamlNode& node) {
        node.allow_keys({"a", "b", "bias", "transpose_a", "transpose_b", "relu",
                         "hf32_fraction_bits", "quant_pre", "quant_scalar", "quant_table"});
        const auto flag = [&node](const char* key) {
            return node.has(key) && node.require(key).as_boolean();
        };
        MatmulGolden matmul;
        matmul.a = node.require("a").as_string();
        matmul.b = node.require("b").as_string();
        if (node.has("bias")) matmul.bias = node.require("bias").as_string();
        matmul.transpose_a = flag("transpose_a");
        matmul.transpose_b = flag("transpose_b");
        matmul.relu = flag("relu");
        if (node.has("quant_pre")) read_quant(node, matmul);
        if (node.has("hf32_fraction_bits")) {
            matmul.hf32_fraction_bits =
                static_cast<int>(node.require("hf32_fraction_bits").as_integer(1, 22));
        }
        return matmul;
    }

    const Scope& scope_;
    std::filesystem::path directory_;
    const IsaLimits& limits_;
};

/// The names appear in addresses, `GM:<name>`, and as keys.
void require_tensor_name(const YamlNode& node, const std::string& name) {
    const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
    });
    if (!is_name) node.fail("expected a name of letters, digits and _ . -");
}

std::uint64_t end_of(const Tensor& tensor) {
    return tensor.address + static_cast<std::uint64_t>(tensor.bytes());
}

void require_apart(const YamlNode& node, const Tensor& tensor, const std::vector<Tensor>& others) {
    for (const Tensor& other : others) {
        if (tensor.memory != other.memory) continue;
        if (tensor.address < end_of(other) && other.address < end_of(tensor)) {
            node.fail("overlaps tensor " + other.name + ": bytes " +
                      std::to_string(tensor.address) + ".." + std::to_string(end_of(tensor) - 1) +
                      " and " + std::to_string(other.address) + ".." +
                      std::to_string(end_of(other) - 1));
        }
    }
}

/// Operands of a matmul golden must be tensors of the program.
void require_operands(const YamlNode& node, const Tensor& tensor,
                      const std::vector<Tensor>& tensors) {
    const auto* matmul = std::get_if<MatmulGolden>(&tensor.golden.expected);
    if (matmul == nullptr) return;
    const YamlNode place = node.require("golden").require("matmul");
    for (const char* key : {"a", "b", "bias", "quant_table"}) {
        if (!place.has(key)) continue;
        const YamlNode operand = place.require(key);
        const std::string name = operand.as_string();
        const bool is_known = std::any_of(tensors.begin(), tensors.end(),
                                          [&name](const Tensor& t) { return t.name == name; });
        if (!is_known) operand.fail("unknown tensor " + name);
    }
}

} // namespace

std::vector<Tensor> read_tensors(const YamlNode& node, const Scope& scope,
                                 const std::string& directory, const IsaLimits& limits) {
    const TensorReader reader(scope, directory, limits);
    std::vector<Tensor> tensors;
    std::array<std::uint64_t, kTensorMemories> next_address{};
    for (int i = 0; i < kTensorMemories; ++i) {
        next_address[static_cast<std::size_t>(i)] = start_of(static_cast<TensorMemory>(i), limits);
    }
    for (const std::string& name : node.keys()) {
        const YamlNode entry = node.require(name);
        require_tensor_name(entry, name);
        const Tensor tensor = reader.read(name, entry, next_address);
        require_apart(entry, tensor, tensors);
        next_address[static_cast<std::size_t>(tensor.memory)] =
            (end_of(tensor) + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
        tensors.push_back(tensor);
    }
    for (const Tensor& tensor : tensors)
        require_operands(node.require(tensor.name), tensor, tensors);
    return tensors;
}

} // namespace aicore::tb
