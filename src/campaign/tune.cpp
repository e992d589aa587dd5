// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/tune.hpp"

#include <fmt/format.h>

#include "campaign/engine/engine.hpp"
#include "campaign/plan.hpp"
#include "campaign/policies/elimination.hpp"
#include "report/next_command.hpp"
#include "store/fit_campaign.hpp"

namespace alltold::campaign {
namespace {

/// The store's points and the profile fitted to them, before or after timing.
struct Known {
    std::vector<PointSamples> points;
    Profile profile;
};

Result<Known> read(const TuneOptions& options) {
    ALLTOLD_TRY(campaign, Campaign::read(options.store));
    ALLTOLD_TRY(points, campaign->points());
    ALLTOLD_TRY(here, campaign->provenance());
    FitRequest request;
    request.name = options.profile.stem();
    request.source = options.store.filename();
    request.seed = options.seed;
    auto profile = fit_points(*points, *here, request);
    return Known{std::move(*points), std::move(profile)};
}

/// The calls for rank 0 to time, if the store is of these ranks.
Result<std::vector<TunedCall>> calls_on(const Clusters& hosts, const TuneOptions& options) {
    ALLTOLD_TRY_DONE(check_subsets(options.request.subsets, hosts));
    ALLTOLD_TRY_DONE(may_save_profile(options.profile)); // before the timings
    ALLTOLD_TRY(known, read(options));
    const auto& measured = known->profile.provenance.clusters;
    if (measured != hosts)
        return bad_input(fmt::format("{}: was measured on clusters {}, but this run has {}",
                                     options.store.string(), measured.text(), hosts.text()));
    return calls_to_tune(known->profile, options.request, known->points);
}

/// The profile with rules by the winners of all eliminations in the store, else by its models,
/// saved.
Result<TuneReport> write_tables(const TuneOptions& options, Profile profile,
                                std::vector<TunedCall> calls,
                                std::span<const PointSamples> points) {
    TuneReport report;
    report.profile = std::move(profile);
    report.calls = std::move(calls);
    make_rules(report.profile);
    report.advice = forced_advice(points, library_named(report.profile.provenance.mpi_library));
    ALLTOLD_TRY_DONE(save_profile(report.profile, options.profile));
    return report;
}

} // namespace

Result<std::optional<TuneReport>> tune_on(const mpi::Session& session, const TuneOptions& options) {
    if (session.world().size() < 2)
        return bad_input("tuning needs at least 2 ranks; start it with mpirun -n 2 or more");
    ALLTOLD_TRY(ranks, arrange(session.world(), options.clusters));
    Result<std::vector<TunedCall>> calls = std::vector<TunedCall>();
    if (ranks->ranks.rank() == 0)
        calls = calls_on(ranks->clusters, options);
    ALLTOLD_TRY_DONE(mpi::agree(ranks->ranks, calls ? Status(Done{}) : calls.error()));
    std::optional<TuneReport> report;
    const auto work = [&](Engine& engine) -> Status {
        EliminationPolicy elimination(
            engine.store(), *calls,
            {.start_mode = options.start_mode, .budget_s = options.budget_s, .seed = options.seed});
        ALLTOLD_TRY_DONE(engine.run(elimination));
        ALLTOLD_TRY(known, read(options));
        ALLTOLD_TRY_INTO(report, write_tables(options, std::move(known->profile), std::move(*calls),
                                              known->points));
        static_cast<EngineStatus&>(*report) = engine.status();
        report->timings = elimination.timings();
        report->elapsed_s = elimination.elapsed_s();
        report->out_of_time = elimination.out_of_time();
        return Done{};
    };
    ALLTOLD_TRY(
        timed, with_engine(
                   *ranks,
                   {.store = options.store, .start_mode = options.start_mode, .seed = options.seed},
                   work));
    return report;
}

} // namespace alltold::campaign
