// Tables and numbers as text for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace aicore::tb {

/// Rows of equal length, printed in aligned columns. Columns hold numbers (right-aligned) except
/// the first and, when `text_at_end`, the last one.
class TextTable {
public:
    explicit TextTable(bool text_at_end) : text_at_end_(text_at_end) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::size_t rows() const { return rows_.size(); }
    void print(std::ostream& out) const;

private:
    bool text_at_end_;
    std::vector<std::vector<std::string>> rows_;
};

/// "1,234,567".
std::string grouped(std::int64_t value);

/// With so many decimals: "12.5".
std::string fixed(double value, int decimals);

/// "12.5 %"; a dash when `whole` is 0.
std::string percent(std::int64_t part, std::int64_t whole);

} // namespace aicore::tb
