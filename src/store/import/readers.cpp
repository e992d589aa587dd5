// SPDX-License-Identifier: BSD-3-Clause
#include "store/import/readers.hpp"

#include <fmt/format.h>

#include "core/limits.hpp"
#include "predict/library/library_algorithms.hpp"
#include "store/campaign.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

std::string lower(std::string_view text) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lowered;
}

/// PICO's names of what MPI libraries call otherwise.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> library_names{{
    {"linear", "basic_linear"},
    {"linear_synch", "linear_sync"},
    {"k_bruck", "bruck"},
    {"in_order", "in-order_binary"},
    {"non_overlapping", "nonoverlapping"},
    {"binary", "binary_tree"},
    {"non_blocking", "nb"},
}};

/// The name in the table of library algorithms that such a name stands for; empty without one.
std::string_view known_algorithm(std::string_view name, MpiLibrary library, Collective collective) {
    const auto find = [&](std::string_view wanted) -> std::string_view {
        for (const auto& row : library_algorithms())
            if (row.collective == collective && row.name == wanted &&
                (library == MpiLibrary::other || row.library == library))
                return row.name;
        return {};
    };
    if (const auto found = find(name); !found.empty())
        return found;
    const auto other =
        std::ranges::find(library_names, name, [](const auto& one) { return one.first; });
    return other == library_names.end() ? std::string_view() : find(other->second);
}

/// As one word, since parameters follow a blank.
std::string word_of(std::string_view name) {
    std::string word(name);
    std::ranges::replace_if(
        word, [](char c) { return c == ' ' || c == '\t' || c == ','; }, '_');
    return word.substr(0, most_name_bytes / 2);
}

/// The first `ranks` ranks of `clusters`; fails if it has fewer.
Result<Clusters> first_ranks(const Clusters& clusters, int ranks) {
    if (ranks < 1 || ranks > clusters.ranks())
        return bad_input(fmt::format("{} ranks took part, but {} has {}", ranks, clusters.text(),
                                     clusters.ranks()));
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

Status check_size(const ImportSource& source, const TextLine& line, std::uint64_t size_bytes) {
    if (size_bytes > most_point_bytes)
        return bad_line(
            source, line,
            fmt::format("{} bytes are too many; the most are {}", size_bytes, most_point_bytes));
    return Done{};
}

} // namespace

Error bad_line(const ImportSource& source, const TextLine& line, std::string_view why) {
    constexpr std::size_t most = 60;
    return bad_input(fmt::format("{}:{}: {}, in '{}'", source.file, line.number, why,
                                 line.text.substr(0, most)));
}

std::string at_line(const ImportSource& source, const TextLine& line, std::string_view why) {
    return fmt::format("{}:{}: {}", source.file, line.number, why);
}

std::optional<Collective> benchmarked_collective(std::string_view name) {
    auto known = lower(name);
    if (known.starts_with("mpi_"))
        known.erase(0, 4);
    if (known == "reduce_scatter")
        return Collective::reduce_scatter_block;
    if (known == "broadcast")
        return Collective::bcast;
    const auto collective = collective_named(known);
    return collective && std::ranges::count(uniform_collectives, *collective) > 0 ? collective
                                                                                  : std::nullopt;
}

bool has_repro_titles(const std::vector<std::string_view>& words) {
    return std::ranges::count(words, "test") > 0 &&
           std::ranges::any_of(words, [](auto word) { return word.ends_with("_sec"); });
}

std::string forced_algorithm(std::string_view source, std::string_view name,
                             Collective collective) {
    constexpr std::string_view forced_in_default = "default-";
    if (name.empty() || name == "mpi" || name == "default" || name == "default-default" ||
        name.starts_with("default_"))
        return "mpi";
    auto library = MpiLibrary::other;
    auto bare = name;
    if (name.ends_with("_ompi")) {
        library = MpiLibrary::open_mpi;
        bare.remove_suffix(5);
    } else if (name.ends_with("_mpich")) {
        library = MpiLibrary::mpich;
        bare.remove_suffix(6);
    } else if (name.starts_with(forced_in_default)) {
        bare.remove_prefix(forced_in_default.size());
    } else if (name.starts_with("mpi.")) {
        bare.remove_prefix(4);
    } else {
        return fmt::format("{}.{}", source, word_of(name));
    }
    auto known = lower(bare);
    std::ranges::replace(known, '-', '_');
    const auto found = known_algorithm(known, library, collective);
    return found.empty() ? fmt::format("{}.{}", source, word_of(name))
                         : fmt::format("mpi.{}", found);
}

