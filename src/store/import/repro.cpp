// SPDX-License-Identifier: BSD-3-Clause
// The raw times of ReproMPI: a table with the columns test, nrep, msize or count, runtime_sec.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "store/import/lines.hpp"

namespace alltold {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> repro_tests{{
    {"MPI_Alltoall", "alltoall"},
    {"MPI_Allgather", "allgather"},
    {"MPI_Allreduce", "allreduce"},
    {"MPI_Bcast", "bcast"},
    {"MPI_Reduce", "reduce"},
    {"MPI_Scatter", "scatter"},
    {"MPI_Gather", "gather"},
}};

/// Where the columns are; rows are one repetition each.
struct Columns {
    std::size_t test = 0, size = 0, runtime = 0, count = 0;
};

std::optional<Columns> columns_of(const std::vector<std::string_view>& titles) {
    const auto at = [&](std::string_view title) { // titles.size() if there is none
        return static_cast<std::size_t>(std::ranges::find(titles, title) - titles.begin());
    };
    const Columns columns{at("test"), std::min(at("msize"), at("count")), at("runtime_sec"),
                          titles.size()};
    if (std::max({columns.test, columns.size, columns.runtime}) >= titles.size())
        return std::nullopt;
    return columns;
}

} // namespace

Result<ImportedTimes> read_repro(const ImportSource& source) {
    ImportedTimes read;
    std::optional<Columns> columns;
    for (const auto& line : lines_of(source.text)) {
        const auto words = words_of(line.text);
        if (words.empty() || line.text.starts_with('#'))
            continue;
        if (const auto titles = columns_of(words)) {
            columns = titles;
            continue;
        }
        if (!columns)
            return bad_line(source, line,
                            "expected the titles test, nrep, msize and runtime_sec first");
        if (words.size() != columns->count)
            return bad_line(source, line, fmt::format("expected {} words", columns->count));
        const auto known = std::ranges::find(repro_tests, words[columns->test],
                                             [](const auto& one) { return one.first; });
        const auto size_bytes = count_of(words[columns->size]);
        const auto time_s = seconds_of(words[columns->runtime], 1);
        if (!size_bytes)
            return bad_line(source, line, "expected a size in bytes");
        if (!time_s)
            return bad_line(source, line, "expected seconds");
        if (known == repro_tests.end()) {
            auto note =
                fmt::format("{}: alltold has no probe for {}", source.file, words[columns->test]);
            if (std::ranges::find(read.skipped, note) == read.skipped.end())
                read.skipped.push_back(std::move(note));
            continue;
        }
        if (*size_bytes == 0)
            continue;
        const auto point = imported_point(source, known->second, *size_bytes);
        if (!point)
            return bad_line(source, line, point.error().message);
        read.times.push_back({*point, *time_s});
    }
    return read;
}

} // namespace alltold
