// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/study.hpp"

#include <iterator>

#include "campaign/plan.hpp"
#include "campaign/policies/calibrate.hpp"
#include "campaign/policies/elimination.hpp"
#include "campaign/policies/sequential_design.hpp"
#include "campaign/study/plan.hpp"
#include "campaign/study/results.hpp"
#include "report/waiting.hpp"
#include "store/fit_campaign.hpp"

namespace alltold::campaign {
namespace {

/// Rank 0's side of a study.
class Study {
  public:
    Study(Engine& engine, const StudyOptions& options)
        : engine_(engine), options_(options), hosts_(engine.here().clusters),
          budget_s_(options.budget_s > 0 ? options.budget_s : default_budget_s(hosts_)),
          started_s_(engine.now_s()) {}

    Result<StudyResult> operator()() {
        for (const auto step :
             {&Study::measure_network, &Study::measure_within, &Study::learn, &Study::check,
              &Study::hold_out, &Study::time_choices, &Study::time_others, &Study::time_forced})
            ALLTOLD_TRY_DONE((this->*step)());
        return conclude();
    }

  private:
    /// Where the budget stands when this share of it is to be left.
    double until_left_s(double share) const {
        return started_s_ + (1 - share) * budget_s_ - engine_.now_s();
    }

    /// Runs a policy; fails if a signal ended it.
    Status run(Policy& policy) {
        ALLTOLD_TRY_DONE(engine_.run(policy));
        if (engine_.status().interrupted)
            return refused("stopped by a signal; run the same command again to resume");
        return Done{};
    }

    /// Until this share of the budget is left.
    Status measure(std::vector<Point> points, Goal goal, double share_after) {
        const double budget_s = until_left_s(share_after);
        if (points.empty() || budget_s <= 0)
            return Done{};
        goal.refine = false;
        Calibrate policy(engine_.store(), std::move(points),
                         {.goal = goal,
                          .start_mode = options_.start_mode,
                          .budget_s = budget_s,
                          .reserved_s = share_after * budget_s_,
                          .seed = options_.seed});
        return run(policy);
    }

    Result<std::vector<PointSamples>> points() const { return engine_.store().points(); }

    Profile fitted(const std::vector<PointSamples>& measured) const {
        const Waiting waiting("study: fitting the models");
        return fit_points(measured, engine_.here(),
                          {.name = "study", .source = "study.db", .seed = options_.seed});
    }

    Status measure_network() {
        ALLTOLD_TRY(plan, rough_network_plan(hosts_));
        const double most_s = hosts_.count() > 1 ? network_most_of_several_s : network_most_s;
        auto how = rough_calibration(std::min(most_s, network_share * budget_s_));
        how.reserved_s = budget_s_ - how.budget_s;
        how.seed = options_.seed;
        Calibrate policy(engine_.store(), std::move(*plan), std::move(how));
        return run(policy);
    }

    /// The library's all-to-all in each cluster, for their signatures: on several clusters no step
    /// that follows need call it within one, and none does within any but the first.
    Status measure_within() {
        if (hosts_.count() == 1)
            return Done{};
        const double elapsed_share = (engine_.now_s() - started_s_) / budget_s_;
        return measure(alltoalls_within(hosts_), {.exactly = signature_repetitions},
                       1 - elapsed_share - signatures_share);
    }

    /// Of the reported calls and what is known of them.
    Design design(const std::vector<PointSamples>& measured) const {
        return {known_.network,
                study_calls(known_, measured, options_.collectives),
                {.precision = options_.precision, .most_cost_s = measurement_share * budget_s_}};
    }

    Status learn() {
        ALLTOLD_TRY(measured, points());
        known_ = fitted(*measured);
        auto design = this->design(*measured);
        const double reserved = checks_share + held_out_share + choices_share;
        SequentialDesign policy(engine_.store(), design,
                                {.start_mode = options_.start_mode,
                                 .budget_s = until_left_s(reserved),
                                 .reserved_s = reserved * budget_s_});
        return run(policy);
    }