Result<int> processes_of(const ImportSource& source, const TextLine& line, std::string_view word) {
    const auto number = count_of(word);
    if (!number || *number < 1 || *number > most_ranks)
        return bad_line(source, line, "expected a number of processes");
    return static_cast<int>(*number);
}

Result<Clusters> ranks_of_call(const ImportSource& source, int ranks) {
    if (source.clusters)
        return first_ranks(*source.clusters, ranks > 0 ? ranks : source.clusters->ranks());
    if (ranks > 0)
        return Clusters({ranks});
    return bad_input(fmt::format("{0}: does not say how many ranks took part; write 8:{0}, or "
                                 "2x32:{0} for 2 hosts with 32 ranks each, or give --clusters",
                                 source.file));
}

void unite(std::optional<Clusters>& world, const std::optional<Clusters>& with) {
    if (with)
        world = world ? united(*world, *with) : *with;
}

void ImportedTimes::add(const Clusters& ranks, ImportedTime time) {
    if (world != ranks)
        unite(world, ranks);
    times.push_back(std::move(time));
}

void ImportedTimes::skip(std::string line) {
    if (std::ranges::find(skipped, line) == skipped.end())
        skipped.push_back(std::move(line));
}

Status add_collective(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                      Collective collective, const Clusters& ranks, std::uint64_t size_bytes,
                      const Sample& sample, std::string_view algorithm) {
    ALLTOLD_TRY_DONE(check_size(source, line, size_bytes));
    if (size_bytes == 0 && traits_of(collective).has_data)
        return Done{}; // no message, so nothing that a network takes time for
    read.add(ranks, {{std::string(name_of(collective)), std::string(algorithm), ranks,
                      traits_of(collective).has_data ? size_bytes : 0},
                     sample});
    return Done{};
}

Status add_split(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                 Collective collective, std::string_view name, const Clusters& ranks,
                 std::uint64_t vector_bytes, const Sample& sample) {
    constexpr std::uint64_t largest_element_bytes = 8;
    const auto all = static_cast<std::uint64_t>(ranks.ranks());
    if (vector_bytes % (all * largest_element_bytes) == 0)
        return add_collective(read, source, line, collective, ranks, vector_bytes / all, sample);
    read.skip(
        fmt::format("{}: sizes of {} that {} ranks do not share evenly", source.file, name, all));
    return Done{};
}

Status add_pair(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                std::string_view probe, const Clusters& ranks, std::uint64_t size_bytes,
                const Sample& sample, int count) {
    ALLTOLD_TRY_DONE(check_size(source, line, size_bytes));
    if (size_bytes == 0)
        return Done{};
    if (ranks.ranks() < 2)
        return bad_line(source, line, fmt::format("2 ranks took part, but {} has 1", ranks.text()));
    if (ranks.hosts() < 2) {
        read.skip(fmt::format("{}: both ranks of {} are on one host", source.file, probe));
        return Done{};
    }
    const auto pair = first_ranks(ranks.leaders(), 2);
    read.add(
        ranks,
        {{std::string(probe), "mpi", *pair, size_bytes, 0, ranks.first_of_host(1), count}, sample});
    return Done{};
}

Status add_together(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                    std::string_view probe, const Clusters& ranks, std::uint64_t size_bytes,
                    const Sample& sample, int count) {
    ALLTOLD_TRY_DONE(check_size(source, line, size_bytes));
    if (ranks.hosts() < 2)
        read.skip(fmt::format("{}: all ranks of {} are on one host", source.file, probe));
    else if (size_bytes > 0)
        read.add(ranks, {{std::string(probe), "mpi", ranks, size_bytes, -1, -1, count}, sample});
    return Done{};
}

} // namespace alltold
