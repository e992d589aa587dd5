// SPDX-License-Identifier: BSD-3-Clause
// alltold fit: turns a campaign into a profile.
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "cli/input_files.hpp"
#include "core/units.hpp"
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

/// "; the nearest size is 4KiB"; nothing if there is none.
std::string nearest_text(const std::set<std::uint64_t>& sizes, std::uint64_t size_bytes) {
    if (sizes.empty())
        return {};
    auto nearest = sizes.lower_bound(size_bytes);
    if (nearest == sizes.end() ||
        (nearest != sizes.begin() && size_bytes - *std::prev(nearest) < *nearest - size_bytes))
        --nearest;
    return "; the nearest size is " + format_size_word(*nearest);
}

/// Fails where no collective of a size was measured.
Result<std::vector<std::uint64_t>> held_out_sizes(const FitArguments& asked,
                                                  const Campaign& campaign) {
    if (asked.hold_out.empty())
        return std::vector<std::uint64_t>{};
    ALLTOLD_TRY(sizes, parse_sizes("--hold-out", asked.hold_out));
    ALLTOLD_TRY(points, campaign.points());
    std::set<std::uint64_t> measured;
    for (const auto& [point, samples, unit] : *points)
        if (collective_named(point.probe))
            measured.insert(point.size_bytes);
    for (const auto size_bytes : *sizes)
        if (!measured.contains(size_bytes))
            return bad_input(fmt::format("--hold-out: {} holds no collective of {}{}",
                                         asked.campaign, format_size_word(size_bytes),
                                         nearest_text(measured, size_bytes)));
    return sizes;
}

Result<FitRequest> request_of(const FitArguments& asked, std::vector<std::uint64_t> hold_out) {
    if (asked.largest_n < 2)
        return bad_input(
            fmt::format("--max-ranks {}: a collective needs at least 2 ranks", asked.largest_n));
    FitRequest request;
    request.name = std::filesystem::path(asked.profile).stem();
    request.source = asked.campaign;
    request.seed = asked.seed;
    request.held_out = [hold_out = std::move(hold_out),
                        largest_n = asked.largest_n](const Point& point) {
        return collective_named(point.probe) &&
               (point.n() > largest_n || std::ranges::count(hold_out, point.size_bytes) > 0);
    };
    return request;
}

Result<ExitStatus> run_fit(FitArguments asked) {
    ALLTOLD_TRY_INTO(asked.campaign, campaign_path(asked.campaign));
    ALLTOLD_TRY_DONE(may_save_profile(asked.profile)); // before the long work
    ALLTOLD_TRY(campaign, Campaign::read(asked.campaign));
    ALLTOLD_TRY(hold_out, held_out_sizes(asked, *campaign));
    ALLTOLD_TRY(request, request_of(asked, std::move(*hold_out)));
    ALLTOLD_TRY(profile, [&] {
        const Waiting waiting("fitting " + asked.campaign);
        return fit_campaign(*campaign, *request);
    }());
    ALLTOLD_TRY_DONE(save_profile(*profile, asked.profile));
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
    add_seed(subcommand, asked->seed, "the bootstrap");
    subcommand.add_flag("--json", asked->json, "print the profile as JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_fit(*asked); }; });
}

} // namespace alltold::cli
