// SPDX-License-Identifier: BSD-3-Clause
// Lays out the columns of a table.
#include "report/text_table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace alltold {

void TextTable::column(std::string heading, Align align) {
    assert(rows_.empty());
    headings_.push_back(std::move(heading));
    aligns_.push_back(align);
}

void TextTable::row(std::vector<std::string> cells) {
    assert(cells.size() == headings_.size());
    rows_.push_back(std::move(cells));
}

void TextTable::group(std::string heading) {
    groups_.push_back(std::move(heading));
    rows_.emplace_back();
}

std::string TextTable::line(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths) const {
    std::string text = groups_.empty() ? "" : "  ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += i == 0 ? "" : "  ";
        text += aligns_[i] == Align::left ? fmt::format("{:<{}}", cells[i], widths[i])
                                          : fmt::format("{:>{}}", cells[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < headings_.size(); ++i) {
        widths.push_back(headings_[i].size());
        for (const auto& cells : rows_)
            if (!cells.empty())
                widths[i] = std::max(widths[i], cells[i].size());
        rules.emplace_back(widths[i], '-');
    }
    std::string text = line(headings_, widths) + line(rules, widths);
    auto heading = groups_.begin();
    for (const auto& cells : rows_)
        text += cells.empty() ? *heading++ + "\n" : line(cells, widths);
    return text;
}

} // namespace alltold
