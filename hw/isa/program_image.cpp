#include "hw/isa/program_image.h"

#include "hw/isa/operation_digest.h"
#include "hw/isa/operation_list.h"
#include "hw/isa/operation_table.h"

#include <algorithm>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

namespace aicore {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kSectionBytes = 24;
constexpr std::size_t kRecordBytes = 12;

// ---- writing -----------------------------------------------------------------------------------

template <typename Integer>
void put(std::vector<std::uint8_t>& out, Integer value) {
    const auto bits = static_cast<std::make_unsigned_t<Integer>>(value);
    for (std::size_t i = 0; i < sizeof bits; ++i) {
        out.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
    }
}

/// Visitor of the operation table: appends the fields.
class FieldEncoder {
public:
    explicit FieldEncoder(std::vector<std::uint8_t>& out) : out_(out) {}

    template <typename Address>
    void location(const char* name, const char*, Buffer& buffer, Address& addr,
                  std::initializer_list<Buffer> allowed, Need = Need::required) {
        if (std::find(allowed.begin(), allowed.end(), buffer) == allowed.end()) {
            throw ImageError(std::string(name) + " holds none of its buffers");
        }
        put(out_, static_cast<std::uint8_t>(buffer));
        put(out_, std::uint64_t{addr});
    }
    template <typename Member>
    void integer(const char*, Member& member, Need need) {
        if (need != Need::implied) put(out_, static_cast<std::int64_t>(member));
    }
    void boolean(const char*, bool& member, Need need) {
        if (need != Need::implied) put(out_, std::uint8_t{member});
    }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum& member, const std::array<Choice<Enum>, count>& choices,
                Need need) {
        if (need == Need::implied) return;
        const std::uint8_t code = choice_code(member);
        const bool is_listed =
            (IsOptional<Enum>::value && code == kNoChoice) ||
            std::any_of(choices.begin(), choices.end(),
                        [code](const auto& choice) { return choice_code(choice.value) == code; });
        if (!is_listed) throw ImageError(std::string(name) + " holds none of its choices");
        put(out_, code);
    }
    void scalar(const char*, std::uint32_t& bits, DataType, Need) { put(out_, bits); }
    void ignored(const char*) {}
    void require_choice(bool, const char*, const char*) {}
    void require(bool, const char*, const std::string&, const char*) {}

private:
    std::vector<std::uint8_t>& out_;
};

void put_record(std::vector<std::uint8_t>& out, const Instruction& instruction) {
    std::vector<std::uint8_t> fields;
    FieldEncoder encoder(fields);
    Operation operation = instruction.operation;
    try {
        std::visit([&encoder](auto& op) { describe(encoder, op); }, operation);
    } catch (const ImageError& error) {
        throw ImageError(std::string(mnemonic(operation)) + ": " + error.what());
    }
    put(out, static_cast<std::uint16_t>(*find_operation(mnemonic(operation))));
    put(out, static_cast<std::uint16_t>(fields.size()));
    put(out, instruction.place.line);
    put(out, instruction.place.column);
    out.insert(out.end(), fields.begin(), fields.end());
}

// ---- reading -----------------------------------------------------------------------------------

/// Bytes that are taken from the front; throws when there are too few.
class Reader {
public:
    Reader(const std::uint8_t* data, std::size_t bytes) : data_(data), left_(bytes) {}

    template <typename Integer>
    Integer take() {
        std::make_unsigned_t<Integer> bits = 0;
        const std::uint8_t* from = take_bytes(sizeof bits);
        for (std::size_t i = 0; i < sizeof bits; ++i) {
            bits = static_cast<std::make_unsigned_t<Integer>>(
                bits | static_cast<std::make_unsigned_t<Integer>>(from[i]) << (8 * i));
        }
        return static_cast<Integer>(bits);
    }
    /// The next `bytes` as a reader of their own.
    Reader part(std::uint64_t bytes) {
        if (bytes > left_) throw ImageError("ends too early");
        return {take_bytes(static_cast<std::size_t>(bytes)), static_cast<std::size_t>(bytes)};
    }
    std::size_t left() const { return left_; }

private:
    const std::uint8_t* take_bytes(std::size_t bytes) {
        if (bytes > left_) throw ImageError("ends too early");
        const std::uint8_t* const from = data_;
        data_ += bytes;
        left_ -= bytes;
        return from;
    }

