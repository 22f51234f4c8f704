#include "tb/cli/gemm_command.h"

#include "hw/config/platform_loader.h"
#include "hw/config/strict_yaml.h"
#include "hw/isa/stream_check.h"
#include "hw/numerics/element.h"
#include "tb/cli/platform_options.h"
#include "tb/cli/run_job.h"
#include "tb/program/program_writer.h"
#include "tb/workload/gemm_source.h"
#include "tb/workload/reference_quant.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

namespace aicore::tb {
namespace {

constexpr std::uint64_t kSignedResult = std::uint64_t{1} << 46;

constexpr std::uint8_t kPresetByte = 0xa5; // shows elements of C that nothing wrote

/// What an option may say and the type that it means, in the order of its help.
using TypeNames = std::vector<std::pair<std::string, DataType>>;

// hf32 is float32 that the cube rounds.
const TypeNames kInputTypes{{"fp16", DataType::float16},      {"bf16", DataType::bfloat16},
                            {"fp32", DataType::float32},      {"hf32", DataType::float32},
                            {"int8", DataType::int8},         {"int4", DataType::int4},
                            {"fp8_e4m3", DataType::fp8_e4m3}, {"fp8_e5m2", DataType::fp8_e5m2},
                            {"hif8", DataType::hifloat8}};
const TypeNames kOtherTypes{{"fp8_e4m3", DataType::fp8_e4m3}, {"fp8_e5m2", DataType::fp8_e5m2}};
const TypeNames kOutputTypes{{"fp32", DataType::float32},
                             {"fp16", DataType::float16},
                             {"bf16", DataType::bfloat16},
                             {"int32", DataType::int32}};

std::vector<std::string> words_of(const TypeNames& names) {
    std::vector<std::string> words;
    for (const auto& [word, type] : names) words.push_back(word);
    return words;
}

/// `word` has passed one_of(words_of(names)).
DataType type_of(const TypeNames& names, const std::string& word) {
    return std::find_if(names.begin(), names.end(),
                        [&](const auto& name) { return name.first == word; })
        ->second;
}

/// Modes of --quant: those whose results can be checked.
std::vector<std::string> quant_words() {
    std::vector<std::string> words;
    for (int i = 0; i < kQuantPreModes; ++i) {
        const auto mode = static_cast<QuantPreMode>(i);
        if (quantised_type(mode)) words.emplace_back(to_string(mode));
    }
    return words;
}

struct GemmOptions {
    GemmSpec spec;
    std::string dtype = "fp16", b_dtype, out_dtype, tile, double_buffer = "on", unit_flag = "on";
    std::string quant;
    std::optional<float> quant_scale;
    std::uint64_t seed = 1;
    int cores = 1;
    std::string emit;
    PlatformOptions platform;
    RunOptions run;

