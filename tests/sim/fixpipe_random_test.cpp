// Random Fixpipe instructions on the model against a reference that walks elements one by one.
//
// The reference takes its arithmetic from quantise_reference.h (exact, one element at a time) and
// its layouts from the text of the vendor's pages; it shares nothing with hw/fixpipe or the walks.
#include "hw/config/platform_loader.h"
#include "hw/isa/legality.h"
#include "tests/support/core_bench.h"
#include "tests/support/random_fixpipes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace aicore::test {
namespace {

constexpr int kInstructions = 3000;
constexpr std::uint64_t kAreaBytes = 32768; ///< of GM for each instruction
constexpr std::uint8_t kUntouched = 0xA5;

template <typename Word>
Word word_at(const ByteVector& bytes, std::int64_t offset) {
    Word word;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

template <typename Word>
void append(ByteVector& bytes, Word word) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof word);
    std::memcpy(bytes.data() + at, &word, sizeof word);
}

/// The tables of the Fixpipe buffer. Post-stage modes differ in the width of their offset: an entry
/// is read as its mode says.
struct Tables {
    std::vector<reference::Fields> quant_pre;
    std::vector<std::uint32_t> relu_pre, relu_post;
    ByteVector slices[4];

    explicit Tables(RandomFixpipes& random) {
        for (int i = 0; i < 256; ++i) {
            quant_pre.push_back(random.fields());
            quant_pre.back().is_signed = i < kSignedEntries;
            append(slices[0], quant_pre.back().pre_word());
            relu_pre.push_back(random.multiplier());
            append(slices[1], relu_pre.back());
            reference::Fields post = random.post_fields(true);
            post.is_signed = i < kSignedEntries;
            append(slices[2], post.post_word(true));
            relu_post.push_back(random.multiplier());
            append(slices[3], relu_post.back());
        }
    }
    reference::Fields quant_post(std::int64_t index, bool wide) const {
        const auto word = word_at<std::uint64_t>(slices[2], index * 8);
        reference::Fields fields;
        fields.scale = static_cast<std::uint32_t>(word) & 0xFFFFE000u;
        fields.offset = static_cast<std::uint32_t>(word & 0x1FF);
        if (wide) fields.offset |= static_cast<std::uint32_t>(word >> 32 & 0xFF) << 9;
        fields.is_signed = (word >> 9 & 1) != 0;
        return fields;
    }
};

/// Name without the V of the vector forms, which compute the same.
template <typename Mode>
std::string formula(Mode mode) {
    const std::string name(to_string(mode));
    return info(mode).parameter == QuantParameterKind::vector ? name.substr(1) : name;
}

class ElementReference {
public:
    ElementReference(const NumericsConfig& numerics, int arch, const ByteVector& l0c,
                     const Tables& tables)
        : numerics_(numerics), arch_(arch), l0c_(l0c), tables_(tables) {}

    /// Writes the results of an instruction whose area of GM starts at `area`.
    void write(const FixpipeCase& c, std::uint64_t area, ByteVector& gm) const {
        const Fixpipe& op = c.op;
        const int bits = bits_of(op.dst_type);
        for (std::int64_t i = 0; i < op.nd_num; ++i) {
            for (std::int64_t m = 0; m < op.m_size; ++m) {
                for (std::int64_t n = 0; n < op.n_size; ++n) {
                    const std::int64_t source = op.src_addr + i * op.src_nd_stride * 1024 +
                                                n / 16 * op.src_stride * 64 + m * 64 + n % 16 * 4;
                    const std::int64_t base = static_cast<std::int64_t>(op.dst_addr - area) * 8;
                    put(gm, base + place(op, i, m, n), bits,
                        convert(c, n, word_at<std::uint32_t>(l0c_, source)));
                }
            }
        }
    }

private:
    std::uint32_t convert(const FixpipeCase& c, std::int64_t n, std::uint32_t word) const {
        const Fixpipe& op = c.op;
        QuantStage stage;
        stage.source = op.src_type;
        stage.relu = op.relu_pre;
        stage.clip = op.clip_relu_pre;
        stage.clip_max = op.clip_max;
        stage.overflow = numerics_.ctrl.float_overflow;
        stage.fp8_nan = numerics_.ctrl.fp8_nan;
        stage.arch = arch_;
        stage.switches = numerics_.quantisation;
        const bool vector = info(op.quant_pre).parameter == QuantParameterKind::vector;
        const std::uint32_t slope =
            op.relu_pre == ReluMode::prelu
                ? tables_.relu_pre[static_cast<std::size_t>(op.relu_pre_table_addr / 4 + n)]
                : op.relu_pre_alpha;
        const std::uint32_t result = reference::quantise(
            stage, formula(op.quant_pre), std::string(to_string(info(op.quant_pre).result)),
            vector ? tables_.quant_pre[static_cast<std::size_t>(op.quant_table_addr / 8 + n)]
                   : c.pre,
            slope, word);
        return op.quant_post == QuantPostMode::none
                   ? result
                   : convert_again(c, n, static_cast<std::uint16_t>(result));
    }

