// SPDX-License-Identifier: BSD-3-Clause
// Two campaigns into one store, then rank 0's fit, predictions and page.
#include "campaign/study/study.hpp"

#include <algorithm>
#include <ctime>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "campaign/policies/stages.hpp"
#include "campaign/study/built_with.hpp"
#include "campaign/study/page.hpp"
#include "campaign/study/plan.hpp"
#include "core/text_file.hpp"
#include "store/fit_campaign.hpp"
#include "store/profile_rules.hpp"

namespace alltold::campaign {
namespace {

/// Single messages, then the library's all-to-alls of the plan, then our algorithms: on fewer
/// hosts, for the fit, and on all of them, held out.
std::vector<Stage> stages_of(const StudyPlan& plan, const Clusters& hosts, double budget_s) {
    Stage singles{0.35 * budget_s, {}}, library{0.25 * budget_s, {}}, learnt{0.22 * budget_s, {}},
        predicted{0.08 * budget_s, {}};
    singles.request.only = {"p2p", "plogp", "links"};
    for (auto* stage : {&library, &learnt, &predicted})
        stage->request.only = {"collectives"};
    library.request.collectives = {"alltoall"};
    library.request.algorithms = {"mpi"};
    library.request.sizes_bytes = plan.sizes();
    library.request.subsets = plan.layouts();
    learnt.request.algorithms = predicted.request.algorithms = plan.ours;
    learnt.request.sizes_bytes = plan.learnt_sizes;
    learnt.request.subsets = plan.learnt_layouts;
    predicted.request.sizes_bytes = plan.predicted_sizes;
    predicted.request.subsets = {hosts};
    if (plan.learnt_layouts.empty())
        return {singles, library, predicted};
    return {singles, library, learnt, predicted};
}

/// The library's all-to-alls.
constexpr std::size_t reported_stage = 1;

/// Times what `calls` chose beside the library's own, a stage a call, in a tenth of the budget.
std::vector<Stage> stages_of(std::span<const ChosenCall> calls, double budget_s) {
    std::vector<Stage> stages;
    for (const auto& call : calls) {
        Stage stage{0.1 * budget_s / static_cast<double>(calls.size()), {}};
        stage.request.only = {"collectives"};
        stage.request.collectives = {call.name()};
        stage.request.sizes_bytes = {call.size_bytes};
        stage.request.subsets = {call.clusters};
        stage.request.algorithms = {"mpi"};
        if (call.algorithm != "mpi")
            stage.request.algorithms.push_back(call.algorithm);
        stages.push_back(std::move(stage));
    }
    return stages;
}

Result<std::vector<PointSamples>> points_in(const StudyOptions& options) {
    const auto campaign = Campaign::read(options.folder / "study.db");
    if (!campaign)
        return campaign.error();
    return campaign->points();
}

/// On rank 0: the profile fitted to the points that the plan does not hold out, with its rules.
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

std::string heading_of(const Provenance& here) {
    const auto library = here.mpi_library.substr(0, here.mpi_library.find(','));
    return fmt::format("alltold study: {} hosts ({}), {}, {:%Y-%m-%d %H:%M}", here.hosts.size(),
                       here.clusters.text(), library, fmt::localtime(std::time(nullptr)));
}

std::vector<std::string> warnings_of(const Provenance& here, const Calibrate& library) {
    std::vector<std::string> warnings;
    if (std::set(here.hosts.begin(), here.hosts.end()).size() < here.hosts.size())
        warnings.push_back(
            "some ranks share a host: messages between them do not cross the network");
    const auto unmeasured = std::ranges::count_if(
        library.points(), [](const auto& progress) { return progress.times_s.empty(); });
    if (unmeasured > 0)
        warnings.push_back(fmt::format("the budget ended before {} of {} all-to-all points were "
                                       "measured; a larger --budget takes them",
                                       unmeasured, library.points().size()));
    return warnings;
}

Result<StudyResult> conclude(const StudyOptions& options, const Provenance& here,
                             const Calibrate& library, Profile profile,
                             std::vector<ChosenCall> choices) {
    const auto points = points_in(options);
    if (!points)
        return points.error();
    add_times(choices, *points);
    StudyResult result{std::move(profile), {}, std::move(choices), {}};
    const auto& model = preferred_library_model(result.profile.network, here.clusters);
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
    result.page = study_page(heading_of(here), result.profile, result.validation, built_with,
                             result.choices, warnings_of(here, library));
    if (const auto written = replace_text_file(options.folder / "page.txt", result.page); !written)
        return written.error();
    return result;
}

/// All of rank 0's work.
Result<StudyResult> study_with(Engine& engine, const StudyOptions& options) {
    const auto& hosts = engine.here().clusters;
    const auto plan = plan_study(hosts);
    Profile profile;
    std::vector<ChosenCall> choices;
    const auto choose = [&]() -> Result<std::vector<Stage>> {
        auto fitted = fit(options, plan, engine.here());
        if (!fitted)
            return fitted.error();
        profile = std::move(*fitted);
        choices = chosen_calls(profile, plan.chosen_bytes);
        return stages_of(choices, options.budget_s);
    };
    CalibrateOptions how;
    how.start_mode = options.start_mode;
    how.seed = options.seed;
    Stages stages(engine, hosts, stages_of(plan, hosts, options.budget_s), std::move(how), choose);
    if (auto measured = engine.run(stages); !measured)
        return measured.error();
    if (!stages.asked_for_more())
        return refused("stopped by a signal; run the same command with the same --keep to resume");
    return conclude(options, engine.here(), stages.calibration(reported_stage), std::move(profile),
                    std::move(choices));
}

} // namespace

Result<std::optional<StudyResult>> study(const mpi::Session& session, const StudyOptions& options) {
    const auto world = session.world();
    if (world.size() < 2)
        return bad_input("a study needs at least 2 ranks");
    const auto ranks = arrange(world, options.clusters);
    if (!ranks)
        return ranks.error();
    std::optional<StudyResult> result;
    const SessionOptions session_options{.store = options.folder / "study.db",
                                         .start_mode = options.start_mode,
                                         .seed = options.seed};
    const auto studied = with_engine(*ranks, session_options, [&](Engine& engine) -> Status {
        auto concluded = study_with(engine, options);
        if (!concluded)
            return concluded.error();
        result = std::move(*concluded);
        return Done{};
    });
    if (!studied)
        return studied.error();
    return result;
}

} // namespace alltold::campaign
