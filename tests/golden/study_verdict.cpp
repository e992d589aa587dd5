// SPDX-License-Identifier: BSD-3-Clause
// study_verdict STORE PROFILE: what a study with these measurements and this profile says first.
// Calls of sizes that are no powers of two were drawn at random and are held out, as a study holds
// them out.
#include <bit>
#include <cstdio>

#include <fmt/format.h>

#include "campaign/study/plan.hpp"
#include "campaign/study/unknown.hpp"
#include "campaign/study/verdict.hpp"
#include "store/fit_campaign.hpp"
#include "store/profile.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

constexpr std::time_t measured_at = 1795300000;

Result<std::string> verdict_of(const char* store, const char* file) {
    const auto campaign = Campaign::read(store);
    if (!campaign)
        return campaign.error();
    const auto measured = campaign->points();
    if (!measured)
        return measured.error();
    const auto here = campaign->provenance();
    if (!here)
        return here.error();
    FitRequest request;
    request.name = "study";
    request.source = "study.db";
    const auto profile = load_profile(file);
    if (!profile)
        return profile.error();
    request.held_out = [](const Point& point) {
        return collective_named(point.probe) && !std::has_single_bit(point.size_bytes);
    };
    const auto predicting = fit_points(*measured, *here, request);
    auto choices = chosen_calls(*profile, here->clusters, reported_sizes(), StartMode::silence,
                                papers_collectives); // which were measured
    add_times(choices, *measured, StartMode::silence);
    add_predictions(choices, profile->network);
    const auto unknown =
        unknown_of(profile->network, here->clusters, *measured, papers_collectives);
    StudyOptions options;
    options.folder = "alltold-study";
    options.truth_file = "alltold-study/truth.json"; // it was in a lab
    return study_verdict(study_heading(*here, measured_at), *profile,
                         validate(*measured, predicting, nullptr), {}, choices,
                         study_warnings(*here, unknown), options);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    const auto text = verdict_of(argv[1], argv[2]);
    if (!text) {
        fmt::print(stderr, "{}\n", text.error().message);
        return 3;
    }
    fmt::print("{}", *text);
    return 0;
}
