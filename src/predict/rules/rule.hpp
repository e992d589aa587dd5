// SPDX-License-Identifier: BSD-3-Clause
// A rule assigns an algorithm to a range of calls; its text form.
#pragma once

#include <limits>

#include "network/collective_probe.hpp"
#include "predict/choice/choice.hpp"

namespace alltold {

/// Whole numbers from `least` to `most`, inclusive.
struct Span {
    static constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t least = 0;
    std::uint64_t most = endless; ///< at least `least`; endless: no end

    bool contains(std::uint64_t x) const { return least <= x && x <= most; }
    bool meets(const Span& other) const { return least <= other.most && other.least <= most; }
    bool operator==(const Span&) const = default;
};

/// What rules ask of a communicator and of its calls.
struct RankCounts {
    std::uint64_t ranks = 1, clusters = 1, hosts = 1;
    std::uint64_t per_host = 1;         ///< ranks on the host that has most of them
    std::vector<int> spread;            ///< ranks of each cluster; empty if not known
    std::vector<StartMode> starts = {}; ///< what calls may follow; empty if not known

    RankCounts(const Clusters& all);
    /// One rank on each host, on any spread.
    RankCounts(int n, int cluster_count);
};

/// Expected time of a choice over the library's own, by what calls follow; empty where that is not
/// known.
struct ExpectedRatios {
    std::array<std::optional<double>, 3> ratios = {}; ///< by StartMode

    const std::optional<double>& after(StartMode start) const {
        return ratios[static_cast<std::size_t>(start)];
    }
    std::optional<double>& after(StartMode start) {
        return ratios[static_cast<std::size_t>(start)];
    }
    bool operator==(const ExpectedRatios&) const = default;
};

/// The range of shares that rules keep, beyond those of any call.
inline constexpr double least_ratio = 1e-6, most_ratio = 1e6;
/// A share as rules keep and print it, so that they read back the same.
double in_three_digits(double ratio);

/// How the text of a candidate that is a trial begins.
inline constexpr std::string_view trial_word = "trial ";

/// A choice that may run in a range of calls.
struct Candidate {
    Choice choice = {};
    ExpectedRatios expected = {};
    /// Only predicted: it runs where blocks of a program's calls have shown that it gains.
    bool trial = false;

    bool operator==(const Candidate&) const = default;
};

/// What to run for the calls of one collective whose size, ranks, clusters, hosts and ranks per
/// host lie in these spans. One for a spread takes precedence over those for all.
struct Rule {
    Collective collective = Collective::bcast;
    Span size_bytes = {}; ///< of one block; everything for an all-to-all-v
    Span ranks = {1, Span::endless};
    Span clusters = {1, Span::endless};
    Span hosts = {1, Span::endless};
    Span per_host = {1, Span::endless};
    /// Ranks of each cluster, as many as `clusters` and `ranks` say; empty: any.
    std::vector<int> spread = {};
    Choice choice = {}; ///< runs where it is not known what calls follow
    ExpectedRatios expected = {};
    std::vector<Candidate> others = {}; ///< each runs where calls follow what it is best after

    /// The choice for calls that may follow any of `starts`: the candidate that is expected to be
    /// fastest after one of them, but no trial; `choice` where that is not known.
    const Choice& choice_after(std::span<const StartMode> starts) const;

    bool covers(Collective of, std::uint64_t size, const RankCounts& counts) const {
        return collective == of && size_bytes.contains(size) && ranks.contains(counts.ranks) &&
               clusters.contains(counts.clusters) && hosts.contains(counts.hosts) &&
               per_host.contains(counts.per_host) && (spread.empty() || spread == counts.spread);
    }
    /// Whether both cover some call and neither takes precedence.
    bool overlaps(const Rule& other) const {
        return collective == other.collective && size_bytes.meets(other.size_bytes) &&
               ranks.meets(other.ranks) && clusters.meets(other.clusters) &&
               hosts.meets(other.hosts) && per_host.meets(other.per_host) && spread == other.spread;
    }
    bool operator==(const Rule&) const = default;
};

/// "alltoall:64KiB-:n>=8 = alltoall.pairwise", as parse_rules reads it.
std::string text_of(const Rule& rule);
/// One line a rule.
std::string text_of(std::span<const Rule> rules);

/// Parses rules:
///
///   rules      = rule { (newline | ";") rule }, blank ones and what follows "#" on a line left out
///   rule       = COLLECTIVE ":" sizes { ":" condition } "=" candidate { "|" candidate }
///   sizes      = "any" | SIZE | [SIZE] "-" [SIZE]    from the first up to, but without, the second
///   condition  = ("n" | "clusters") (">=" | "<=" | ">" | "<" | "=") COUNT
///              | ("n" | "clusters") "=" COUNT "-" COUNT     both ends among them
///              | "one cluster"
///   candidate  = choice { ("silence" | "barrier") "=" RATIO }    its time over the library's own
///   choice     = "mpi" | ALGORITHM { ("segment" | "window" | "inter_cluster_window") "=" NUMBER }
///
/// No two may cover the same call. Fails, naming `source`, line and column of the mistake and a
/// correction: an unknown name or condition, an empty range, a parameter that the
/// algorithm does not take or lacks, clusters it cannot run on, an overlap.
Result<std::vector<Rule>> parse_rules(std::string_view text, std::string_view source);

} // namespace alltold
