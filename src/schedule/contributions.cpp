// SPDX-License-Identifier: BSD-3-Clause
// Values as sets of ranks, each pair of operands numbered once.
#include "schedule/contributions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold {

Contributions::Contributions(int ranks, bool commutative) : commutative_(commutative) {
    for (int rank = 0; rank < ranks; ++rank) {
        values_.emplace_back(static_cast<std::size_t>(ranks));
        values_.back()[static_cast<std::size_t>(rank)] = true;
    }
}

int Contributions::lowest(std::uint64_t value) const {
    const auto& ranks = values_[value];
    return static_cast<int>(std::find(ranks.begin(), ranks.end(), true) - ranks.begin());
}

int Contributions::highest(std::uint64_t value) const {
    const auto& ranks = values_[value];
    return static_cast<int>(ranks.rend() - std::find(ranks.rbegin(), ranks.rend(), true)) - 1;
}

Result<std::uint64_t> Contributions::combined(std::uint64_t left, std::uint64_t right) {
    const auto [known, added] = combinations_.try_emplace({left, right}, values_.size());
    if (!added)
        return known->second;
    auto ranks = values_[left];
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank] && values_[right][rank])
            return bad_input(fmt::format("combines the contribution of rank {} twice", rank));
        ranks[rank] = ranks[rank] || values_[right][rank];
    }
    if (!commutative_ && highest(left) + 1 != lowest(right))
        return bad_input(
            fmt::format("combines {} with {}, out of the order of ranks", text(left), text(right)));
    values_.push_back(std::move(ranks));
    return known->second;
}

bool Contributions::is_of_first(std::uint64_t value, int count) const {
    const auto& ranks = values_[value];
    return std::ranges::count(ranks, true) == count && highest(value) == count - 1;
}

std::string Contributions::text(std::uint64_t value) const {
    constexpr int fewest_in_a_range = 3; // unless there is nothing else
    const auto& has = values_[value];
    const int ranks = static_cast<int>(has.size());
    std::vector<std::string> words;
    for (int from = lowest(value); from < ranks; ++from) {
        int to = from;
        while (to < ranks && has[static_cast<std::size_t>(to)])
            ++to;
        const bool all = from == lowest(value) && to == highest(value) + 1;
        if (to - from >= fewest_in_a_range || (all && to - from > 1))
            words.push_back(fmt::format("{} to {}", from, to - 1));
        else
            for (int rank = from; rank < to; ++rank)
                words.push_back(std::to_string(rank));
        from = to; // which is none of them
    }
    const bool one = lowest(value) == highest(value);
    return fmt::format("rank{} {}", one ? "" : "s", fmt::join(words, ", "));
}

} // namespace alltold
