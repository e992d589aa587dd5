// SPDX-License-Identifier: BSD-3-Clause
#include "report/diff/campaign_diff.hpp"

#include <map>

#include <fmt/format.h>

#include "core/rank_tests.hpp"
#include "core/units.hpp"
#include "network/json/fields.hpp"
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

namespace {

/// The share of comparisons without a change that raise any alarm.
constexpr double false_alarms = 0.05;
/// Fewer can't be unlikely enough to count, and would only make the others' share smaller: signed
/// ranks of 9 points reach 1/256.
constexpr int fewest_points = 9;
constexpr std::uint64_t long_message_bytes = 16 * 1024;

using Groups = std::map<std::string, std::vector<double>>;

std::vector<std::string> groups_of(const Point& point) {
    const auto collective = CollectiveProbe::parse(point.probe);
    const bool several = point.clusters.count() > 1;
    const std::string where = several ? "between clusters" : "within a cluster";
    const std::string size = point.size_bytes >= long_message_bytes
                                 ? fmt::format("{} and more", format_size(long_message_bytes))
                                 : fmt::format("less than {}", format_size(long_message_bytes));
    if (!collective)
        return {fmt::format("single messages {}, {}", where, size),
                fmt::format("{} {}", point.probe, where)};
    const char* whose = point.algorithm.starts_with("mpi") ? "the library's" : "alltold's";
    return {fmt::format("collectives {}, {}", where, size),
            fmt::format("{} {}, {}", name_of(collective->collective), where, size),
            fmt::format("{} {} {}", whose, name_of(collective->collective), where)};
}

std::vector<PointChange> paired(std::span<const PointSamples> before,
                                std::span<const PointSamples> after, CampaignDiff& diff) {
    const auto key_of = [](const Point& point) {
        return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}", point.probe, point.algorithm,
                           point.clusters.text(), point.size_bytes, point.first_rank,
                           point.second_rank, point.count);
    };
    const auto usable = [](const std::vector<double>& times_s) {
        return !times_s.empty() && std::ranges::all_of(times_s, [](double t) { return t > 0; });
    };
    std::map<std::string, const PointSamples*> earlier;
    for (const auto& samples : before)
        if (samples.unit == "s")
            earlier[key_of(samples.point)] = &samples;
    std::vector<PointChange> changes;
    for (const auto& samples : after) {
        if (samples.unit != "s")
            continue;
        const auto found = earlier.find(key_of(samples.point));
        if (found == earlier.end()) {
            ++diff.only_after;
            continue;
        }
        const auto old_s = found->second->series().times_s, new_s = samples.series().times_s;
        earlier.erase(found);
        if (!usable(old_s) || !usable(new_s))
            continue;
        PointChange change{samples.point, median_interval(old_s), median_interval(new_s)};
        change.log_ratio = std::log(change.after_s.value / change.before_s.value);
        changes.push_back(std::move(change));
    }
    diff.only_before = static_cast<int>(earlier.size());
    return changes;
}

/// Holm: the p-values up to this one count, ascending.
double largest_counting(std::vector<double> ps) {
    std::ranges::sort(ps);
    double largest = 0;
    for (std::size_t i = 0; i < ps.size(); ++i) {
        if (ps[i] > false_alarms / static_cast<double>(ps.size() - i))
            break;
        largest = ps[i];
    }
    return largest;
}

} // namespace

Change CampaignDiff::change(double log_ratio, double p) const {
    if (p > largest_p)
        return Change::none;
    // Twice as fast and twice as slow are equal changes.
    const double least = std::log1p(threshold);
    return log_ratio >= least    ? Change::slower
           : log_ratio <= -least ? Change::faster
                                 : Change::none;
}

bool CampaignDiff::regressed() const {
    return std::ranges::any_of(groups, [&](const GroupChange& group) {
        return change(group.log_ratio.value, group.p) == Change::slower;
    });
}

CampaignDiff compare_campaigns(std::span<const PointSamples> before,
                               std::span<const PointSamples> after, double threshold) {
    CampaignDiff diff;
    diff.threshold = threshold;
    diff.points = paired(before, after, diff);
    Groups groups;
    for (const auto& change : diff.points)
        for (const auto& name : groups_of(change.point))
            groups[name].push_back(change.log_ratio);
    std::vector<double> ps;
    for (const auto& [name, ratios] : groups) {
        GroupChange group{name, static_cast<int>(ratios.size()), symmetric_centre(ratios)};
        if (group.points >= fewest_points) {
            group.p = signed_rank_p(ratios);
            ps.push_back(group.p);
        }
        diff.groups.push_back(std::move(group));
    }
    diff.largest_p = largest_counting(std::move(ps));
    return diff;
}

} // namespace alltold
