#include "hw/config/strict_yaml.h"

#include <cstdint>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace aicore {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

YamlNode load(const std::string& text) { return YamlNode::load_text(text, "f"); }

std::string load_error(const std::string& text) {
    return error_of([&] { load(text); });
}

/// The value of `v: <text>`.
YamlNode value(const std::string& text) { return load("v: " + text + "\n").require("v"); }

std::string integer_error(const std::string& text, std::int64_t min, std::int64_t max) {
    return error_of([&] { value(text).as_integer(min, max); });
}

TEST(StrictYaml, DuplicateKeysAtEveryLevel) {
    EXPECT_EQ(load_error("a: 1\nb: 2\na: 3\n"), "f:3:1: a: duplicate key, first at line 1");
    EXPECT_EQ(load_error("b:\n  c: 1\n  d: 2\n  c: 3\n"),
              "f:4:3: b.c: duplicate key, first at line 2");
    EXPECT_EQ(load_error("l:\n- a: 1\n- a: 1\n  a: 2\n"),
              "f:4:3: l[1].a: duplicate key, first at line 3");
    EXPECT_EQ(load_error("a: {x: 1, \"x\": 2}"), "f:1:11: a.x: duplicate key, first at line 1");
}

TEST(StrictYaml, TextThatIsNoYaml) {
    EXPECT_EQ(load_error("a: [1, 2\n"), "f:2:1: end of sequence flow not found");
    EXPECT_EQ(load_error("a: b: c\n"), "f:1:5: illegal map value");
    EXPECT_EQ(load_error("a: *b\n"), "f:1:4: the referenced anchor is not defined");
    EXPECT_NE(load_error(std::string(5000, '[') + std::string(5000, ']')), "no error");
}

TEST(StrictYaml, QuoteThatIsNeverClosed) {
    EXPECT_EQ(load_error("a: 'x\nb: 1\n"), "f:2:5: illegal EOF in scalar");
    EXPECT_EQ(load_error("a: \"x\n\n"), "f:1:6: illegal EOF in scalar");
}

TEST(StrictYaml, StructuresThatAreNotAccepted) {
    EXPECT_EQ(load_error("a: 1\n---\nb: 2\n"), "f:2:1: expected one document, found a second one");
    EXPECT_EQ(load_error("a:\n  ? [x]\n  : 1\n"), "f:2:5: a: expected a key, found a list");
    EXPECT_EQ(load_error("~: 1\n"), "f:1:1: expected a key, found nothing");
    EXPECT_EQ(load_error("a: !!int 5\n"), "f:1:4: a: expected no tag, found tag:yaml.org,2002:int");
    EXPECT_EQ(load_error("a: &x [1, *x]\n"),
              "f:1:11: a[1]: the alias stands inside its own anchor");
}

TEST(StrictYaml, AliasesKeepTheirOwnPath) {
    const YamlNode root = load("a: &x {b: 1}\nc: *x\n");
    EXPECT_EQ(root.require("c").require("b").as_integer(0, 7), 1);
    EXPECT_EQ(error_of([&] { root.require("c").require("b").as_integer(3, 7); }),
              "f:1:11: c.b: expected an integer 3..7, found 1");
}

TEST(StrictYaml, FilesThatCannotBeRead) {
    EXPECT_EQ(error_of([] { YamlNode::load_file("no/such.yaml"); }),
              "no/such.yaml: cannot read: No such file or directory");
    EXPECT_EQ(error_of([] { YamlNode::load_file("/"); }), "/: cannot read: Is a directory");
}

TEST(StrictYaml, EmptyFileIsNoMap) {
    for (const char* text : {"", "\n", "# only a comment\n"}) {
        const YamlNode root = load(text);
        EXPECT_FALSE(root.is_map());
        EXPECT_EQ(error_of([&] { root.require("a"); }), "f: expected a map, found nothing");
        EXPECT_EQ(error_of([&] { root.has("a"); }), "f: expected a map, found nothing");
        EXPECT_EQ(error_of([&] { root.keys(); }), "f: expected a map, found nothing");
    }
}

