// SPDX-License-Identifier: BSD-3-Clause
// Finds the quickest algorithm for each of several calls by successive elimination.
#pragma once

#include "campaign/policy.hpp"
#include "store/tuned_calls.hpp"

namespace alltold::campaign {

struct EliminationOptions {
    StartMode start_mode = StartMode::silence;
    double budget_s = 60;  ///< from the first call of next on
    double reserved_s = 0; ///< what is measured afterwards; counts in the time left that is shown
    double most_cost_s = INFINITY;  ///< of one round of a call
    std::uint64_t seed = 1;         ///< of the order within rounds
    std::string_view name = "tune"; ///< in progress and notes
};

/// Each round times every remaining candidate of a call once, until all calls are decided or the
/// budget ends: always the call with the largest doubt (as a share of its time) per second of a
/// round, times its weight; before the first timing it is the call's stake. Calls whose round is
/// expected to cost more than the most that one may cost are left as they are.
class EliminationPolicy : public Policy {
  public:
    EliminationPolicy(Campaign& store, std::vector<TunedCall>& calls, EliminationOptions options)
        : store_(store), calls_(calls), options_(options), random_(options.seed) {}

    Result<std::optional<Measurement>> next(double now_s) override;
    Status observe(const Measurement& measurement, const Observation& observation) override;
    Status ended(const EngineStatus& status, double now_s) override;
    std::string progress(const Measurement& measurement, double now_s) const override;

    int timings() const { return timings_; } ///< in this session, warm-ups left out
    double elapsed_s() const { return elapsed_s_; }
    bool out_of_time() const { return out_of_time_; }

  private:
    double left_s(double now_s) const { return *started_s_ + options_.budget_s - now_s; }
    /// The most a round may cost.
    double affordable_s(double now_s) const {
        return std::min(left_s(now_s), options_.most_cost_s);
    }
    /// The call with the most valuable next round among those that fit into the time.
    std::optional<std::size_t> most_in_doubt(double now_s);
    /// The remaining candidates in random order; in the first round by predicted time, since early
    /// timings may eliminate later candidates.
    std::vector<std::size_t> order(const Elimination& elimination);
    Measurement measurement_of(std::size_t call, std::size_t candidate, double now_s);

    Campaign& store_;
    std::vector<TunedCall>& calls_;
    EliminationOptions options_;
    Random random_;
    std::optional<double> started_s_;
    std::size_t call_ = 0;           ///< of the round and the last measurement
    std::size_t candidate_ = 0;      ///< of the last measurement
    std::vector<std::size_t> round_; ///< candidates still to be timed, the next one last
    std::set<std::pair<std::size_t, std::size_t>> warm_; ///< timed in this session
    int timings_ = 0;
    double elapsed_s_ = 0;
    bool out_of_time_ = false;
};

} // namespace alltold::campaign
