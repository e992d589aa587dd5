// SPDX-License-Identifier: BSD-3-Clause
// Breaks lines; lays out the columns of a table; numbers long texts in the order of their first
// use.
#include "report/text_table.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace alltold {
namespace {

/// Whether a word is the unit of a number before it, from which it is not parted.
bool is_unit(std::string_view word) {
    constexpr std::array<std::string_view, 11> units{"%",   "B",  "KiB", "MiB", "GiB", "TiB",
                                                     "PiB", "us", "ms",  "s",   "ns"};
    return std::ranges::find(units, word.substr(0, word.find_first_of(".,:;)"))) != units.end();
}

/// The first word of `text`, with its unit if it is a number.
std::string_view first_word(std::string_view text) {
    const auto end = std::min(text.find(' '), text.size());
    if (end == 0 || end == text.size() || text[end - 1] < '0' || text[end - 1] > '9')
        return text.substr(0, end);
    const auto next = text.substr(end + 1, text.substr(end + 1).find(' '));
    return text.substr(0, is_unit(next) ? end + 1 + next.size() : end);
}

} // namespace

void TextTable::column(std::string heading, Align align) {
    assert(rows_.empty());
    headings_.push_back(std::move(heading));
    aligns_.push_back(align);
}

void TextTable::columns(std::initializer_list<const char*> headings, Align align) {
    for (const auto* heading : headings)
        column(heading, align);
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

std::string Legend::mark(const std::string& text) {
    const auto known = std::ranges::find(texts_, text);
    const auto number = known - texts_.begin() + 1;
    if (known == texts_.end())
        texts_.push_back(text);
    return std::to_string(number);
}

std::string Legend::text(const std::string& column) const {
    std::string lines;
    for (std::size_t i = 0; i < texts_.size(); ++i)
        lines += wrapped(fmt::format("{} {}: {}", column, i + 1, texts_[i]), 2);
    return lines;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns,
                    std::string_view mark) {
    std::string lines, line;
    bool any = false; // whether the line has a word
    std::size_t from = 0;
    while (from < text.size()) {
        const auto word = first_word(std::string_view(text).substr(from));
        const auto end = from + word.size();
        const auto room = columns - (end < text.size() ? mark.size() : 0);
        if (any && line.size() + 1 + word.size() > room) {
            lines += line + std::string(mark) + "\n";
            line = std::string(indent, ' ');
            any = false;
        }
        line += (any ? " " : "") + std::string(word);
        any = true;
        from = end + 1;
    }
    return lines + line + "\n";
}

} // namespace alltold
