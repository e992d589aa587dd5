// SPDX-License-Identifier: BSD-3-Clause
// Two campaigns into one store, then rank 0's fit, predictions and page.
#include "study/study.hpp"

#include <algorithm>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "measure/measure.hpp"
#include "store/fit_campaign.hpp"
#include "store/text_file.hpp"
#include "study/built_with.hpp"
#include "study/page.hpp"
#include "study/plan.hpp"

namespace alltold {
namespace {

// Ping-pongs are many and short; the all-to-alls need the rest.
constexpr double share_of_pingpongs = 0.3;

/// Ping-pongs over all sizes, then the plan's all-to-alls. Rank 0 gets the second's report.
Result<std::optional<measure::Report>> take_samples(const measure::Arrangement& ranks,
                                                    const StudyOptions& options,
                                                    const StudyPlan& plan) {
    measure::Options pingpongs;
    pingpongs.store = options.folder / "study.db";
    pingpongs.seed = options.seed;
    auto alltoalls = pingpongs;
    pingpongs.wishes.only = {"p2p"};
    pingpongs.budget_s = options.budget_s * share_of_pingpongs;
    auto first = measure::run(ranks, pingpongs);
    if (!first || (*first && (*first)->outcome.interrupted))
        return first;
    alltoalls.wishes.only = {"collectives"};
    alltoalls.wishes.collectives = {"alltoall"};
    alltoalls.wishes.algorithms = {"mpi"};
    alltoalls.wishes.sizes_bytes = plan.sizes();
    alltoalls.wishes.subsets = plan.layouts();
    alltoalls.budget_s = options.budget_s * (1 - share_of_pingpongs);
    return measure::run(ranks, alltoalls);
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
