// SPDX-License-Identifier: BSD-3-Clause
// alltold diff: what changed between two campaigns.
#include <memory>

#include <fmt/format.h>

#include "cli/subcommand.hpp"
#include "cli/timing_options.hpp"
#include "report/diff/campaign_diff.hpp"
#include "store/json_text.hpp"
#include "store/same_network.hpp"

namespace alltold::cli {
namespace {

struct DiffArguments {
    std::string before, after, threshold = "10%";
    bool json = false;
};

Result<ExitStatus> run_diff(const DiffArguments& asked) {
    const auto threshold = parse_share("--threshold", asked.threshold);
    if (!threshold)
        return threshold.error();
    std::vector<PointSamples> points[2];
    Provenance where[2];
    for (const int side : {0, 1}) {
        const auto campaign = Campaign::read(side == 0 ? asked.before : asked.after);
        if (!campaign)
            return campaign.error();
        auto measured = campaign->points();
        if (!measured)
            return measured.error();
        auto here = campaign->provenance();
        if (!here)
            return here.error();
        points[side] = std::move(*measured);
        where[side] = std::move(*here);
    }
    auto diff = compare_campaigns(points[0], points[1], *threshold);
    if (const auto what = network_difference(where[0], where[1]); !what.empty())
        diff.warnings.push_back("the campaigns are of different networks: " + what);
    if (diff.points.empty())
        return bad_input(
            fmt::format("{} and {} have no point in common", asked.before, asked.after));
    fmt::print("{}", asked.json ? json_text(diff_to_json(diff)) : diff_text(diff));
    return diff.regressed() ? ExitStatus::no : ExitStatus::done;
}

} // namespace

void declare_diff(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<DiffArguments>();
    auto& subcommand =
        add_subcommand(app, "diff",
                       "Compares two campaigns of one network: what changed beyond noise; exit "
                       "status 1 if something got slower",
                       "alltold diff before.db after.db --threshold 10%");
    subcommand.add_option("before", asked->before, "the earlier campaign, such as before.db")
        ->required();
    subcommand.add_option("after", asked->after, "the later campaign, such as after.db")
        ->required();
    subcommand.add_option("--threshold", asked->threshold, "the change of times that matters")
        ->capture_default_str();
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_diff(*asked); }; });
}

} // namespace alltold::cli
