// Program images: every instruction survives the way there and back, anything else is refused.

#include "hw/isa/operation_digest.h"
#include "hw/isa/operation_list.h"
#include "hw/isa/operation_table.h"
#include "hw/isa/program_image.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace aicore {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Visitor of the operation table: draws every field. `ok` is false when they contradict each
/// other.
class Drawer {
public:
    explicit Drawer(std::mt19937_64& random) : random_(random) {}

    template <typename Address>
    void location(const char*, const char*, Buffer& buffer, Address& addr,
                  std::initializer_list<Buffer> allowed, Need = Need::required) {
        buffer = *(allowed.begin() + random_() % allowed.size());
        addr = static_cast<Address>(random_());
    }
    template <typename Member>
    void integer(const char*, Member& member, Need need) {
        if (need == Need::implied) return;
        member = static_cast<Member>(random_() % 2 == 0 ? random_() % 4 : random_());
    }
    void boolean(const char*, bool& member, Need need) {
        if (need != Need::implied) member = random_() % 2 == 0;
    }
    template <typename Enum, std::size_t count>
    void choice(const char*, Enum& member, const std::array<Choice<Enum>, count>& choices,
                Need need) {
        if (need == Need::implied || (need == Need::optional && random_() % 3 == 0)) return;
        member = choices[random_() % count].value;
    }
    void scalar(const char*, std::uint32_t& bits, DataType, Need) {
        bits = static_cast<std::uint32_t>(random_());
    }
    void ignored(const char*) {}
    void require_choice(bool holds, const char*, const char*) { ok &= holds; }
    void require(bool holds, const char*, const std::string&, const char*) { ok &= holds; }

    bool ok = true;

private:
    std::mt19937_64& random_;
};

/// Visitor of the operation table: all fields as text.
class Lister {
public:
    template <typename Address>
    void location(const char* name, const char*, Buffer& buffer, Address& addr,
                  std::initializer_list<Buffer>, Need = Need::required) {
        add(name, std::string(to_string(buffer)) + " " + std::to_string(addr));
    }
    template <typename Member>
    void integer(const char* name, Member& member, Need) {
        add(name, std::to_string(member));
    }
    void boolean(const char* name, bool& member, Need) { add(name, member ? "true" : "false"); }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum& member, const std::array<Choice<Enum>, count>& choices,
                Need) {
        std::string chosen = "none";
        for (const Choice<Enum>& choice : choices) {
            if (choice.value == member) chosen = choice.text;
        }
        add(name, chosen);
    }
    void scalar(const char* name, std::uint32_t& bits, DataType, Need) {
        add(name, std::to_string(bits));
    }
    void ignored(const char*) {}
    void require_choice(bool, const char*, const char*) {}
    void require(bool, const char*, const std::string&, const char*) {}

    std::string text;

private:
    void add(const char* name, const std::string& value) {
        text += std::string(name) + ": " + value + "\n";
    }
};

std::string list(Operation operation) {
    Lister lister;
    std::visit([&lister](auto& op) { describe(lister, op); }, operation);
    return std::string(mnemonic(operation)) + "\n" + lister.text;
}

Operation draw(const Operation& prototype, std::mt19937_64& random) {
    while (true) {
        Operation operation = prototype;
        Drawer drawer(random);
        std::visit([&drawer](auto& op) { describe(drawer, op); }, operation);
        if (drawer.ok) return operation;
    }
}

ProgramImage random_image(std::uint64_t seed, int instructions) {
    std::mt19937_64 random(seed);
    ProgramImage image;
    image.block_count = 2;
    for (std::uint32_t i = 0; i < 4; ++i) {
        ProgramImage::Section section{i / 2, i % 2, {}};
        for (int j = 0; j < instructions; ++j) {
            const auto& all = all_operations();
            section.instructions.push_back(
                {draw(all[random() % all.size()], random), {j + 1, static_cast<int>(i)}});
        }
        image.sections.push_back(section);
    }
    return image;
}

std::string error_of(const Bytes& bytes) {
    try {
        decode_image(bytes.data(), bytes.size());
    } catch (const ImageError& error) {
        return error.what();
    }
    return "";
}

TEST(ProgramImage, KeepsEveryFieldOfEveryInstruction) {
    std::mt19937_64 random(1);
    for (const Operation& prototype : all_operations()) {
        for (int i = 0; i < 40; ++i) {
            ProgramImage image;
            image.arch = 3510;
            image.sections = {{0, 1, {{draw(prototype, random), {123, 45}}}}};
            const Bytes bytes = encode(image);
            const ProgramImage back = decode_image(bytes.data(), bytes.size());
            ASSERT_EQ(back.arch, 3510);
            ASSERT_EQ(back.block_count, 1u);
            ASSERT_EQ(back.sections.size(), 1u);
            ASSERT_NE(back.find(0, 1), nullptr);
            ASSERT_EQ(back.find(0, 0), nullptr);
            const Instruction& instruction = back.sections.front().instructions.at(0);
            ASSERT_EQ(list(instruction.operation),
                      list(image.sections.front().instructions.front().operation));
            EXPECT_EQ(instruction.place.line, 123);
            EXPECT_EQ(instruction.place.column, 45);
        }
    }
}

