// SPDX-License-Identifier: BSD-3-Clause
// The output of Intel MPI Benchmarks, IMB-MPI1.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "store/import/lines.hpp"

namespace alltold {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> imb_benchmarks{{
    {"Alltoall", "alltoall"},
    {"Allgather", "allgather"},
    {"Allreduce", "allreduce"},
    {"Bcast", "bcast"},
    {"Reduce", "reduce"},
    {"Scatter", "scatter"},
    {"Gather", "gather"},
    {"PingPong", "pingpong"},
}};

constexpr std::array<std::string_view, 3> without_time{"out-of-mem.", "int-overflow.", "time-out."};

/// One "# Benchmarking ..." and what its comment lines say.
struct Section {
    std::string_view name, probe;
    int ranks = 0;
    std::vector<std::string_view> columns;

    /// The slowest rank's time, or a ping-pong's only one; nothing without it.
    std::optional<std::size_t> time_column() const {
        for (const std::string_view title : {"t_max[usec]", "t[usec]"})
            if (const auto found = std::ranges::find(columns, title); found != columns.end())
                return static_cast<std::size_t>(found - columns.begin());
        return std::nullopt;
    }
};

void start(Section& section, const ImportSource& source, const TextLine& line,
           ImportedTimes& read) {
    const auto words = words_of(line.text);
    section = {};
    section.name = words.size() > 2 ? words[2] : "";
    const auto known =
        std::ranges::find(imb_benchmarks, section.name, [](const auto& one) { return one.first; });
    if (known != imb_benchmarks.end())
        section.probe = known->second;
    else
        read.skipped.push_back(fmt::format("{}:{}: alltold has no probe for {}", source.file,
                                           line.number, section.name));
}

Status add_row(const Section& section, const ImportSource& source, const TextLine& line,
               ImportedTimes& read) {
    const auto words = words_of(line.text);
    const auto size_bytes = count_of(words.front());
    if (!size_bytes)
        return bad_line(source, line, "expected a size in bytes");
    const auto column = section.time_column();
    if (!column)
        return bad_line(source, line, "a row before the '#bytes #repetitions ...' line");
    if (*size_bytes == 0)
        return Done{};
    if (words.size() >= 2 && std::ranges::any_of(without_time, [&](std::string_view word) {
            return words[1].starts_with(word.substr(0, word.size() - 1));
        })) {
        read.skipped.push_back(fmt::format("{}:{}: {}", source.file, line.number, words[1]));
        return Done{};
    }
    if (section.columns.size() > 1 && section.columns[1] == "#repetitions" &&
        (words.size() < 2 || !count_of(words[1])))
        return bad_line(source, line, "expected a number of repetitions as word 2");
    const auto time_s = *column < words.size() ? seconds_of(words[*column], 1e-6) : std::nullopt;
    if (!time_s)
        return bad_line(source, line, fmt::format("expected microseconds as word {}", *column + 1));
    if (section.ranks < 1)
        return bad_line(source, line, "a row before the '# #processes = ' line");
    const auto point = imported_point(source, section.probe, *size_bytes, section.ranks);
    if (!point)
        return bad_line(source, line, point.error().message);
    read.times.push_back({*point, *time_s});
    return Done{};
}

} // namespace

Result<ImportedTimes> read_imb(const ImportSource& source) {
    constexpr std::string_view processes = "# #processes =";
    ImportedTimes read;
    Section section;
    for (const auto& line : lines_of(source.text)) {
        const auto words = words_of(line.text);
        if (line.text.starts_with("# Benchmarking")) {
            start(section, source, line, read);
        } else if (line.text.starts_with(processes)) {
            const auto after = words_of(line.text.substr(processes.size()));
            const auto ranks = after.empty() ? std::nullopt : count_of(after.front());
            if (!ranks || *ranks < 1 || *ranks > 1'000'000)
                return bad_line(source, line, "expected a number of processes");
            section.ranks = static_cast<int>(*ranks);
        } else if (!words.empty() && words.front() == "#bytes") {
            section.columns = words;
        } else if (!words.empty() && !words.front().starts_with('#') && !section.probe.empty()) {
            ALLTOLD_TRY_DONE(add_row(section, source, line, read));
        }
    }
    return read;
}

} // namespace alltold