    /// Measures calls that were drawn at random, until enough of them are inside the intervals that
    /// the ones before gave: what differs from the predictions shows how wide intervals must be.
    Status check() {
        const double reserved = held_out_share + choices_share;
        for (int round = 1; round <= most_rounds && until_left_s(reserved) > 0; ++round) {
            ALLTOLD_TRY(inside, measure_random(options_.seed + static_cast<std::uint64_t>(round),
                                               random_repetitions, checks_share, reserved));
            if (*inside >= inside_wanted)
                break;
        }
        return Done{};
    }

    Status hold_out() {
        const auto inside =
            measure_random(options_.seed, random_repetitions, held_out_share, choices_share);
        return inside ? Status(Done{}) : inside.error();
    }

    /// Predicts calls, then measures them. The share that is inside its interval; 1 without any.
    Result<double> measure_random(std::uint64_t seed, int repetitions, double share,
                                  double share_after) {
        ALLTOLD_TRY(before, points());
        predicting_ = fitted(*before);
        const auto drawn = random_calls(predicting_, *before, seed, repetitions, share * budget_s_,
                                        options_.collectives);
        ALLTOLD_TRY_DONE(measure(drawn, {.exactly = repetitions}, share_after));
        ALLTOLD_TRY(measured, points());
        std::erase_if(*measured, [&](const PointSamples& samples) {
            return std::ranges::find(drawn, samples.point) == drawn.end();
        });
        const auto validation = validate(*measured, predicting_, nullptr);
        const int calls = validation.held_out_calls();
        return calls > 0 ? static_cast<double>(validation.held_out_covered()) / calls : 1;
    }

    Status time_choices() {
        return time(decided_calls_of(predicting_, {hosts_}, reported_sizes(), options_.collectives),
                    predicting_, {.name = "choices", .share_after = other_choices_share});
    }

    /// Times safe choices at other sizes and on fewer hosts. These calls are timed to decide and
    /// not to check predictions: those of 512 B and more are drawn for that.
    Status time_others() {
        ALLTOLD_TRY(measured, points());
        const auto profile = fitted(*measured);
        checked_ = std::move(*measured);
        auto calls =
            decided_calls_of(profile, measured_layouts(hosts_), rule_sizes(), options_.collectives);
        std::vector<Collective> overflowing;
        std::ranges::copy_if(options_.collectives, std::back_inserter(overflowing),
                             [](Collective collective) {
                                 return may_overflow(collective) && traits_of(collective).has_data;
                             });
        std::ranges::move(
            decided_calls_of(profile, {hosts_}, sizes_between_rule_sizes(), overflowing),
            std::back_inserter(calls));
        return time(
            calls, profile,
            {.name = "other choices",
             .share_after = last_choices_share + (tries_forced(options_) ? forced_share : 0)});
    }

    /// The library's own choice beside those of its algorithms that may be quicker.
    Status time_forced() {
        if (!tries_forced(options_))
            return Done{};
        auto calls = [&] {
            const Waiting waiting("study: choosing algorithms of the MPI library");
            return forced_calls(predicting_, hosts_, options_.collectives);
        }();
        return measure(std::move(calls), {.exactly = forced_repetitions}, last_choices_share);
    }

    std::vector<ChosenCall> decided_calls_of(const Profile& profile,
                                             const std::vector<Clusters>& layouts,
                                             std::span<const std::uint64_t> sizes_bytes,
                                             std::span<const Collective> collectives) const {
        const Waiting waiting("study: choosing algorithms");
        std::vector<ChosenCall> calls;
        for (const auto& layout : layouts)
            std::ranges::move(decided_calls(profile.network, options_.start_mode, layout,
                                            sizes_bytes, collectives),
                              std::back_inserter(calls));
        return calls;
    }

    /// Until this share of the budget is left, and for some seconds even so.
    struct Timing {
        std::string name;       ///< in progress
        double share_after = 0; ///< for what follows
        double least_s = 0;
    };

