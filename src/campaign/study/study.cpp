// SPDX-License-Identifier: BSD-3-Clause
// Two campaigns into one store, then rank 0's fit, predictions and page.
#include "campaign/study/study.hpp"

#include <algorithm>
#include <ctime>
#include <set>
#include <sstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "campaign/measure.hpp"
#include "campaign/study/built_with.hpp"
#include "campaign/study/page.hpp"
#include "campaign/study/plan.hpp"
#include "core/text_file.hpp"
#include "runtime/mpi/agree.hpp"
#include "store/fit_campaign.hpp"
#include "store/profile_rules.hpp"

namespace alltold {
namespace {

/// A part of the budget and what it is for.
struct Stage {
    double share;
    measure::Wishes wishes;
};

/// Single messages, then the library's all-to-alls of the plan, then our algorithms: on fewer
/// hosts, which the fit learns from, and on all of them, which it must not have seen.
std::vector<Stage> stages_of(const StudyPlan& plan, const Clusters& hosts) {
    Stage singles{0.35, {}}, library{0.25, {}}, learnt{0.22, {}}, predicted{0.08, {}};
    singles.wishes.only = {"p2p", "plogp", "links"};
    for (auto* stage : {&library, &learnt, &predicted})
        stage->wishes.only = {"collectives"};
    library.wishes.collectives = {"alltoall"};
    library.wishes.algorithms = {"mpi"};
    library.wishes.sizes_bytes = plan.sizes();
    library.wishes.subsets = plan.layouts();
    learnt.wishes.algorithms = predicted.wishes.algorithms = plan.ours;
    learnt.wishes.sizes_bytes = plan.learnt_sizes;
    learnt.wishes.subsets = plan.learnt_layouts;
    predicted.wishes.sizes_bytes = plan.predicted_sizes;
    predicted.wishes.subsets = {hosts};
    if (plan.learnt_layouts.empty())
        return {singles, library, predicted};
    return {singles, library, learnt, predicted};
}

/// Of the budget for what is chosen.
constexpr double share_of_choices = 0.1;

measure::Options campaign_of(const StudyOptions& options, double share) {
    measure::Options campaign;
    campaign.store = options.folder / "study.db";
    campaign.seed = options.seed;
    campaign.start_mode = options.start_mode;
    campaign.budget_s = options.budget_s * share;
    return campaign;
}

/// One campaign a stage into one store. Rank 0 gets the report of the one on the library.
Result<std::optional<measure::Report>> take_samples(const measure::Arrangement& ranks,
                                                    const StudyOptions& options,
                                                    const StudyPlan& plan) {
    std::optional<measure::Report> kept;
    for (auto& stage : stages_of(plan, ranks.clusters)) {
        auto campaign = campaign_of(options, stage.share);
        const bool reported = stage.wishes.algorithms == std::vector<std::string>{"mpi"};
        campaign.wishes = std::move(stage.wishes);
        auto report = measure::run(ranks, campaign);
        if (!report)
            return report;
        const bool stopped = *report && (*report)->outcome.interrupted;
        if (const auto goes_on =
                mpi::agree(ranks.ranks, stopped ? refused("stopped by a signal; run the same "
                                                          "command with the same --keep to resume")
                                                : Status(Done{}));
            !goes_on)
            return goes_on.error();
        if (reported)
            kept = std::move(*report);
    }
    return kept;
}

Result<std::vector<PointSamples>> points_in(const StudyOptions& options) {
    const auto campaign = Campaign::read(options.folder / "study.db");
    if (!campaign)
        return campaign.error();
    return campaign->points();
}

/// On rank 0: what the plan lets be seen, fitted, with its rules.
Result<Profile> fit(const StudyOptions& options, const StudyPlan& plan,
                    const Provenance& provenance) {
    auto points = points_in(options);
    if (!points)
        return points.error();
    FitRequest request;
    request.name = "study";
    request.source = "study.db";
    request.held_out = [&plan](const Point& point) { return !plan.fits(point); };
    request.seed = options.seed;
    std::erase_if(*points, [&](const PointSamples& one) { return !plan.fits(one.point); });
    auto profile = fit_points(*points, provenance, request);
    make_rules(profile, *points);
    if (const auto saved = save_profile(profile, options.folder / "profile.json"); !saved)
        return saved.error();
    return profile;
}

/// Times what `calls` chose, which rank 0 tells the others, beside the library's own in one run a
/// call. A signal ends it early.
Status time_choices(const measure::Arrangement& ranks, const StudyOptions& options,
                    std::span<const ChosenCall> calls) {
    std::string lines;
    for (const auto& call : calls)
        lines += fmt::format("{}\t{}\t{}\n", call.name(), call.size_bytes, call.algorithm);
    const auto told = ranks.ranks.broadcast_text(lines);
    if (!told)
        return told.error();
    const auto count = std::ranges::count(*told, '\n');
    std::istringstream text(*told);
    std::string collective, size, algorithm;
    while (std::getline(text, collective, '\t') && std::getline(text, size, '\t') &&
           std::getline(text, algorithm)) {
        auto campaign = campaign_of(options, share_of_choices / static_cast<double>(count));
        campaign.wishes.only = {"collectives"};
        campaign.wishes.collectives = {collective};
        campaign.wishes.sizes_bytes = {std::stoull(size)};
        campaign.wishes.subsets = {ranks.clusters};
        campaign.wishes.algorithms = {"mpi"};
        if (algorithm != "mpi")
            campaign.wishes.algorithms.push_back(algorithm);
        if (const auto report = measure::run(ranks, campaign); !report)
            return report.error();
    }
    return Done{};
}

std::string heading_of(const Provenance& here) {
    const auto library = here.mpi_library.substr(0, here.mpi_library.find(','));
    return fmt::format("alltold study: {} hosts ({}), {}, {:%Y-%m-%d %H:%M}", here.hosts.size(),
                       here.clusters.text(), library, fmt::localtime(std::time(nullptr)));
}

std::vector<std::string> warnings_of(const measure::Report& report) {
    std::vector<std::string> warnings;
    const auto& here = report.provenance;
    if (std::set(here.hosts.begin(), here.hosts.end()).size() < here.hosts.size())
        warnings.push_back(
            "some ranks share a host: messages between them do not cross the network");
    const auto unmeasured = std::ranges::count_if(
        report.outcome.paces, [](const auto& pace) { return pace.times_s.empty(); });
    if (unmeasured > 0)
        warnings.push_back(fmt::format("the budget ended before {} of {} all-to-all points were "
                                       "measured; increase --budget to measure them",
                                       unmeasured, report.outcome.paces.size()));
    return warnings;
}

Result<StudyResult> conclude(const StudyOptions& options, const Clusters& clusters,
                             const measure::Report& report, Profile profile,
                             std::vector<ChosenCall> choices) {
    const auto points = points_in(options);
    if (!points)
        return points.error();
    add_times(choices, *points);
    StudyResult result{std::move(profile), {}, std::move(choices), {}};
    const auto& model = preferred_library_model(result.profile.network, clusters);
    auto validation = validate(*points, result.profile, model);
    if (!validation)
        return Error{fmt::format("{}: {}", (options.folder / "study.db").string(),
                                 validation.error().message),
                     validation.error().status};
    result.validation = std::move(*validation);
    std::string built_with;
    if (!options.truth_file.empty()) {
        const auto truth = LabTruth::read(options.truth_file);
        if (!truth)
            return truth.error();
        if (const auto compared = recovered(*truth, result.profile))
            built_with = compared->text;
    }
    result.page = study_page(heading_of(report.provenance), result.profile, result.validation,
                             built_with, result.choices, warnings_of(report));
    if (const auto written = replace_text_file(options.folder / "page.txt", result.page); !written)
        return written.error();
    return result;
}

} // namespace

Result<std::optional<StudyResult>> study(const mpi::Session& session, const StudyOptions& options) {
    const auto world = session.world();
    if (world.size() < 2)
        return bad_input("a study needs at least 2 ranks");
    const auto ranks = measure::arrange(world, options.clusters);
    if (!ranks)
        return ranks.error();
    const auto plan = plan_study(ranks->clusters);
    auto report = take_samples(*ranks, options, plan);
    if (!report)
        return report.error();
    const bool first = ranks->ranks.rank() == 0;
    Result<Profile> profile = Profile{};
    std::vector<ChosenCall> choices;
    if (first) {
        profile = fit(options, plan, (*report)->provenance);
        if (profile)
            choices = chosen_calls(*profile, plan.chosen_bytes);
    }
    if (auto agreed = mpi::agree(ranks->ranks, profile ? Status(Done{}) : profile.error()); !agreed)
        return agreed.error();
    if (auto timed = time_choices(*ranks, options, choices); !timed)
        return timed.error();
    if (!first)
        return std::optional<StudyResult>{};
    auto result =
        conclude(options, ranks->clusters, **report, std::move(*profile), std::move(choices));
    if (!result)
        return result.error();
    return std::optional(std::move(*result));
}

} // namespace alltold