    std::uint32_t convert_again(const FixpipeCase& c, std::int64_t n, std::uint16_t value) const {
        const Fixpipe& op = c.op;
        const QuantModeInfo& mode = info(op.quant_post);
        PostStage stage;
        stage.relu = op.relu_post;
        stage.clip = op.clip_relu_post;
        stage.clip_max = op.clip_max;
        stage.switches = numerics_.quantisation;
        const std::uint32_t slope =
            op.relu_post == ReluMode::prelu
                ? tables_.relu_post[static_cast<std::size_t>(op.relu_post_table_addr / 4 + n)]
                : op.relu_post_alpha;
        const bool vector = mode.parameter == QuantParameterKind::vector;
        return reference::requantise(stage, formula(op.quant_post),
                                     vector ? tables_.quant_post(op.quant_post_table_addr / 8 + n,
                                                                 mode.result == QuantType::int16)
                                            : c.post,
                                     slope, value);
    }

    /// Bit of element (m, n) of matrix i, from the texts on NZ, channel merge and split.
    static std::int64_t place(const Fixpipe& op, std::int64_t i, std::int64_t m, std::int64_t n) {
        const std::int64_t bits = bits_of(op.dst_type);
        if (op.layout == FixpipeLayout::NZ2ND) {
            return (i * op.dst_nd_stride + m * op.dst_stride + n) * bits;
        }
        std::int64_t width = 16; // columns of a destination panel
        if (bits == 8) width = 32;
        if (bits == 4) width = 64;
        if (op.channel_split) width = 8;
        const std::int64_t panel = n / width;
        const bool lone = bits == 8 && op.n_size % 32 == 16 && panel == op.n_size / 32;
        const std::int64_t row_elements = lone ? 16 : width;
        return panel * op.dst_stride * 256 + (m * row_elements + n % width) * bits;
    }

    static void put(ByteVector& bytes, std::int64_t at, int bits, std::uint32_t value) {
        if (bits == 4) {
            std::uint8_t& byte = bytes[static_cast<std::size_t>(at / 8)];
            const auto half = static_cast<std::uint8_t>(value & 15);
            byte = static_cast<std::uint8_t>(at % 8 == 0 ? (byte & 0xF0) | half
                                                         : (byte & 0x0F) | half << 4);
            return;
        }
        std::memcpy(bytes.data() + at / 8, &value, static_cast<std::size_t>(bits / 8));
    }

    const NumericsConfig& numerics_;
    int arch_;
    const ByteVector& l0c_;
    const Tables& tables_;
};

ByteVector random_l0c(RandomFixpipes& random, std::size_t bytes) {
    ByteVector l0c;
    while (l0c.size() < bytes) {
        if (l0c.size() < kFixpipeIntegers) {
            append(l0c, static_cast<float>(random.pick(-4'000'000, 4'000'000)) / 8192.0f);
        } else {
            append(l0c, static_cast<std::int32_t>(random.pick(-100'000, 100'000)));
        }
    }
    return l0c;
}

