// SPDX-License-Identifier: BSD-3-Clause
// Rules cut into sizes that do not overlap.
#include "predict/choice_table.hpp"

#include <algorithm>

namespace alltold {

ChoiceTable::ChoiceTable(std::span<const std::vector<Rule>> sources, Collective collective,
                         int ranks, int clusters) {
    std::vector<const Rule*> rules;
    for (const auto& source : sources)
        for (const auto& rule : source)
            if (rule.covers(collective, rule.size_bytes.least, ranks, clusters))
                rules.push_back(&rule);
    for (const auto* rule : rules) {
        from_bytes_.push_back(rule->size_bytes.least);
        if (rule->size_bytes.most != Span::endless)
            from_bytes_.push_back(rule->size_bytes.most + 1);
    }
    std::sort(from_bytes_.begin(), from_bytes_.end());
    from_bytes_.erase(std::unique(from_bytes_.begin(), from_bytes_.end()), from_bytes_.end());
    choices_.clear();
    for (const auto from : from_bytes_) {
        const auto first = std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) {
            return rule->size_bytes.contains(from);
        });
        choices_.push_back(first == rules.end() ? Choice{} : (*first)->choice);
    }
}

const Choice& ChoiceTable::at(std::uint64_t size_bytes) const {
    const auto after = std::upper_bound(from_bytes_.begin(), from_bytes_.end(), size_bytes);
    return choices_[static_cast<std::size_t>(after - from_bytes_.begin()) - 1];
}

bool ChoiceTable::names_ours() const {
    return std::any_of(choices_.begin(), choices_.end(),
                       [](const Choice& choice) { return choice.algorithm != nullptr; });
}

} // namespace alltold
