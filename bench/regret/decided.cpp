// SPDX-License-Identifier: BSD-3-Clause
// Rules, then `resolve`.
#include "regret/decided.hpp"

#include <utility>
#include <vector>

#include "predict/parameters/resolve.hpp"
#include "store/fit_campaign.hpp"
#include "store/profile.hpp"

namespace alltold::regret {

Result<Profile> fitted(const Campaign& campaign) {
    const auto provenance = campaign.provenance();
    if (!provenance)
        return provenance.error();
    const auto points = campaign.points();
    if (!points)
        return points.error();
    return fit_points(*points, *provenance, {.name = "study", .source = "study.db"});
}

void decide_all(Profile& profile) {
    make_rules(profile);
}

Result<std::vector<Choice>> decided(const Profile& profile, Collective collective,
                                    const Clusters& clusters, std::uint64_t size_bytes,
                                    StartMode start) {
    const auto rules = rules_of(profile);
    if (!rules)
        return rules.error();
    RankCounts counts(clusters);
    counts.starts = {start};
    const std::vector<std::vector<Rule>> sources{*rules};
    const ChoiceTable table(sources, collective, counts);
    std::vector<Choice> choices;
    for (const auto& candidate : table.candidates_at(size_bytes)) {
        auto choice = resolve({collective, clusters, size_bytes}, &profile.network,
                              {.choice = candidate.choice});
        if (!choice)
            return choice.error();
        choices.push_back(std::move(*choice));
    }
    return choices;
}

} // namespace alltold::regret
