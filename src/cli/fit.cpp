// SPDX-License-Identifier: BSD-3-Clause
// alltold fit: turns a campaign into a profile.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "cli/list_values.hpp"
#include "cli/subcommand.hpp"
#include "report/profile_summary.hpp"
#include "report/waiting.hpp"
#include "store/fit_campaign.hpp"
#include "store/json_text.hpp"
#include "store/profile_json.hpp"

namespace alltold::cli {
namespace {

struct FitArguments {
    std::string campaign, profile, hold_out;
    int largest_n = std::numeric_limits<int>::max();
    std::uint64_t seed = 1;
    bool json = false;
};

Result<FitRequest> request_of(const FitArguments& asked) {
    std::vector<std::uint64_t> hold_out;
    if (!asked.hold_out.empty()) {
        auto sizes = parse_sizes("--hold-out", asked.hold_out);
        if (!sizes)
            return sizes.error();
        hold_out = std::move(*sizes);
    }
    if (asked.largest_n < 2)
        return bad_input(
            fmt::format("--max-ranks {}: a collective needs at least 2 ranks", asked.largest_n));
    FitRequest request;
    request.name = std::filesystem::path(asked.profile).stem();
    request.source = asked.campaign;
    request.seed = asked.seed;
    request.held_out = [hold_out, largest_n = asked.largest_n](const Point& point) {
        return collective_named(point.probe) &&
               (point.n() > largest_n || std::ranges::count(hold_out, point.size_bytes) > 0);
    };
    return request;
}

Result<ExitStatus> run_fit(FitArguments asked) {
    const auto file = campaign_path(asked.campaign);
    if (!file)
        return file.error();
    asked.campaign = *file;
    const auto request = request_of(asked);
    if (!request)
        return request.error();
    if (const auto may = may_save_profile(asked.profile); !may) // before the long work
        return may.error();
    const auto campaign = Campaign::read(asked.campaign);
    if (!campaign)
        return campaign.error();
    const auto profile = [&] {
        const Waiting waiting("fitting " + asked.campaign);
        return fit_campaign(*campaign, *request);
    }();
    if (!profile)
        return profile.error();
    if (const auto saved = save_profile(*profile, asked.profile); !saved)
        return saved.error();
    if (asked.json)
        fmt::print("{}", json_text(profile_to_json(*profile)));
    else
        fmt::print("{}\nwrote {}\n", profile_summary(*profile), asked.profile);
    return profile->network.alltoall ? ExitStatus::done : ExitStatus::no;
}

} // namespace

void declare_fit(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<FitArguments>();
    auto& subcommand = add_subcommand(
        app, "fit",
        "Fits models to a campaign and writes a profile with the rules that auto follows",
        "alltold fit net.db -o profile.json");
    subcommand.footer(
        "Fits latency, bandwidth, contention and other parameters. Exit status 1 if the "
        "contention signature cannot be fitted. 'alltold rules' prints the rules.");
    subcommand
        .add_option("campaign", asked->campaign,
                    "campaign written by alltold measure, such as net.db")
        ->required();
    subcommand.add_option("-o,--output", asked->profile, "profile to write")->required();
    subcommand.add_option("--max-ranks", asked->largest_n,
                          "fit only collectives of up to this many ranks and hold out the rest "
                          "for validate (default: all)");
    subcommand.add_option("--hold-out", asked->hold_out,
                          "hold out collectives of these sizes for validate, such as 16KiB,256KiB");
    subcommand.add_option("--seed", asked->seed, "random seed of the bootstrap")
        ->check(valid_seed())
        ->capture_default_str();
    subcommand.add_flag("--json", asked->json, "print the profile as JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_fit(*asked); }; });
}

} // namespace alltold::cli
