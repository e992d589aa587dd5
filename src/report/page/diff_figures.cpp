// SPDX-License-Identifier: BSD-3-Clause
// The changes since an earlier campaign: every common point, and the verdict on groups of them.
#include <fmt/format.h>

#include "report/page/figures.hpp"

namespace alltold {
namespace {

nlohmann::ordered_json change_or_null(double log_ratio) {
    return number_or_null(change_of(log_ratio));
}

Figure points_figure(const CampaignDiff& diff) {
    Figure figure{.id = "changes",
                  .chart = "changes",
                  .title = "Every point that both campaigns measured",
                  .text = "The median after over the one before, less one: below 0 is faster. A "
                          "single point has no verdict, for it drifts by more than its repetitions "
                          "scatter.",
                  .columns = {{"probe", "probe"},
                              {"clusters", "hosts"},
                              {"size_bytes", "m", "B"},
                              {"algorithm", "algorithm"},
                              {"before_s", "before", "s"},
                              {"after_s", "after", "s"},
                              {"change", "change", "share"}},
                  .filters = {"probe"},
                  .missing = "Nothing was measured by both."};
    for (const auto& [point, before_s, after_s, log_ratio] : diff.points)
        figure.rows.push_back({point.probe, point.clusters.text(), point.size_bytes,
                               point.algorithm, before_s.value, after_s.value,
                               change_or_null(log_ratio)});
    return figure;
}

Figure groups_figure(const CampaignDiff& diff) {
    Figure figure{.id = "changed-groups",
                  .title = "Groups of points",
                  .text = fmt::format("Changes of {:.0f} % and more count. All verdicts together "
                                      "are a false alarm in at most 1 of 20 comparisons.",
                                      100 * diff.threshold),
                  .columns = {{"group", "group"},
                              {"points", "points"},
                              {"change", "change", "share"},
                              {"low", "low", "share"},
                              {"high", "high", "share"},
                              {"verdict", "verdict"}},
                  .missing = "Too few points in common."};
    for (const auto& group : diff.groups)
        figure.rows.push_back({group.what, group.points, change_or_null(group.log_ratio.value),
                               change_or_null(group.log_ratio.low),
                               change_or_null(group.log_ratio.high),
                               name_of(diff.change(group.log_ratio.value, group.p))});
    return figure;
}

} // namespace

std::vector<Figure> diff_figures(const CampaignDiff& diff) {
    return {points_figure(diff), groups_figure(diff)};
}

} // namespace alltold