class FixpipeRandom : public SimTest {
protected:
    /// Runs the instructions and compares; gives how often each choice was made, by its name.
    static std::map<std::string, int> run_all(int arch) {
        CoreBench bench({{"arch=" + std::to_string(arch)}, true, false, false, 0});
        RandomFixpipes random(arch, 20261130);
        const ByteVector l0c = random_l0c(
            random, static_cast<std::size_t>(bench.platform().memories.l0c.size_bytes.count()));
        const Tables tables(random);
        const ByteVector untouched(kAreaBytes, kUntouched);
        const IsaLimits limits = isa_limits(bench.platform());
        GlobalMemory& gm = bench.simulation().chip().gm();

        std::map<std::string, int> counts;
        std::vector<FixpipeCase> cases;
        ProgramList program;
        for (std::uint64_t i = 0; i < kInstructions; ++i) {
            gm.load(i * kAreaBytes, untouched.data(), kAreaBytes);
            const FixpipeCase c = random.next(i * kAreaBytes);
            const auto violation = find_violation(c.op, limits);
            EXPECT_FALSE(violation) << disassemble(c.op) << ": " << violation->field << " = "
                                    << violation->value << ": " << violation->rule;
            ++counts[std::string(to_string(c.op.quant_pre))];
            ++counts["post " + std::string(to_string(c.op.quant_post))];
            ++counts["relu " + std::string(to_string(c.op.relu_pre))];
            ++counts["relu post " + std::string(to_string(c.op.relu_post))];
            ++counts["to " + std::string(to_string(c.op.dst_type))];
            if (c.op.clip_relu_pre) ++counts["clip"];
            if (c.op.clip_relu_post) ++counts["clip post"];
            if (c.op.channel_split) ++counts["split"];
            cases.push_back(c);
            program.add(c.op);
        }
        bench.reset();
        bench.poke(Buffer::L0C, 0, l0c);
        for (std::uint64_t slice = 0; slice < 4; ++slice) {
            bench.poke(Buffer::FB, slice << 16, tables.slices[slice]);
        }
        bench.run(program);

        const ElementReference reference(bench.platform().numerics, arch, l0c, tables);
        for (std::uint64_t i = 0; i < kInstructions; ++i) {
            ByteVector expected = untouched, actual(kAreaBytes);
            reference.write(cases[i], i * kAreaBytes, expected);
            gm.dump(i * kAreaBytes, actual.data(), kAreaBytes);
            EXPECT_TRUE(actual == expected)
                << "instruction " << i << ": " << disassemble(cases[i].op);
            if (HasFailure()) break;
        }
        return counts;
    }

    template <typename Mode>
    static void expect_modes(std::map<std::string, int>& counts, int arch, int modes,
                             const std::string& prefix) {
        for (int i = 0; i < modes; ++i) {
            const auto mode = static_cast<Mode>(i);
            const std::string name = prefix + std::string(to_string(mode));
            if (!is_available(mode, arch)) continue;
            EXPECT_GE(counts[name], 15) << name;
        }
    }

    static void expect_all(std::map<std::string, int>& counts,
                           std::initializer_list<const char*> names) {
        for (const char* name : names) EXPECT_GE(counts[name], 15) << name;
    }
};

TEST_F(FixpipeRandom, EqualsTheElementReference2201) {
    std::map<std::string, int> counts = run_all(2201);
    expect_modes<QuantPreMode>(counts, 2201, kQuantPreModes, "");
    expect_all(counts, {"relu none", "relu normal", "relu leaky", "relu prelu", "clip", "split",
                        "to int8", "to uint8", "to int4", "to int16", "to float16", "to bfloat16",
                        "to float32", "to int32"});
}

TEST_F(FixpipeRandom, EqualsTheElementReference3510) {
    std::map<std::string, int> counts = run_all(3510);
    expect_modes<QuantPreMode>(counts, 3510, kQuantPreModes, "");
    expect_modes<QuantPostMode>(counts, 3510, kQuantPostModes, "post ");
    expect_all(counts, {"relu post normal", "relu post leaky", "relu post prelu", "clip post",
                        "split", "to fp8_e4m3", "to hifloat8", "to int4"});
}

} // namespace
} // namespace aicore::test
