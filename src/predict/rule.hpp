// SPDX-License-Identifier: BSD-3-Clause
// A rule assigns an algorithm to a range of calls; its text form.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "predict/choice.hpp"
#include "schedule/specification.hpp"

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

/// What to run for the calls of one collective whose size, ranks and clusters lie in these spans.
struct Rule {
    Collective collective = Collective::bcast;
    Span size_bytes = {}; ///< of one block; everything for an all-to-all-v
    Span ranks = {1, Span::endless};
    Span clusters = {1, Span::endless};
    Choice choice = {};

    bool covers(Collective of, std::uint64_t size, int n, int cluster_count) const {
        return collective == of && size_bytes.contains(size) &&
               ranks.contains(static_cast<std::uint64_t>(n)) &&
               clusters.contains(static_cast<std::uint64_t>(cluster_count));
    }
    /// Whether both cover some call.
    bool overlaps(const Rule& other) const {
        return collective == other.collective && size_bytes.meets(other.size_bytes) &&
               ranks.meets(other.ranks) && clusters.meets(other.clusters);
    }
    bool operator==(const Rule&) const = default;
};

/// "alltoall:64KiB-:n>=8 = alltoall.pairwise", as parse_rules reads it.
std::string text_of(const Rule& rule);
/// One line a rule.
std::string text_of(std::span<const Rule> rules);

} // namespace alltold
