#include "tb/report/text_table.h"

#include <algorithm>
#include <cstdio>

namespace aicore::tb {

void TextTable::print(std::ostream& out) const {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const std::vector<std::string>& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - row[i].size(), ' ');
            const bool left = i == 0 || (text_at_end_ && i + 1 == row.size());
            if (i > 0) line += "  ";
            line += left ? row[i] + pad : pad + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

std::string grouped(std::int64_t value) {
    std::string text = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = text.size(); at > first + 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string fixed(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string percent(std::int64_t part, std::int64_t whole) {
    if (whole == 0) return "-";
    return fixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %";
}

} // namespace aicore::tb
