// SPDX-License-Identifier: BSD-3-Clause
// Two campaigns into one store, then rank 0's fit, predictions and page.
#include "study/study.hpp"

#include <algorithm>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "files/text_file.hpp"
#include "measure/measure.hpp"
#include "store/fit_campaign.hpp"
#include "study/built_with.hpp"
#include "study/page.hpp"
#include "study/plan.hpp"

namespace alltold {
namespace {

/// A part of the budget and what it is for.
struct Stage {
    double share;
    measure::Wishes wishes;
};

/// Single messages, then the library's all-to-alls of the plan, then our algorithms, which are
/// predicted from the first and must not have been seen by it.
std::vector<Stage> stages_of(const StudyPlan& plan, const Clusters& hosts) {
    Stage singles{0.4, {}}, library{0.4, {}}, ours{0.2, {}};
    singles.wishes.only = {"p2p", "plogp", "links"};
    library.wishes.only = ours.wishes.only = {"collectives"};
    library.wishes.collectives = {"alltoall"};
    library.wishes.algorithms = {"mpi"};
    library.wishes.sizes_bytes = plan.sizes();
    library.wishes.subsets = plan.layouts();
    ours.wishes.algorithms = plan.ours;
    ours.wishes.sizes_bytes = plan.sizes_of_ours;
    ours.wishes.subsets = {hosts};
    return {singles, library, ours};
}

/// One campaign a stage into one store. Rank 0 gets the report of the one on the library.
Result<std::optional<measure::Report>> take_samples(const measure::Arrangement& ranks,
                                                    const StudyOptions& options,
                                                    const StudyPlan& plan) {
    std::optional<measure::Report> kept;
    for (auto& stage : stages_of(plan, ranks.clusters)) {
        measure::Options campaign;
        campaign.store = options.folder / "study.db";
        campaign.seed = options.seed;
        campaign.lead = options.lead;
        campaign.budget_s = options.budget_s * stage.share;
        const bool reported = stage.wishes.algorithms == std::vector<std::string>{"mpi"};
        campaign.wishes = std::move(stage.wishes);
        auto report = measure::run(ranks, campaign);
        if (!report || (*report && (*report)->outcome.interrupted))
            return report;
        if (reported)
            kept = std::move(*report);
    }
    return kept;
}

std::string heading_of(const Surroundings& here) {
    const auto library = here.mpi_library.substr(0, here.mpi_library.find(','));
    return fmt::format("alltold study: {} hosts ({}), {}, {:%Y-%m-%d %H:%M}", here.hosts.size(),
                       here.clusters.text(), library, fmt::localtime(std::time(nullptr)));
}

std::vector<std::string> warnings_of(const measure::Report& report) {
    std::vector<std::string> warnings;
    const auto& here = report.surroundings;
    if (std::set(here.hosts.begin(), here.hosts.end()).size() < here.hosts.size())
        warnings.push_back("some ranks share a host: what they exchange crosses no network");
    const auto unmeasured = std::ranges::count_if(
        report.outcome.paces, [](const auto& pace) { return pace.times_s.empty(); });
    if (unmeasured > 0)
        warnings.push_back(fmt::format("the budget ended before {} of {} all-to-all points were "
                                       "measured; a larger --budget takes them",
                                       unmeasured, report.outcome.paces.size()));
    return warnings;
}

Result<StudyResult> conclude(const StudyOptions& options, const StudyPlan& plan,
                             const measure::Report& report) {
    const auto store = options.folder / "study.db";
    const auto campaign = Campaign::read(store);
    if (!campaign)
        return campaign.error();
    const auto points = campaign->points();
    if (!points)
        return points.error();
    FitRequest request;
    request.name = "study";
    request.source = store.filename().string();
    request.held_out = [&plan](const Point& point) { return !plan.fits(point); };
    request.seed = options.seed;
    StudyResult result{fit_points(*points, report.surroundings, request), {}, {}};
    if (const auto saved = save_profile(result.profile, options.folder / "profile.json"); !saved)
        return saved.error();
    const auto model = alltoall_model(result.profile.alltoall ? "signature" : "linear");
    auto validation = validate(*points, result.profile, *model);
    if (!validation)
        return Error{fmt::format("{}: {}", store.string(), validation.error().message),
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
    result.page = study_page(heading_of(report.surroundings), result.profile, result.validation,
                             built_with, warnings_of(report));
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
    if (!*report)
        return std::optional<StudyResult>{};
    if ((*report)->outcome.interrupted)
        return refused("stopped by a signal; the same command with the same --keep goes on");
    auto result = conclude(options, plan, **report);
    if (!result)
        return result.error();
    return std::optional(std::move(*result));
}

} // namespace alltold
