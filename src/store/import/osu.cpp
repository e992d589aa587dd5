// SPDX-License-Identifier: BSD-3-Clause
// The output of OSU's micro-benchmarks, version 5 to 7.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "store/import/lines.hpp"

namespace alltold {
namespace {

/// The collective of a title line such as "# OSU MPI Broadcast Latency Test v7.3"; the first that
/// it holds.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> osu_tests{{
    {"MPI All-to-All Personalized Exchange Latency", "alltoall"},
    {"MPI Allgather Latency", "allgather"},
    {"MPI Allreduce Latency", "allreduce"},
    {"MPI Broadcast Latency", "bcast"},
    {"MPI Reduce Latency", "reduce"},
    {"MPI Scatter Latency", "scatter"},
    {"MPI Gather Latency", "gather"},
    {"MPI Latency", "pingpong"},
}};

/// Which word of a row is the time: of the slowest rank if the benchmark ran with -f, else the mean
/// over ranks, or of a ping-pong the only one. Negative without one.
int time_column(std::string_view titles) {
    const auto columns = titles_of(titles);
    int mean = -1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].starts_with("Max Latency"))
            return static_cast<int>(i);
        if (columns[i].starts_with("Avg Latency") || columns[i].starts_with("Latency"))
            mean = static_cast<int>(i);
    }
    return mean;
}

} // namespace

Result<ImportedTimes> read_osu(const ImportSource& source) {
    ImportedTimes read;
    std::string_view probe;
    bool titled = false; // within a test, known or not
    int column = -1;
    for (const auto& line : lines_of(source.text)) {
        if (line.text.starts_with("# OSU MPI")) {
            const auto known = std::ranges::find_if(osu_tests, [&](const auto& one) {
                return line.text.find(one.first) != line.text.npos;
            });
            titled = true;
            column = -1;
            probe = known == osu_tests.end() ? std::string_view() : known->second;
            if (probe.empty())
                read.skipped.push_back(fmt::format("{}:{}: alltold has no probe for '{}'",
                                                   source.file, line.number, line.text));
        } else if (line.text.starts_with("# Size")) {
            column = time_column(line.text.substr(1));
            if (column < 0 && !probe.empty())
                return bad_line(source, line, "no column of latencies");
        } else if (const auto words = words_of(line.text);
                   !words.empty() && !line.text.starts_with('#')) {
            const auto size_bytes = count_of(words.front());
            if (!size_bytes && probe.empty())
                continue; // of a launcher, a batch system, or a benchmark that is skipped
            if (!size_bytes)
                return bad_line(source, line, "expected a size in bytes");
            if (!titled)
                return bad_line(source, line, "a row before any '# OSU MPI ...' title");
            if (probe.empty() || *size_bytes == 0)
                continue;
            if (column < 0)
                return bad_line(source, line, "a row before the '# Size ...' line");
            const auto at = static_cast<std::size_t>(column);
            const auto time_s = at < words.size() ? seconds_of(words[at], 1e-6) : std::nullopt;
            if (!time_s)
                return bad_line(source, line,
                                fmt::format("expected microseconds as word {}", at + 1));
            const auto point = imported_point(source, probe, *size_bytes);
            if (!point)
                return bad_line(source, line, point.error().message);
            read.times.push_back({*point, *time_s});
        }
    }
    return read;
}

} // namespace alltold
