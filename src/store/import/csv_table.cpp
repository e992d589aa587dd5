// SPDX-License-Identifier: BSD-3-Clause
#include "store/import/csv_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold {
namespace {

char separator_of(std::string_view titles) {
    constexpr std::array separators{',', ';', '\t'};
    return *std::ranges::max_element(
        separators, {}, [&](char separator) { return std::ranges::count(titles, separator); });
}

/// Empty where a quote does not end.
std::optional<std::vector<std::string>> fields_of(std::string_view line, char separator) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '"') {
            if (quoted && at + 1 < line.size() && line[at + 1] == '"')
                fields.back() += line[at++];
            else
                quoted = !quoted;
        } else if (line[at] == separator && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[at];
        }
    }
    return quoted ? std::nullopt : std::optional(std::move(fields));
}

} // namespace

std::optional<std::size_t> CsvTable::column(std::string_view title) const {
    return place_in(titles, title);
}

std::string CsvTable::titles_text() const {
    return fmt::format("{}", fmt::join(titles, ", "));
}

Result<CsvTable> read_table(const ImportSource& source, Noise& noise) {
    CsvTable table;
    char separator = ',';
    for (const auto& line : source.lines) {
        if (line.text.empty() || line.text.front() == '#')
            continue;
        if (table.titles.empty())
            separator = separator_of(line.text);
        else if (table.titles.size() > 1 && line.text.find(separator) == line.text.npos) {
            noise.add(source.file, line);
            continue;
        }
        auto fields = fields_of(line.text, separator);
        if (!fields)
            return bad_line(source, line, "a quote does not end");
        if (table.titles.empty()) {
            table.titles = std::move(*fields);
            continue;
        }
        if (fields->size() != table.titles.size())
            return bad_line(source, line,
                            fmt::format("{} fields where there are {} titles", fields->size(),
                                        table.titles.size()));
        table.rows.push_back({&line, std::move(*fields)});
    }
    return table;
}

} // namespace alltold
