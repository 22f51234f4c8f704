// A digest of the operation table: names, kinds and codes of all fields of all instructions.
#pragma once

#include "hw/isa/operation_fields.h"
#include "hw/isa/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace aicore {

inline constexpr std::uint8_t kNoChoice = 255;

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// Code of a choice in a program image.
template <typename Enum>
std::uint8_t choice_code(const Enum& value) {
    if constexpr (IsOptional<Enum>::value) {
        return value ? static_cast<std::uint8_t>(*value) : kNoChoice;
    } else {
        return static_cast<std::uint8_t>(value);
    }
}

/// Visitor of the operation table: hashes what a program image depends on (FNV-1a).
class OperationDigest {
public:
    template <typename Address>
    void location(const char* name, const char* addr_name, Buffer&, Address&,
                  std::initializer_list<Buffer> allowed, Need = Need::required) {
        add("l", name);
        for (const Buffer buffer : allowed) {
            add("=", to_string(buffer));
            add(static_cast<std::uint8_t>(buffer));
        }
        add("a", addr_name);
    }
    template <typename Member>
    void integer(const char* name, Member&, Need need) {
        field("i", name, need);
    }
    void boolean(const char* name, bool&, Need need) { field("b", name, need); }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum&, const std::array<Choice<Enum>, count>& choices,
                Need need) {
        field("c", name, need);
        for (const Choice<Enum>& choice : choices) {
            add("=", choice.text);
            add(choice_code(choice.value));
        }
    }
    void scalar(const char* name, std::uint32_t&, DataType, Need need) { field("s", name, need); }
    void ignored(const char*) {}
    void require_choice(bool, const char*, const char*) {}
    void require(bool, const char*, const std::string&, const char*) {}

    void add(std::string_view kind, std::string_view text);
    std::uint32_t value() const { return hash_; }

private:
    void add(std::uint8_t byte) { hash_ = (hash_ ^ byte) * 16777619u; }
    void field(std::string_view kind, const char* name, Need need) {
        if (need != Need::implied) add(kind, name);
    }

    std::uint32_t hash_ = 2166136261u;
};

/// Of all_operations(), in their order.
std::uint32_t operation_digest();

} // namespace aicore