TEST(StrictYaml, Maps) {
    const YamlNode root = load("z: 1\na:\n  m: 2\n");
    EXPECT_EQ(root.keys(), (std::vector<std::string>{"z", "a"}));
    EXPECT_TRUE(root.has("a"));
    EXPECT_FALSE(root.has("b"));
    EXPECT_EQ(root.path(), "");
    EXPECT_EQ(root.file(), "f");
    const YamlNode m = root.require("a").require("m");
    EXPECT_EQ(m.path(), "a.m");
    EXPECT_EQ(m.line(), 3);
    EXPECT_EQ(m.column(), 6);
    EXPECT_EQ(m.where(), "f:3:6: a.m");
    EXPECT_EQ(error_of([&] { root.require("b"); }), "f:1:1: missing key b");
    EXPECT_EQ(error_of([&] { root.require("a").require("b"); }), "f:3:3: a: missing key b");
    EXPECT_EQ(error_of([&] { m.require("b"); }), "f:3:6: a.m: expected a map, found 2");
}

TEST(StrictYaml, UnknownKeys) {
    const YamlNode root = load("a:\n  b: 1\n  z: 1\n");
    root.allow_keys({"a"});
    EXPECT_EQ(error_of([&] {
                  root.require("a").allow_keys({"b", "c"});
              }),
              "f:3:3: a.z: unknown key, expected one of: b, c");
}

TEST(StrictYaml, Sequences) {
    const std::vector<YamlNode> items = load("a:\n- x\n- 12\n").require("a").items();
    ASSERT_EQ(items.size(), 2u);
    EXPECT_EQ(items[0].as_string(), "x");
    EXPECT_EQ(items[1].path(), "a[1]");
    EXPECT_EQ(error_of([&] { items[1].as_integer(0, 7); }),
              "f:3:3: a[1]: expected an integer 0..7, found 12");
    EXPECT_EQ(error_of([] { value("{b: 1}").items(); }), "f:1:4: v: expected a list, found a map");
}

TEST(StrictYaml, Integers) {
    EXPECT_EQ(value("7").as_integer(0, 7), 7);
    EXPECT_EQ(value("-3").as_integer(-3, 7), -3);
    EXPECT_EQ(value("0").as_integer(0, 0), 0);
    EXPECT_EQ(value("0xa5").as_integer(0, 255), 165);
    EXPECT_EQ(value("9223372036854775807").as_integer(kMin, kMax), kMax);
    EXPECT_EQ(integer_error("9", 0, 7), "f:1:4: v: expected an integer 0..7, found 9");
    EXPECT_EQ(integer_error("-1", 0, kMax), "f:1:4: v: expected an integer >= 0, found -1");
    EXPECT_EQ(integer_error("9", kMin, 7), "f:1:4: v: expected an integer <= 7, found 9");
    EXPECT_EQ(integer_error("9223372036854775808", kMin, kMax),
              "f:1:4: v: expected an integer, found 9223372036854775808");
    for (const char* text : {"+3", "1e3", "1.0", "abc", "0x", "0xg", "0x-1", "-0x1", "1_000"}) {
        EXPECT_EQ(integer_error(text, kMin, kMax),
                  std::string("f:1:4: v: expected an integer, found ") + text);
    }
}

TEST(StrictYaml, IntegersAreNeverOctal) {
    EXPECT_EQ(integer_error("010", 0, 100),
              "f:1:4: v: expected an integer 0..100, found 010 (write it without leading zeros)");
}

TEST(StrictYaml, OtherTypesAreNoIntegers) {
    EXPECT_EQ(integer_error("[1]", 0, 7), "f:1:4: v: expected an integer 0..7, found a list");
    EXPECT_EQ(integer_error("{a: 1}", 0, 7), "f:1:4: v: expected an integer 0..7, found a map");
    EXPECT_EQ(integer_error("'5'", 0, 7), "f:1:4: v: expected an integer 0..7, found \"5\"");
    EXPECT_EQ(integer_error("~", 0, 7), "f:1:1: v: expected an integer 0..7, found nothing");
}

TEST(StrictYaml, ValueThatIsLeftOutIsReportedAtItsKey) {
    const YamlNode root = load("a: 1\nb:\n\n\nc: 3\n");
    EXPECT_EQ(error_of([&] { root.require("b").as_integer(0, 7); }),
              "f:2:1: b: expected an integer 0..7, found nothing");
}