    const std::uint8_t* data_;
    std::size_t left_;
};

/// Visitor of the operation table: takes the fields from their bytes.
class FieldDecoder {
public:
    explicit FieldDecoder(Reader& in) : in_(in) {}

    template <typename Address>
    void location(const char* name, const char* addr_name, Buffer& buffer, Address& addr,
                  std::initializer_list<Buffer> allowed, Need = Need::required) {
        const auto code = in_.take<std::uint8_t>();
        const auto found = std::find_if(allowed.begin(), allowed.end(), [code](Buffer one) {
            return static_cast<std::uint8_t>(one) == code;
        });
        if (found == allowed.end()) refuse(name, code, "is none of its buffers");
        buffer = *found;
        const auto value = in_.take<std::uint64_t>();
        if (value > std::numeric_limits<Address>::max()) {
            refuse(addr_name, value, "is too large for an address there");
        }
        addr = static_cast<Address>(value);
    }
    template <typename Member>
    void integer(const char* name, Member& member, Need need) {
        if (need == Need::implied) return;
        const auto value = in_.take<std::int64_t>();
        member = static_cast<Member>(value);
        if (static_cast<std::int64_t>(member) != value) refuse(name, value, "is out of its range");
    }
    void boolean(const char* name, bool& member, Need need) {
        if (need == Need::implied) return;
        const auto value = in_.take<std::uint8_t>();
        if (value > 1) refuse(name, value, "must be 0 or 1");
        member = value == 1;
    }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum& member, const std::array<Choice<Enum>, count>& choices,
                Need need) {
        if (need == Need::implied) return;
        const auto code = in_.take<std::uint8_t>();
        if constexpr (IsOptional<Enum>::value) {
            if (code == kNoChoice) {
                member.reset();
                return;
            }
        }
        const auto found =
            std::find_if(choices.begin(), choices.end(), [code](const Choice<Enum>& choice) {
                return choice_code(choice.value) == code;
            });
        if (found == choices.end()) refuse(name, code, "is none of its choices");
        member = found->value;
    }
    void scalar(const char*, std::uint32_t& bits, DataType, Need) {
        bits = in_.take<std::uint32_t>();
    }
    void ignored(const char*) {}
    void require_choice(bool holds, const char* name, const char* rule) {
        if (!holds) throw ImageError(std::string(name) + ": " + rule);
    }
    void require(bool holds, const char* name, const std::string& value, const char* rule) {
        if (!holds) throw ImageError(std::string(name) + " = " + value + ": " + rule);
    }

private:
    template <typename Value>
    [[noreturn]] static void refuse(const char* name, Value value, const char* rule) {
        throw ImageError(std::string(name) + " = " + std::to_string(value) + ": " + rule);
    }

    Reader& in_;
};

Instruction take_record(Reader& in) {
    const auto opcode = in.take<std::uint16_t>();
    const auto bytes = in.take<std::uint16_t>();
    Instruction instruction;
    instruction.place.line = in.take<std::int32_t>();
    instruction.place.column = in.take<std::int32_t>();
    if (opcode >= all_operations().size()) {
        throw ImageError("opcode " + std::to_string(opcode) + " does not exist");
    }
    instruction.operation = all_operations()[opcode];
    try {
        Reader fields = in.part(bytes);
        FieldDecoder decoder(fields);
        std::visit([&decoder](auto& op) { describe(decoder, op); }, instruction.operation);
        if (fields.left() != 0) throw ImageError("has more bytes than its fields");
    } catch (const ImageError& error) {
        throw ImageError(std::string(mnemonic(instruction.operation)) + ": " + error.what());
    }
    return instruction;
}

