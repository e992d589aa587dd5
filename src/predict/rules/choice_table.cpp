// SPDX-License-Identifier: BSD-3-Clause
// Rules cut into sizes that do not overlap.
#include "predict/rules/choice_table.hpp"

#include <algorithm>

namespace alltold {

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
    choices_.clear();
    for (const auto from : from_bytes_) {
        const auto* rule = first_rule(sources, collective, from, counts);
        choices_.push_back(rule ? rule->choice_after(counts.starts) : Choice{});
    }
}

const Choice& ChoiceTable::at(std::uint64_t size_bytes) const {
    const auto after = std::upper_bound(from_bytes_.begin(), from_bytes_.end(), size_bytes);
    return choices_[static_cast<std::size_t>(after - from_bytes_.begin()) - 1];
}

const Choice* ChoiceTable::largest_where(const std::function<bool(const Choice&)>& wanted) const {
    const auto found = std::find_if(choices_.rbegin(), choices_.rend(), wanted);
    return found == choices_.rend() ? nullptr : &*found;
}

bool ChoiceTable::names_ours() const {
    return std::any_of(choices_.begin(), choices_.end(),
                       [](const Choice& choice) { return choice.algorithm != nullptr; });
}

} // namespace alltold
