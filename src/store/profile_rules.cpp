// SPDX-License-Identifier: BSD-3-Clause
// Rules as the lines of a profile.
#include "store/profile_rules.hpp"

#include <algorithm>
#include <utility>

#include "predict/rules/decision_table.hpp"
#include "predict/rules/parse.hpp"

namespace alltold {
namespace {

/// Rankings of more ranks take too long to make a table of them.
constexpr int most_ranks_of_rules = 4096;

} // namespace

Result<std::vector<Rule>> rules_of(const Profile& profile) {
    std::string text;
    for (const auto& line : profile.rules)
        text += line + "\n";
    return parse_rules(text, profile.name + ": rules");
}

void make_rules(Profile& profile, std::vector<Clusters> calls, const Terms& terms) {
    const auto& hosts = profile.provenance.clusters;
    const auto table = decision_table(
        profile.network, {.clusters = hosts,
                          .most_ranks = std::clamp(2 * hosts.ranks(), 2, most_ranks_of_rules),
                          .start_mode = profile.provenance.start_mode,
                          .terms = terms,
                          .calls = std::move(calls)});
    profile.rules.clear();
    for (const auto& rule : table)
        profile.rules.push_back(text_of(rule));
}

} // namespace alltold