TEST(StrictYaml, Numbers) {
    EXPECT_EQ(value("2.5").as_number(), 2.5);
    EXPECT_EQ(value("-1e3").as_number(), -1000.0);
    EXPECT_EQ(value("0.5").as_number(), 0.5);
    EXPECT_EQ(value("7").as_number(), 7.0);
    for (const char* text : {"abc", "nan", "inf", ".inf", "1e999", "0x10", "1,5"}) {
        EXPECT_EQ(error_of([&] { value(text).as_number(); }),
                  std::string("f:1:4: v: expected a number, found ") + text);
    }
}

TEST(StrictYaml, HundredthsAreExact) {
    EXPECT_EQ(value("1.8").as_hundredths(1, 1024), 180);
    EXPECT_EQ(value("1.80").as_hundredths(1, 1024), 180);
    EXPECT_EQ(value("6.85").as_hundredths(1, 1024), 685);
    EXPECT_EQ(value("7").as_hundredths(7, 7), 700);
    EXPECT_EQ(value("0.05").as_hundredths(0, 1), 5);
    EXPECT_EQ(value("-0.5").as_hundredths(-1, 1), -50);
    EXPECT_EQ(value("1024.00").as_hundredths(1, 1024), 102400);
    for (const char* text :
         {"0.99", "1024.01", "1.855", "1.", ".5", "1.8.0", "1.-5", "1.+5", "1.5e0", "1e1", "+2",
          "0x2", "nan", "two", "1,8", "99999999999999999999", "184467440737095517.16"}) {
        EXPECT_EQ(error_of([&] { value(text).as_hundredths(1, 1024); }),
                  std::string("f:1:4: v: expected a decimal 1..1024 with at most two places, "
                              "found ") +
                      text);
    }
    EXPECT_EQ(error_of([] { value("01.8").as_hundredths(1, 1024); }),
              "f:1:4: v: expected a decimal 1..1024 with at most two places, found 01.8 (write it "
              "without leading zeros)");
    EXPECT_EQ(error_of([] { value("'1.8'").as_hundredths(1, 1024); }),
              "f:1:4: v: expected a decimal 1..1024 with at most two places, found \"1.8\"");
}

TEST(StrictYaml, Booleans) {
    EXPECT_TRUE(value("true").as_boolean());
    EXPECT_FALSE(value("false").as_boolean());
    for (const char* text : {"yes", "True", "1"}) {
        EXPECT_EQ(error_of([&] { value(text).as_boolean(); }),
                  std::string("f:1:4: v: expected true or false, found ") + text);
    }
}

TEST(StrictYaml, Strings) {
    EXPECT_EQ(value("abc").as_string(), "abc");
    EXPECT_EQ(value("'4*i'").as_string(), "4*i");
    EXPECT_EQ(value("5").as_string(), "5");
    EXPECT_EQ(value("''").as_string(), "");
    EXPECT_EQ(error_of([] { value("[a]").as_string(); }),
              "f:1:4: v: expected a string, found a list");
    EXPECT_EQ(error_of([] { value("").as_string(); }),
              "f:1:1: v: expected a string, found nothing");
}

TEST(StrictYaml, LongValuesAreShortenedInMessages) {
    EXPECT_EQ(integer_error(std::string(100, 'x'), 0, 7),
              "f:1:4: v: expected an integer 0..7, found " + std::string(60, 'x') + "...");
}

TEST(StrictYaml, ScalarWithoutAFile) {
    const YamlNode node = YamlNode::plain_scalar("9", "--set a=9");
    EXPECT_EQ(node.line(), 0);
    EXPECT_EQ(error_of([&] { node.as_integer(0, 7); }),
              "--set a=9: expected an integer 0..7, found 9");
}

TEST(StrictYaml, AssignmentLeavesTheTreeAlone) {
    const YamlNode root = load("a: 1\nb: 2\n");
    YamlNode node = root.require("a");
    node = root.require("b");
    EXPECT_EQ(node.as_string(), "2");
    EXPECT_EQ(node.line(), 2);
    EXPECT_EQ(root.require("a").as_string(), "1");
}

} // namespace
} // namespace aicore