TEST(ProgramImage, NamesEveryInstructionOnce) {
    for (std::size_t i = 0; i < all_operations().size(); ++i) {
        EXPECT_EQ(find_operation(mnemonic(all_operations()[i])), i);
    }
    EXPECT_FALSE(find_operation("jump"));
}

TEST(ProgramImage, RefusesEveryTruncation) {
    const Bytes bytes = encode(random_image(2, 6));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        // A copy of that length, so that a sanitizer sees a read behind it.
        EXPECT_NE(error_of(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(length))), "");
    }
    Bytes longer = bytes;
    longer.insert(longer.end(), 100, 0xff); // what else lies in the window
    EXPECT_EQ(error_of(longer), "");
}

// A flipped bit gives another image or none, and never one that reads in two ways.
TEST(ProgramImage, ReadsNothingThatItWouldNotWrite) {
    const Bytes bytes = encode(random_image(3, 8));
    std::size_t refused = 0;
    for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
        Bytes flipped = bytes;
        flipped[i / 8] = static_cast<std::uint8_t>(flipped[i / 8] ^ (1u << (i % 8)));
        try {
            EXPECT_EQ(encode(decode_image(flipped.data(), flipped.size())), flipped) << "bit " << i;
        } catch (const ImageError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 64u * 8u);
}

TEST(ProgramImage, SurvivesNoise) {
    std::mt19937_64 random(4);
    const Bytes bytes = encode(random_image(5, 8));
    for (int i = 0; i < 20000; ++i) {
        Bytes noisy = bytes;
        for (std::uint64_t j = 0; j <= random() % 8; ++j) {
            noisy[random() % noisy.size()] = static_cast<std::uint8_t>(random());
        }
        try {
            const ProgramImage image = decode_image(noisy.data(), noisy.size());
            EXPECT_LE(image.sections.size(), 4u);
        } catch (const ImageError&) {
        }
    }
}

TEST(OperationDigest, ChangesWithEveryNameAndCode) {
    const auto location = [](const char* name, std::initializer_list<Buffer> allowed) {
        OperationDigest digest;
        Buffer buffer = Buffer::GM;
        std::uint32_t addr = 0;
        digest.location(name, "addr", buffer, addr, allowed);
        return digest.value();
    };
    EXPECT_EQ(location("src", {Buffer::GM, Buffer::L1}), location("src", {Buffer::GM, Buffer::L1}));
    EXPECT_NE(location("src", {Buffer::GM, Buffer::L1}), location("dst", {Buffer::GM, Buffer::L1}));
    EXPECT_NE(location("src", {Buffer::GM, Buffer::L1}), location("src", {Buffer::GM, Buffer::UB}));
    EXPECT_NE(location("src", {Buffer::GM, Buffer::L1}), location("src", {Buffer::GM}));

    enum class Word : std::uint8_t { none = 0, other = 7 };
    const auto choice = [](const char* text, Word value) {
        OperationDigest digest;
        digest.choice("word", value, std::array<Choice<Word>, 1>{{{text, value}}}, Need::required);
        return digest.value();
    };
    EXPECT_NE(choice("a", Word::none), choice("b", Word::none));
    EXPECT_NE(choice("a", Word::none), choice("a", Word::other));
}

TEST(ProgramImage, SaysWhatIsWrong) {
    ProgramImage image;
    image.sections = {{0, 0, {{Mmad{}, {}}}}};
    const Bytes bytes = encode(image);
    const auto with = [&](std::size_t at, std::uint8_t value) {
        Bytes changed = bytes;
        changed.at(at) = value;
        return error_of(changed);
    };
    const std::size_t record = 32 + 24;
    EXPECT_EQ(error_of({}), "is no program image");
    EXPECT_EQ(with(0, 0), "is no program image");
    EXPECT_EQ(with(4, 9), "version = 9: must be 1");
    EXPECT_EQ(with(8, static_cast<std::uint8_t>(bytes[8] + 1)),
              "was made for other instructions than this version of the model has");
    EXPECT_EQ(with(16, 0), "block_count = 0: must be at least 1");
    EXPECT_EQ(with(32, 1), "block 1, core 0: the image has 1 blocks");
    EXPECT_EQ(with(record + 1, 0xff), "section 0: record 0: opcode 65285 does not exist");
    EXPECT_EQ(with(record + 12, static_cast<std::uint8_t>(Buffer::GM)),
              "section 0: record 0: mmad: a = 0: is none of its buffers");
    EXPECT_EQ(with(record + 2, 3), "section 0: record 0: mmad: ends too early");

    DataCopy copy;
    copy.dst = Buffer::L0A;
    image.sections.front().instructions = {{copy, {}}};
    try {
        encode(image);
        ADD_FAILURE() << "no error";
    } catch (const ImageError& error) {
        EXPECT_STREQ(error.what(), "data_copy: dst holds none of its buffers");
    }

    image.sections.push_back(image.sections.front());
    EXPECT_THROW(encode(image), ImageError);
    image.sections = {{1, 0, {}}};
    EXPECT_THROW(encode(image), ImageError);
}

} // namespace
} // namespace aicore
