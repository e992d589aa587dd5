// SPDX-License-Identifier: BSD-3-Clause
// Rules as the lines of a profile.
#include "store/profile_rules.hpp"

#include <algorithm>

#include "rules/parse.hpp"
#include "select/decision_table.hpp"

namespace alltold {

Result<std::vector<Rule>> rules_of(const Profile& profile) {
    std::string text;
    for (const auto& line : profile.rules)
        text += line + "\n";
    return parse_rules(text, profile.name + ": rules");
}

void make_rules(Profile& profile) {
    TableRequest request{.clusters = profile.surroundings.clusters};
    // Several clusters are simulated, and that takes seconds for many ranks.
    if (request.clusters.count() > 1)
        request.most_ranks = std::max(64, 4 * request.clusters.ranks());
    profile.rules.clear();
    for (const auto& rule : decision_table(profile.network(), request))
        profile.rules.push_back(text_of(rule));
}

} // namespace alltold