ProgramImage::Section take_section(Reader& in) {
    ProgramImage::Section section;
    section.block = in.take<std::uint32_t>();
    section.core = in.take<std::uint32_t>();
    const auto records = in.take<std::uint64_t>();
    Reader body = in.part(in.take<std::uint64_t>());
    if (records > body.left() / kRecordBytes) throw ImageError("ends too early");
    section.instructions.reserve(static_cast<std::size_t>(records));
    for (std::uint64_t i = 0; i < records; ++i) {
        try {
            section.instructions.push_back(take_record(body));
        } catch (const ImageError& error) {
            throw ImageError("record " + std::to_string(i) + ": " + error.what());
        }
    }
    if (body.left() != 0) throw ImageError("has more bytes than its records");
    return section;
}

void check_sections(const ProgramImage& image) {
    if (image.block_count == 0) throw ImageError("block_count = 0: must be at least 1");
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const ProgramImage::Section& section : image.sections) {
        const std::string what =
            "block " + std::to_string(section.block) + ", core " + std::to_string(section.core);
        if (section.block >= image.block_count) {
            throw ImageError(what + ": the image has " + std::to_string(image.block_count) +
                             " blocks");
        }
        if (!seen.emplace(section.block, section.core).second) {
            throw ImageError(what + " has two sections");
        }
    }
}

} // namespace

const ProgramImage::Section* ProgramImage::find(std::uint32_t block, std::uint32_t core) const {
    const auto found = std::find_if(sections.begin(), sections.end(), [=](const Section& section) {
        return section.block == block && section.core == core;
    });
    return found == sections.end() ? nullptr : &*found;
}

std::vector<std::uint8_t> encode(const ProgramImage& image) {
    check_sections(image);
    std::vector<std::uint8_t> body;
    for (const ProgramImage::Section& section : image.sections) {
        std::vector<std::uint8_t> records;
        for (const Instruction& instruction : section.instructions) {
            put_record(records, instruction);
        }
        put(body, section.block);
        put(body, section.core);
        put(body, std::uint64_t{section.instructions.size()});
        put(body, std::uint64_t{records.size()});
        body.insert(body.end(), records.begin(), records.end());
    }
    std::vector<std::uint8_t> bytes;
    put(bytes, ProgramImage::kMagic);
    put(bytes, ProgramImage::kVersion);
    put(bytes, operation_digest());
    put(bytes, static_cast<std::uint32_t>(image.arch));
    put(bytes, image.block_count);
    put(bytes, static_cast<std::uint32_t>(image.sections.size()));
    put(bytes, std::uint64_t{kHeaderBytes + body.size()});
    bytes.insert(bytes.end(), body.begin(), body.end());
    return bytes;
}

ProgramImage decode_image(const std::uint8_t* data, std::size_t bytes) {
    Reader header(data, bytes);
    if (header.left() < kHeaderBytes || header.take<std::uint32_t>() != ProgramImage::kMagic) {
        throw ImageError("is no program image");
    }
    if (const auto version = header.take<std::uint32_t>(); version != ProgramImage::kVersion) {
        throw ImageError("version = " + std::to_string(version) + ": must be " +
                         std::to_string(ProgramImage::kVersion));
    }
    if (header.take<std::uint32_t>() != operation_digest()) {
        throw ImageError("was made for other instructions than this version of the model has");
    }
    ProgramImage image;
    image.arch = header.take<std::int32_t>();
    image.block_count = header.take<std::uint32_t>();
    const auto sections = header.take<std::uint32_t>();
    const auto total = header.take<std::uint64_t>();
    if (total < kHeaderBytes) throw ImageError("ends too early");
    Reader body = header.part(total - kHeaderBytes);
    if (sections > body.left() / kSectionBytes) throw ImageError("ends too early");
    for (std::uint32_t i = 0; i < sections; ++i) {
        try {
            image.sections.push_back(take_section(body));
        } catch (const ImageError& error) {
            throw ImageError("section " + std::to_string(i) + ": " + error.what());
        }
    }
    if (body.left() != 0) throw ImageError("has more bytes than its sections");
    check_sections(image);
    return image;
}

} // namespace aicore
