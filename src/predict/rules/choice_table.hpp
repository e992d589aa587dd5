// SPDX-License-Identifier: BSD-3-Clause
// The rules' choices for one collective on one communicator, by size, for quick look-up.
#pragma once

#include <functional>

#include "predict/rules/rule.hpp"

namespace alltold {

/// The rule for the call of the first source that has one, that for its spread if there is such a
/// one; null without any.
const Rule* first_rule(std::span<const std::vector<Rule>> sources, Collective collective,
                       std::uint64_t size_bytes, const RankCounts& counts);

/// The choice for every size. Without a rule it is the library's own.
class ChoiceTable {
  public:
    ChoiceTable() = default;
    /// One list of candidates for all sizes, at least one.
    explicit ChoiceTable(std::vector<Candidate> candidates) : candidates_{std::move(candidates)} {}
    /// The first of `sources` that has a rule for a call decides it.
    ChoiceTable(std::span<const std::vector<Rule>> sources, Collective collective,
                const RankCounts& counts);

    /// For blocks of `size_bytes`; 0 for an all-to-all-v. Lives as long as the table.
    const Choice& at(std::uint64_t size_bytes) const {
        return candidates_at(size_bytes).front().choice;
    }
    /// Everything that the rule names, at least one; at() first. Lives as long as the table.
    std::span<const Candidate> candidates_at(std::uint64_t size_bytes) const;
    /// Whether one of ours is a candidate for some size.
    bool names_ours() const;
    /// The choice of the largest sizes for which it is `wanted`; null if it is for none.
    const Choice* largest_where(const std::function<bool(const Choice&)>& wanted) const;
    bool operator==(const ChoiceTable&) const = default;

  private:
    std::vector<std::uint64_t> from_bytes_{0}; ///< ascending
    /// From from_bytes_[i] up to the next.
    std::vector<std::vector<Candidate>> candidates_{{Candidate{}}};
};

} // namespace alltold
