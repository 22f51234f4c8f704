// Speed of the simulator: a float16 product with all cycles, beside its arithmetic alone.
//
// Both run in turns in one process, so that a busy machine disturbs both alike.
#include "hw/config/data_files.h"
#include "hw/config/platform_loader.h"
#include "tb/run/simulation.h"
#include "tb/workload/gemm_reference.h"
#include "tb/workload/gemm_source.h"
#include "tests/bench/gemm_arithmetic.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <vector>

namespace {

using namespace aicore;

struct Options {
    std::int64_t size = 1024;
    int repeats = 9;
    bool json = false;
};

struct Figures {
    std::int64_t cycles = 0;
    double wall_seconds = 0, arithmetic_seconds = 0, overhead_ratio = 0; ///< medians
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

template <typename Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_rss_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

Figures measure(const Options& options) {
    const Platform platform = load_platform(find_data_file("platform.yaml"), {});
    tb::GemmSpec spec;
    spec.m = spec.n = spec.k = options.size;
    const tb::GemmPlan plan = tb::plan_gemm(spec, platform);
    std::vector<std::uint8_t> a(static_cast<std::size_t>(plan.a.bytes));
    std::vector<std::uint8_t> b(static_cast<std::size_t>(plan.b.bytes));
    tb::fill_random(spec.dtype, 1, a);
    tb::fill_random(spec.dtype, 2, b);

    tb::GemmSource source(plan);
    tb::Simulation simulation(platform);
    GlobalMemory& gm = simulation.chip().gm();
    gm.load(plan.a.address, a.data(), a.size());
    gm.load(plan.b.address, b.data(), b.size());
    bench::GemmArithmetic arithmetic(plan, a, b);
    const auto simulate = [&] {
        if (simulation.run(source) != tb::RunOutcome::finished)
            throw std::runtime_error("the simulation hangs");
    };

    // The first round warms up, and shows that both compute the same.
    simulate();
    arithmetic.run();
    std::vector<std::uint8_t> c(static_cast<std::size_t>(plan.c.bytes));
    gm.dump(plan.c.address, c.data(), c.size());
    if (c != arithmetic.result()) throw std::runtime_error("simulation and arithmetic differ");

    std::vector<double> wall, alone, ratio;
    for (int i = 0; i < options.repeats; ++i) {
        wall.push_back(seconds_of(simulate));
        alone.push_back(seconds_of([&] { arithmetic.run(); }));
        ratio.push_back(wall.back() / alone.back());
    }
    return {simulation.cycles().count(), median(wall), median(alone), median(ratio)};
}

void print(const Options& options, const Figures& figures) {
    const double rate = static_cast<double>(figures.cycles) / figures.wall_seconds;
    if (options.json) {
        std::cout << nlohmann::ordered_json{{"cycles_per_second", rate},
                                            {"overhead_ratio", figures.overhead_ratio},
                                            {"wall_seconds", figures.wall_seconds},
                                            {"peak_rss_mib", peak_rss_mib()},
                                            {"cycles", figures.cycles},
                                            {"arithmetic_seconds", figures.arithmetic_seconds},
                                            {"size", options.size},
                                            {"repeats", options.repeats}}
                         .dump(2)
                  << '\n';
        return;
    }
    std::printf("float16 product %lld x %lld x %lld, medians of %d runs\n"
                "  simulated cycles       %12lld\n"
                "  simulation             %12.4f s\n"
                "  arithmetic alone       %12.4f s\n"
                "  ratio                  %12.2f    goal: at most 2.0\n"
                "  cycles per second      %12.0f    goal: at least 2000000\n"
                "  peak resident memory   %12.1f MiB\n",
                static_cast<long long>(options.size), static_cast<long long>(options.size),
                static_cast<long long>(options.size), options.repeats,
                static_cast<long long>(figures.cycles), figures.wall_seconds,
                figures.arithmetic_seconds, figures.overhead_ratio, rate, peak_rss_mib());
}

} // namespace

int sc_main(int argc, char** argv) {
    Options options;
    CLI::App app("Measures the speed of the simulator");
    app.add_flag("--json", options.json, "Print JSON");
    app.add_option("--size", options.size, "m, n and k of the product")
        ->check(CLI::Range(2, 8192))
        ->capture_default_str();
    app.add_option("--repeats", options.repeats, "Measurements of each kind")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        tb::set_time_resolution();
        print(options, measure(options));
    } catch (const std::exception& error) {
        std::cerr << "aicore_bench_gemm: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