    /// Times what is chosen and the library's own, and where that is chosen also what may be
    /// quicker, so that their times decide.
    Status time(std::span<const ChosenCall> choices, const Profile& profile, const Timing& timing) {
        const auto left_s = [&] {
            return std::max(timing.least_s, until_left_s(timing.share_after));
        };
        if (left_s() <= 0)
            return Done{};
        ALLTOLD_TRY(measured, points());
        auto calls = [&] {
            const Waiting waiting("study: predicting what is to be timed");
            return calls_to_time(choices, profile, *measured, options_.start_mode);
        }();
        EliminationPolicy policy(engine_.store(), calls,
                                 {.start_mode = options_.start_mode,
                                  .budget_s = left_s(),
                                  .reserved_s = timing.share_after * budget_s_,
                                  .most_cost_s = measurement_share * budget_s_,
                                  .seed = options_.seed,
                                  .name = timing.name});
        return run(policy);
    }

    /// The choices of the profile's rules on all hosts. Makes the rules: all, or only these.
    std::vector<ChosenCall> decided(Profile& profile, const std::vector<PointSamples>& measured,
                                    std::vector<Clusters> calls = {}) const {
        const Waiting waiting("study: choosing algorithms");
        make_rules(profile, std::move(calls));
        auto choices = chosen_calls(profile, hosts_, reported_sizes(), options_.start_mode,
                                    options_.collectives);
        add_times(choices, measured, options_.start_mode);
        return choices;
    }

    Result<StudyResult> conclude() {
        ALLTOLD_TRY(measured, points());
        auto profile = fitted(*measured);
        // The last times may have changed what is chosen.
        auto untimed = decided(profile, *measured, {hosts_});
        std::erase_if(untimed, [](const ChosenCall& choice) { return choice.timed.has_value(); });
        if (!untimed.empty()) {
            ALLTOLD_TRY_DONE(
                time(untimed, profile,
                     {.name = "last choices", .least_s = last_choices_share * budget_s_}));
            measured = points();
            if (!measured)
                return measured.error();
            profile = fitted(*measured);
        }
        auto choices = decided(profile, *measured);
        add_predictions(choices, profile.network);
        return write_results(engine_, options_,
                             {.profile = std::move(profile),
                              .choices = std::move(choices),
                              .precise = precise(*measured)},
                             predicting_, checked_, *measured);
    }

    /// By all that was measured: what was timed to check and to choose counts as well.
    PreciseTargets precise(const std::vector<PointSamples>& measured) const {
        const Waiting waiting("study: fitting the models");
        const auto [narrow, all] = design(measured).narrow_targets();
        return {narrow, all, options_.precision};
    }

    Engine& engine_;
    const StudyOptions& options_;
    const Clusters hosts_;
    double budget_s_;
    double started_s_;
    Profile known_;                     ///< the network, before collectives are measured
    Profile predicting_;                ///< what predicts the held-out calls
    std::vector<PointSamples> checked_; ///< what its predictions are compared with
};

/// Measures within the budget, fits, times what is chosen, and writes the results. Rank 0 only.
/// Fails if a signal ends it, and for files that cannot be written.
Result<StudyResult> study_steps(Engine& engine, const StudyOptions& options) {
    return Study(engine, options)();
}

} // namespace

Result<std::optional<StudyResult>> study(const mpi::ManagedCommunicator& world,
                                         const StudyOptions& options) {
    if (world.size() < 2)
        return bad_input("a study needs at least 2 ranks");
    ALLTOLD_TRY(ranks, arrange(world, options.clusters));
    std::optional<StudyResult> result;
    const SessionOptions session_options{.store = options.folder / store_file,
                                         .start_mode = options.start_mode,
                                         .seed = options.seed};
    const auto studied = with_engine(*ranks, session_options, [&](Engine& engine) -> Status {
        ALLTOLD_TRY_INTO(result, study_steps(engine, options));
        return Done{};
    });
    if (!studied)
        return studied.error();
    return result;
}

} // namespace alltold::campaign
