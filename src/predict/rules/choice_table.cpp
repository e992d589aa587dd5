// SPDX-License-Identifier: BSD-3-Clause
// Rules cut into sizes that do not overlap.
#include "predict/rules/choice_table.hpp"

namespace alltold {
namespace {

/// The choice for calls after any of `starts` first.
std::vector<Candidate> candidates_of(const Rule& rule, std::span<const StartMode> starts) {
    std::vector<Candidate> all{{rule.choice, rule.expected}};
    all.insert(all.end(), rule.others.begin(), rule.others.end());
    const auto first = std::find_if(all.begin(), all.end(), [&](const Candidate& candidate) {
        return candidate.choice == rule.choice_after(starts);
    });
    std::rotate(all.begin(), first, first + 1);
    return all;
}

} // namespace

const Rule* first_rule(std::span<const std::vector<Rule>> sources, Collective collective,
                       std::uint64_t size_bytes, const RankCounts& counts) {
    for (const auto& source : sources) {
        const Rule* first = nullptr;
        for (const auto& rule : source)
            if (rule.covers(collective, size_bytes, counts) && (!first || !rule.spread.empty()))
                first = &rule;
        if (first)
            return first;
    }
    return nullptr;
}

ChoiceTable::ChoiceTable(std::span<const std::vector<Rule>> sources, Collective collective,
                         const RankCounts& counts) {
    for (const auto& source : sources)
        for (const auto& rule : source)
            if (rule.covers(collective, rule.size_bytes.least, counts)) {
                from_bytes_.push_back(rule.size_bytes.least);
                if (rule.size_bytes.most != Span::endless)
                    from_bytes_.push_back(rule.size_bytes.most + 1);
            }
    std::sort(from_bytes_.begin(), from_bytes_.end());
    from_bytes_.erase(std::unique(from_bytes_.begin(), from_bytes_.end()), from_bytes_.end());
    candidates_.clear();
    for (const auto from : from_bytes_) {
        const auto* rule = first_rule(sources, collective, from, counts);
        candidates_.push_back(rule ? candidates_of(*rule, counts.starts)
                                   : std::vector<Candidate>(1));
    }
}

std::span<const Candidate> ChoiceTable::candidates_at(std::uint64_t size_bytes) const {
    const auto after = std::upper_bound(from_bytes_.begin(), from_bytes_.end(), size_bytes);
    return candidates_[static_cast<std::size_t>(after - from_bytes_.begin()) - 1];
}

const Choice* ChoiceTable::largest_where(const std::function<bool(const Choice&)>& wanted) const {
    const auto found =
        std::find_if(candidates_.rbegin(), candidates_.rend(),
                     [&](const std::vector<Candidate>& all) { return wanted(all.front().choice); });
    return found == candidates_.rend() ? nullptr : &found->front().choice;
}

bool ChoiceTable::names_ours() const {
    return std::ranges::any_of(candidates_, [](const std::vector<Candidate>& all) {
        return std::ranges::any_of(
            all, [](const Candidate& candidate) { return candidate.choice.algorithm != nullptr; });
    });
}

} // namespace alltold