    void add_to(CLI::App& command);
    GemmSpec complete_spec() const;
};

void GemmOptions::add_to(CLI::App& command) {
    const std::string product = "Product", schedule = "Schedule";
    const auto size = [&](const char* name, std::int64_t& value, const char* what) {
        command.add_option(name, value, what)->required()->group(product);
    };
    size("--m", spec.m, "Rows of A and C");
    size("--n", spec.n, "Columns of B and C");
    size("--k", spec.k, "Columns of A, rows of B");
    command.add_option("--dtype", dtype, "Type of A and B")
        ->check(one_of(words_of(kInputTypes)))
        ->type_name("fp16|bf16|fp32|hf32|int8|int4 (arch 2201)|"
                    "fp8_e4m3|fp8_e5m2|hif8 (arch 3510)")
        ->capture_default_str()
        ->group(product);
    command.add_option("--dtype-b", b_dtype, "Type of B, when it is the other fp8")
        ->check(one_of(words_of(kOtherTypes)))
        ->type_name("fp8_e4m3|fp8_e5m2")
        ->group(product);
    command
        .add_option("--out-dtype", out_dtype,
                    "Type of C (default: fp32 for floating types, int32 for integers)")
        ->check(one_of(words_of(kOutputTypes)))
        ->type_name("fp32|fp16|bf16|int32")
        ->group(product);
    command.add_flag("--bias", spec.bias, "Add one value for each column of C")->group(product);
    command.add_flag("--relu", spec.relu, "ReLU on the way out")->group(product);
    command
        .add_option(
            "--quant", quant,
            "Quantisation of the sums (its result is the type of C), with one parameter, or "
            "V...: one for each column, from half the scale to the scale")
        ->check(one_of(quant_words()))
        ->type_name("[V]DEQF16|[V]REQ8|[V]DEQS16|[V]QF322B8_PRE")
        ->group(product);
    command
        .add_option("--quant-scale", quant_scale,
                    "Scale of --quant (default: most results use a third of the range of int8)")
        ->check(CLI::Range(0x1p-100F, 0x1p100F))
        ->type_name("X")
        ->needs("--quant")
        ->group(product);
    command.add_option("--seed", seed, "Of the random content of A, B and the bias")
        ->capture_default_str()
        ->group(product);
    command.add_option("--tile", tile, "Elements of one Mmad (default: chosen to fit the buffers)")
        ->type_name("MxNxK")
        ->group(schedule);
    const auto on_off = [&](const char* name, std::string& value, const char* what) {
        command.add_option(name, value, what)
            ->check(one_of({"on", "off"}))
            ->type_name("on|off")
            ->capture_default_str()
            ->group(schedule);
    };
    on_off("--double-buffer", double_buffer, "Two slots in each buffer");
    on_off("--unit-flag", unit_flag, "Mmad and Fixpipe meet block by block in L0C");
    command
        .add_option("--cores", cores,
                    "Cube cores that share the rows of C; needs a platform with as many "
                    "(--set chip.ai_cores=N)")
        ->check(CLI::Range(1, 256))
        ->type_name("N")
        ->capture_default_str()
        ->group(schedule);
    command
        .add_option("--emit", emit,
                    "Write the program to a file before it runs; `aicore run` gives the same "
                    "cycles")
        ->type_name("FILE")
        ->group("Result files");
    run.add_to(command);
    platform.add_to(command);
}

void parse_tile(const std::string& tile, GemmSpec& spec) {
    const char* at = tile.data();
    const char* const end = at + tile.size();
    for (std::optional<std::int64_t>* size : {&spec.tile_m, &spec.tile_n, &spec.tile_k}) {
        std::int64_t value = 0;
        const auto [rest, error] = std::from_chars(at, end, value);
        const bool is_last = size == &spec.tile_k;
        if (error != std::errc() || (is_last ? rest != end : rest == end || *rest != 'x')) {
            throw InputError("--tile " + tile + ": expected MxNxK, as 128x256x64");
        }
        *size = value;
        at = rest + (is_last ? 0 : 1);
    }
}

/// Sums of random elements, uniform over their range r, deviate by about r^2 / 3 * sqrt(k).
float default_scale(const GemmSpec& spec) {
    const float range = is_integer(spec.dtype) ? static_cast<float>(largest_value(spec.dtype)) : 1;
    constexpr float kThirdOfRange = 42;
    return 3 * kThirdOfRange / (range * range * std::sqrt(static_cast<float>(spec.k)));
}

GemmSpec GemmOptions::complete_spec() const {
    GemmSpec complete = spec;
    complete.dtype = type_of(kInputTypes, dtype);
    complete.hf32 = dtype == "hf32";
    if (!b_dtype.empty()) complete.b_dtype = type_of(kOtherTypes, b_dtype);
    const char* const default_out = is_integer(complete.dtype) ? "int32" : "fp32";
    complete.out_dtype = type_of(kOutputTypes, out_dtype.empty() ? default_out : out_dtype);
    if (!quant.empty()) {
        complete.quant = *parse_quant_pre(quant);
        const DataType result = *quantised_type(complete.quant);
        if (!out_dtype.empty() && type_of(kOutputTypes, out_dtype) != result)
            throw InputError("--out-dtype " + out_dtype + ": --quant " + quant + " makes " +
                             std::string(to_string(result)));
        complete.out_dtype = result;
        complete.quant_scalar =
            f32_to_bits(quant_scale.value_or(default_scale(complete))) | kSignedResult;
    }
    complete.double_buffer = double_buffer == "on";
    complete.unit_flag = unit_flag == "on";
    if (!tile.empty()) parse_tile(tile, complete);
    return complete;
}

InitialData random_data(DataType type, std::uint64_t seed) {
    constexpr std::int64_t kLargestBias = 1 << 20; // beyond the products of a short K
    switch (type) {
    case DataType::int8: return RandomIntegersData{seed, -128, 127};
    case DataType::int4: return RandomIntegersData{seed, -8, 7};
    case DataType::int32: return RandomIntegersData{seed, -kLargestBias, kLargestBias};
    default: return RandomData{seed, -1, 1};
    }
}

std::vector<Tensor> tensors_of(const GemmPlan& plan, const NumericsConfig& numerics,
                               std::uint64_t seed) {
    const GemmSpec& spec = plan.spec;
    Tensor a, b, c;
    a.name = "a";
    a.type = spec.dtype;
    a.shape = {spec.m, spec.k};
    a.address = plan.a.address;
    a.init = random_data(spec.dtype, seed);
    b.name = "b";
    b.type = spec.b_dtype.value_or(spec.dtype);
    b.shape = {spec.k, spec.n};
    if (plan.b_transposed) b.shape = {spec.n, spec.k};
    b.address = plan.b.address;
    b.init = random_data(b.type, seed + 1);
    c.name = "c";
    c.type = spec.out_dtype;
    c.shape = {spec.m, spec.n};
    c.address = plan.c.address;
    c.init = FillBytesData{kPresetByte};
    MatmulGolden golden;
    golden.a = a.name;
    golden.b = b.name;
    golden.transpose_b = plan.b_transposed;
    golden.relu = spec.relu;
    if (spec.hf32) golden.hf32_fraction_bits = numerics.hf32_fraction_bits;
    std::vector<Tensor> tensors{a, b};
    if (spec.bias) {
        Tensor bias;
        bias.name = golden.bias = "bias";
        bias.type = sum_type_of(spec.dtype);
        bias.shape = {spec.n};
        bias.address = plan.bias.address;
        bias.init = random_data(bias.type, seed + 2);
        tensors.push_back(bias);
    }
    golden.quant_pre = spec.quant;
    if (info(spec.quant).parameter == QuantParameterKind::vector) {
        constexpr std::uint64_t kHalf = 1u << 23; // one less in the exponent of the scale
        Tensor table;
        table.name = golden.quant_table = "quant";
        table.type = DataType::int64;
        table.shape = {plan.quant.bytes / 8};
        table.address = plan.quant.address;
        table.init =
            RandomIntegersData{seed + 3, static_cast<std::int64_t>(spec.quant_scalar - kHalf),
                               static_cast<std::int64_t>(spec.quant_scalar)};
        tensors.push_back(table);
    } else {
        golden.quant_scalar = spec.quant_scalar;
    }
    c.golden.expected = golden;
    tensors.push_back(c);
    return tensors;
}

std::string size_text(std::int64_t m, std::int64_t n, std::int64_t k) {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

std::string types_of(const GemmSpec& spec) {
    std::string text = spec.hf32 ? "hf32" : std::string(to_string(spec.dtype));
    if (spec.b_dtype) text += " x " + std::string(to_string(*spec.b_dtype));
    return text + " to " + std::string(to_string(spec.out_dtype));
}

std::string title_of(const GemmPlan& plan) {
    const GemmSpec& spec = plan.spec;
    return "gemm " + size_text(spec.m, spec.n, spec.k) + ", " + types_of(spec) + ", tile " +
           size_text(plan.tile_m, plan.tile_n, plan.tile_k) +
           (spec.double_buffer ? ", double buffer" : "") + (spec.unit_flag ? ", unit flags" : "") +
           (spec.bias ? ", bias" : "") +
           (spec.quant != QuantPreMode::none ? ", " + std::string(to_string(spec.quant)) : "") +
           (spec.relu ? ", relu" : "");
}

/// The expected result is computed apart from the model, for the default readings only.
void check_readings(const Platform& platform) {
    const auto refuse = [](const std::string& key) {
        throw InputError("gemm: " + key +
                         ": the expected result is known for its default only; "
                         "emit the program with the default and run that");
    };
    if (platform.engines.cube.summation != Summation::sequential) refuse("engines.cube.summation");
    if (platform.numerics.ctrl.hf32) refuse("numerics.hf32");
    if (platform.numerics.ctrl.hf32_trans) refuse("numerics.hf32_trans");
    if (platform.numerics.ctrl.hifloat8) refuse("numerics.hifloat8");
    if (platform.numerics.quantisation.deqf16_rounds_first) {
        refuse("numerics.quantisation.deqf16_rounds_first");
    }
}

/// A plan can't foresee every limit of an unusual platform. Returns the number of instructions.
std::uint64_t check_source(InstructionSource& source, const IsaLimits& limits) {
    std::uint64_t count = 0;
    Instruction instruction;
    StreamCheck stream(limits, {limits.ctrl, {}, {}});
    while (source.next(instruction)) {
        ++count;
        const auto violation = stream.next(instruction.operation);
        if (!violation) continue;
        throw InputError("gemm: this platform can't run instruction " + std::to_string(count) +
                         " of the program, " + std::string(mnemonic(instruction.operation)) + ": " +
                         violation->field + " = " + violation->value + ": " + violation->rule);
    }
    source.rewind();
    return count;
}

int run_gemm(const GemmOptions& options) {
    const GemmSpec spec = options.complete_spec();
    const Platform platform = options.platform.load();
    if (options.cores > platform.chip.ai_cores) {
        throw InputError(
            "--cores " + std::to_string(options.cores) +
            ": the platform has chip.ai_cores = " + std::to_string(platform.chip.ai_cores));
    }
    check_readings(platform);
    const GemmPlan plan = plan_gemm(spec, platform);
    const std::vector<GemmPlan> parts = split_rows(plan, options.cores);
    RunJob job;
    job.title =
        title_of(plan) + (parts.size() > 1 ? ", " + std::to_string(parts.size()) + " cores" : "");
    job.tensors = tensors_of(plan, platform.numerics, options.seed);
    job.launches.resize(1);
    std::vector<std::unique_ptr<GemmSource>> sources;
    std::vector<CoreStream> streams;
    for (const GemmPlan& part : parts) {
        sources.push_back(std::make_unique<GemmSource>(part));
        const std::string core = "aic" + std::to_string(sources.size() - 1);
        job.instructions += check_source(*sources.back(), isa_limits(platform));
        job.launches.front().push_back({core, sources.back().get()});
        streams.push_back({core, sources.back().get()});
    }
    job.program_file = options.emit;
    job.write_program = [&](std::ostream& out) {
        write_program(out, job.title, job.tensors, streams);
    };
    return run_job(job, platform, options.run);
}

} // namespace

void add_gemm_command(CLI::App& app, CommandAction& action) {
    CLI::App* const command =
        app.add_subcommand("gemm", "Generate a matrix product C = A x B, run it, check the result");
    const auto options = std::make_shared<GemmOptions>();
    options->add_to(*command);
    command->callback([options, &action] { action = [options] { return run_gemm(*options); }; });
}

} // namespace aicore::tb
