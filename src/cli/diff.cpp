// SPDX-License-Identifier: BSD-3-Clause
// alltold diff: what changed between two campaigns.
#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "report/diff/campaign_diff.hpp"
#include "store/json_text.hpp"
#include "store/same_network.hpp"

namespace alltold::cli {
namespace {

struct DiffArguments {
    std::string before, after;
    double threshold = 0.1;
    bool json = false;
};

Result<ExitStatus> run_diff(const DiffArguments& asked) {
    ALLTOLD_TRY(before, read_campaign(asked.before));
    ALLTOLD_TRY(after, read_campaign(asked.after));
    auto diff = compare_campaigns(before->points, after->points, asked.threshold);
    if (const auto what =
            network_difference(before->where, after->where, {"the first", "the second"});
        !what.empty())
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
    auto& subcommand = add_subcommand(
        app, "diff", "Compares two campaigns of one network: what changed beyond noise",
        "alltold diff before.db after.db --threshold 10%");
    subcommand.footer("Exit status 1 if something got slower.");
    subcommand.add_option("before", asked->before, "the earlier campaign, such as before.db")
        ->required();
    subcommand.add_option("after", asked->after, "the later campaign, such as after.db")
        ->required();
    add_share(subcommand, "--threshold", asked->threshold, "smallest change in time that counts");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_diff(*asked); }; });
}

} // namespace alltold::cli
