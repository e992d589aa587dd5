// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/results.hpp"

#include <fmt/format.h>

#include "campaign/study/links_truth.hpp"
#include "campaign/study/plan.hpp"
#include "campaign/study/unknown.hpp"
#include "campaign/study/verdict.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/format.hpp"
#include "report/next_command.hpp"
#include "report/page/figures.hpp"
#include "report/page/html.hpp"
#include "report/profile_summary.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"

namespace alltold::campaign {
namespace {

inline constexpr const char* charts_file = "report.html";

/// Writes the page into the folder of the options, whose profile.json is `profile`; `predicting`
/// made the predictions of `validation`. Returns the line that names it, or that says why there is
/// none: a build without npm has no page. Fails if the campaign cannot be read or the page not be
/// written.
Result<std::string> write_charts(const Campaign& campaign, const Profile& profile,
                                 const Network& predicting, const Validation& validation,
                                 std::span<const ChosenCall> choices, const StudyOptions& options) {
    if (!has_page_template())
        return std::string("Charts: none, because this alltold was built without npm\n");
    ALLTOLD_TRY(measured, campaign.points());
    ALLTOLD_TRY(notes, campaign.notes());
    PageInput input{shown(options.folder / "study.db"),
                    shown(options.folder / "profile.json"),
                    profile,
                    *measured,
                    validation,
                    *notes};
    input.command = options.command;
    input.predicting = &predicting;
    input.settings = options.advice;
    if (const auto* best = best_of(choices))
        input.headline = {best->collective, best->clusters, best->size_bytes};
    const auto path = options.folder / charts_file;
    ALLTOLD_TRY_DONE(write_page(page_data(input), path));
    return fmt::format("Charts (open in a browser): {}\n", shown(path));
}

/// For those who read the store with other programs.
Status keep_predictions(Campaign& store, const Validation& validation) {
    std::vector<StoredPrediction> predictions;
    for (const auto* points : {&validation.points, &validation.ours})
        for (const auto& point : *points)
            predictions.push_back({{CollectiveProbe{point.collective, point.start_mode}.text(),
                                    point.algorithm, point.clusters, point.size_bytes},
                                   point.predicted.time_s,
                                   !point.fitted,
                                   point.predicted.model});
    return store.keep(predictions);
}

std::vector<std::string> warnings_of(const Engine& engine, const StudyResult& result,
                                     std::span<const PointSamples> measured) {
    auto warnings = study_warnings(engine.here(), result.unknown);
    std::size_t repetitions = 0;
    for (const auto& samples : measured)
        repetitions += samples.series().times_s.size();
    const auto status = engine.status();
    if (auto late = late_warning(status.late, status.worst_late_s, repetitions))
        warnings.push_back(std::move(*late));
    return warnings;
}

} // namespace

bool tries_forced(const StudyOptions& options) {
    return options.truth_file.empty() && options.advice.empty();
}

Result<StudyResult> write_results(Engine& engine, StudyOptions options, StudyResult result,
                                  const Profile& predicting,
                                  const std::vector<PointSamples>& checked,
                                  const std::vector<PointSamples>& measured) {
    ALLTOLD_TRY_DONE(save_profile(result.profile, options.folder / "profile.json"));
    result.unknown =
        unknown_of(result.profile.network, engine.here().clusters, measured, options.collectives);
    result.validation = validate(checked, predicting, nullptr);
    ALLTOLD_TRY_DONE(keep_predictions(engine.store(), result.validation));
    if (tries_forced(options))
        options.advice = forced_advice(measured, library_named(engine.here().mpi_library));
    std::string built_with;
    if (!options.truth_file.empty()) {
        ALLTOLD_TRY(recovered, recovered_links(options.truth_file, result.profile));
        built_with = truth_text(*recovered);
    }
    const auto heading = study_heading(engine.here(), std::time(nullptr));
    const auto warnings = warnings_of(engine, result, measured);
    result.verdict = study_verdict(heading, result.profile, result.validation, result.precise,
                                   result.choices, warnings, options);
    result.page = study_page(heading, result.profile, result.validation, built_with, result.choices,
                             options.start_mode, warnings, options.advice);
    ALLTOLD_TRY(charts, write_charts(engine.store(), result.profile, predicting.network,
                                     result.validation, result.choices, options));
    ALLTOLD_TRY_DONE(replace_text_file(options.folder / page_file, result.page,
                                       {"a study's page", "alltold study:"}));
    // Not in the file, which may be read elsewhere.
    result.verdict += *charts;
    result.page += "\n" + *charts;
    return result;
}

std::string study_page(const std::string& heading, const Profile& profile,
                       const Validation& validation, const std::string& built_with,
                       std::span<const ChosenCall> choices, StartMode start_mode,
                       const std::vector<std::string>& warnings, const std::string& advice) {
    std::string page = fmt::format("{0}\n{1:=<{2}}\n", heading, "", heading.size());
    for (const auto& warning : warnings)
        page += wrapped("warning: " + warning, 2);
    page += fmt::format("\n1. The network\n\n{}", profile_summary(profile));
    if (!built_with.empty())
        page += "\n" + built_with;
    page += fmt::format("\n2. Calls that were predicted first and then measured\n\n"
                        "The MPI library's own collectives\n\n{}",
                        validation_table(validation, Rows::held_out));
    if (!validation.ours.empty())
        page += fmt::format("\nalltold's algorithms\n\n{}", ours_table(validation, Rows::held_out));
    page += notes_of(validation);
    if (!choices.empty())
        page += fmt::format("\n3. What to run\n\n{}\n{}",
                            wrapped(fmt::format("What the profile's rules choose (alltold rules "
                                                "prints all {}), compared with the MPI library on "
                                                "all hosts.",
                                                profile.rules.size())),
                            verdict_table(choices, start_mode));
    if (!advice.empty())
        page += fmt::format("\n4. Settings of the MPI library\n\n{}", advice);
    return page;
}

} // namespace alltold::campaign
