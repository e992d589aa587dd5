// SPDX-License-Identifier: BSD-3-Clause
// Splits text and reads numbers; the table of formats.
#include "store/import/lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "store/campaign.hpp"

namespace alltold {
namespace {

bool blank(char c) {
    return c == ' ' || c == '\t';
}

/// Parts of `line` between runs of at least `width` blanks.
std::vector<std::string_view> split(std::string_view line, std::size_t width) {
    std::vector<std::string_view> parts;
    std::size_t from = 0;
    while (from < line.size()) {
        if (blank(line[from])) {
            ++from;
            continue;
        }
        auto to = from, run = std::size_t{0};
        auto end = from;
        for (; to < line.size(); ++to) {
            run = blank(line[to]) ? run + 1 : 0;
            if (line[to] == '\t' || run >= width)
                break;
            if (run == 0)
                end = to + 1;
        }
        parts.push_back(line.substr(from, end - from));
        from = to;
    }
    return parts;
}

/// The whole word as a finite number; nothing if it is none.
std::optional<double> number_of(std::string_view word) {
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

constexpr std::array formats{
    ImportFormat{"osu", "OSU Micro-Benchmarks: latency, alltoall, bcast, scatter, gather",
                 StartMode::barrier, read_osu},
    ImportFormat{"imb", "Intel MPI Benchmarks: PingPong, Alltoall, Bcast, Scatter, Gather",
                 StartMode::loop, read_imb},
    ImportFormat{"repro", "ReproMPI: raw times of MPI_Alltoall, _Bcast, _Scatter, _Gather",
                 StartMode::silence, read_repro}};

} // namespace

std::vector<TextLine> lines_of(std::string_view text) {
    std::vector<TextLine> lines;
    int number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back({++number, line});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
    return split(line, 1);
}

std::vector<std::string_view> titles_of(std::string_view line) {
    return split(line, 2);
}

std::optional<std::uint64_t> count_of(std::string_view word) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size())
        return std::nullopt;
    return value;
}

std::optional<double> seconds_of(std::string_view word, double unit_s) {
    const auto number = number_of(word);
    if (!number)
        return std::nullopt;
    const double time_s = *number * unit_s;
    return time_s > 0 && time_s <= most_sample ? std::optional(time_s) : std::nullopt;
}

Error bad_line(const ImportSource& source, const TextLine& line, std::string_view why) {
    constexpr std::size_t most = 60;
    return bad_input(fmt::format("{}:{}: {}, in '{}'", source.file, line.number, why,
                                 line.text.substr(0, most)));
}

Result<Clusters> first_ranks(const Clusters& clusters, int ranks) {
    if (ranks < 1 || ranks > clusters.ranks())
        return bad_input(fmt::format("{} ranks took part, but --clusters {} has {}", ranks,
                                     clusters.text(), clusters.ranks()));
    std::vector<std::vector<int>> taken;
    for (int c = 0; c < clusters.count() && ranks > 0; ++c) {
        auto& hosts = taken.emplace_back();
        for (int host = clusters.first_host(c); host < clusters.first_host(c + 1) && ranks > 0;
             ++host) {
            hosts.push_back(std::min(clusters.ranks_of_host(host), ranks));
            ranks -= hosts.back();
        }
    }
    return Clusters::of_hosts(taken);
}

Result<Point> imported_point(const ImportSource& source, std::string_view probe,
                             std::uint64_t size_bytes, int ranks) {
    if (size_bytes > most_point_bytes)
        return bad_input(
            fmt::format("{} bytes are too many; the most are {}", size_bytes, most_point_bytes));
    const auto& all = source.clusters;
    if (probe == "pingpong") { // of the first two hosts
        ALLTOLD_TRY(pair, first_ranks(all.leaders(), 2));
        return Point{std::string(probe), "mpi", *pair, size_bytes, 0, all.first_of_host(1)};
    }
    ALLTOLD_TRY(clusters, first_ranks(all, ranks > 0 ? ranks : all.ranks()));
    return Point{std::string(probe), "mpi", *clusters, size_bytes, -1, -1};
}

std::span<const ImportFormat> import_formats() {
    return formats;
}

} // namespace alltold
