// SPDX-License-Identifier: BSD-3-Clause
// alltold report: a campaign as one page with charts.
#include <fmt/format.h>

#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "cli/subcommand.hpp"
#include "report/page/figures.hpp"
#include "report/page/html.hpp"
#include "report/waiting.hpp"
#include "store/fit_campaign.hpp"
#include "store/json_text.hpp"
#include "store/same_network.hpp"

namespace alltold::cli {
namespace {

struct ReportArguments {
    std::string campaign, after, profile, page;
    bool json = false;
};

/// The profile of that name, or what all points of the campaign give, with the rules that the page
/// shows.
Result<Profile> profile_of(const Campaign& campaign, const Clusters& hosts,
                           const ReportArguments& asked) {
    if (!asked.profile.empty())
        return read_profile(asked.profile);
    const Waiting waiting("fitting " + asked.campaign);
    return fit_campaign(campaign, {.name = std::filesystem::path(asked.campaign).stem(),
                                   .source = asked.campaign,
                                   .calls = winner_map_calls(hosts)});
}

/// net.html beside net.db.
std::filesystem::path page_of(const ReportArguments& asked) {
    return asked.page.empty() ? std::filesystem::path(asked.campaign).replace_extension("html")
                              : std::filesystem::path(asked.page);
}

/// The changes since the earlier campaign; nothing without one.
Result<std::optional<CampaignDiff>> changes_since(const std::string& before,
                                                  std::span<const PointSamples> measured,
                                                  const Provenance& here) {
    if (before.empty())
        return std::optional<CampaignDiff>();
    ALLTOLD_TRY(earlier, read_campaign(before));
    if (const auto what = network_difference(earlier->where, here, {"the first", "the second"});
        !what.empty())
        return bad_input(fmt::format("{}: is of another network: {}", before, what));
    return std::optional(compare_campaigns(earlier->points, measured, CampaignDiff().threshold));
}

/// Given two campaigns, the page is about the later one.
Result<ExitStatus> run_report(ReportArguments asked) {
    std::string before;
    if (!asked.after.empty())
        before = std::exchange(asked.campaign, asked.after);
    ALLTOLD_TRY_INTO(asked.campaign, campaign_path(asked.campaign));
    ALLTOLD_TRY(campaign, Campaign::read(asked.campaign));
    // Before the long work.
    if (!asked.json && !has_page_template())
        return page_html({}).error();
    const auto path = page_of(asked);
    if (!asked.json)
        ALLTOLD_TRY_DONE(may_write_page(path));
    ALLTOLD_TRY(measured, campaign->points());
    ALLTOLD_TRY(notes, campaign->notes());
    ALLTOLD_TRY(here, campaign->provenance());
    ALLTOLD_TRY(profile, profile_of(*campaign, here->clusters, asked));
    auto validation = validate(*measured, *profile, nullptr);
    if (const auto what =
            network_difference(profile->provenance, *here, {"the profile", "the campaign"});
        !what.empty())
        validation.notes.push_back("the profile describes another network: " + what);
    ALLTOLD_TRY(since, changes_since(before, *measured, *here));
    const auto data = page_data({asked.campaign, asked.profile, *profile, *measured, validation,
                                 *notes, before, *since ? &**since : nullptr, command_name()});
    if (asked.json) {
        fmt::print("{}", json_text(data));
        return ExitStatus::done;
    }
    ALLTOLD_TRY_DONE(write_page(data, path));
    fmt::print("wrote {}\n", path.string());
    return ExitStatus::done;
}

} // namespace

void declare_report(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<ReportArguments>();
    auto& subcommand =
        add_subcommand(app, "report", "Writes a campaign as one HTML page with charts",
                       "alltold report net.db -o report.html\n"
                       "  alltold report before.db after.db -o after.html");
    subcommand
        .add_option("campaign", asked->campaign,
                    "campaign written by alltold measure or study, such as net.db")
        ->required();
    subcommand.add_option("after", asked->after,
                          "a later campaign of the same network: the page then shows this one, and "
                          "what changed");
    subcommand.add_option("-o,--output", asked->page,
                          "page to write (default: the campaign's name with .html)");
    subcommand.add_option("--profile", asked->profile,
                          "profile to show and predict with (default: fitted to the campaign)");
    subcommand.add_flag("--json", asked->json, "print the page's data as JSON instead");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_report(*asked); }; });
}

} // namespace alltold::cli
