// SPDX-License-Identifier: BSD-3-Clause
// A comparison of campaigns as text and as JSON.

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/diff/campaign_diff.hpp"
#include "report/text_table.hpp"

namespace alltold {
namespace {

std::string percent(double log_ratio) {
    return std::isfinite(log_ratio) ? format_signed_percent(change_of(log_ratio)) : "-";
}

std::string verdict(Change change) {
    return change == Change::slower ? "SLOWER" : change == Change::faster ? "faster" : "";
}

std::string groups_text(const CampaignDiff& diff) {
    TextTable table;
    table.column("group", TextTable::Align::left);
    table.columns({"points", "change", "95 % interval"});
    table.column("", TextTable::Align::left);
    for (const auto& group : diff.groups)
        table.row({group.what, fmt::format("{}", group.points), percent(group.log_ratio.value),
                   std::isfinite(group.log_ratio.low)
                       ? fmt::format("{} .. {}", percent(group.log_ratio.low),
                                     percent(group.log_ratio.high))
                       : "-",
                   verdict(diff.change(group.log_ratio.value, group.p))});
    return table.text();
}

} // namespace

double change_of(double log_ratio) {
    return std::isfinite(log_ratio) ? std::expm1(log_ratio) : log_ratio;
}

std::string_view name_of(Change change) {
    return change == Change::slower ? "slower" : change == Change::faster ? "faster" : "none";
}

std::string diff_text(const CampaignDiff& diff) {
    std::string text;
    for (const auto& warning : diff.warnings)
        text += wrapped("warning: " + warning, 2);
    text +=
        fmt::format("{} points in both campaigns, {} only before, {} only after; changes of "
                    "{:.0f} % and more count\n\n",
                    diff.points.size(), diff.only_before, diff.only_after, 100 * diff.threshold);
    if (!diff.groups.empty())
        text += groups_text(diff) + "\n";
    if (diff.points.empty())
        return text + "Nothing was measured by both.\n";
    const bool faster = std::ranges::any_of(diff.groups, [&](const GroupChange& group) {
        return diff.change(group.log_ratio.value, group.p) == Change::faster;
    });
    return text + (diff.regressed() ? "Slower.\n"
                   : faster         ? "Faster.\n"
                                    : "No change beyond noise.\n");
}

nlohmann::ordered_json diff_to_json(const CampaignDiff& diff) {
    auto groups = nlohmann::ordered_json::array(), points = nlohmann::ordered_json::array();
    for (const auto& group : diff.groups)
        groups.push_back({{"group", group.what},
                          {"points", group.points},
                          {"change", to_json(Estimate{change_of(group.log_ratio.value),
                                                      change_of(group.log_ratio.low),
                                                      change_of(group.log_ratio.high)})},
                          {"p", group.p},
                          {"verdict", name_of(diff.change(group.log_ratio.value, group.p))}});
    for (const auto& point : diff.points)
        points.push_back({{"probe", point.point.probe},
                          {"algorithm", point.point.algorithm},
                          {"clusters", point.point.clusters.text()},
                          {"size_bytes", point.point.size_bytes},
                          {"first_rank", point.point.first_rank},
                          {"second_rank", point.point.second_rank},
                          {"count", point.point.count},
                          {"before_s", to_json(point.before_s)},
                          {"after_s", to_json(point.after_s)},
                          {"change", change_of(point.log_ratio)}});
    return {{"threshold", diff.threshold},
            {"regressed", diff.regressed()},
            {"only_before", diff.only_before},
            {"only_after", diff.only_after},
            {"largest_p", diff.largest_p},
            {"warnings", diff.warnings},
            {"groups", groups},
            {"points", points}};
}

} // namespace alltold
