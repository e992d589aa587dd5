// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/policies/elimination.hpp"

#include <fmt/format.h>

#include "campaign/plan.hpp"
#include "campaign/policies/point_progress.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// A loop averages over its calls already.
int repetitions(double time_s, StartMode start_mode) {
    return time_s < short_call_s && start_mode != StartMode::loop ? times_of_short : 1;
}

/// The expected cost of a round.
double cost_s(const TunedCall& call, StartMode start_mode) {
    double total_s = 0;
    for (const auto i : call.elimination.running()) {
        const double time_s = known_s(call.elimination.candidates()[i]).value;
        const int calls =
            start_mode == StartMode::loop ? calls_of_loop(time_s, call.point(i).n()) : 1;
        total_s +=
            measurement_s + repetitions(time_s, start_mode) * (calls * time_s + repetition_s);
    }
    return total_s;
}

/// The value of a round per second: the share of the call's time that may be lost, since long calls
/// are made less often.
double worth(const TunedCall& call, double round_s) {
    return call.weight * (call.elimination.winner() ? call.elimination.doubt() : call.stake) /
           round_s;
}

/// By the candidate's own times or prediction, else the least of the others'.
double expected_s(const Elimination& elimination, std::size_t candidate) {
    if (const double own_s = known_s(elimination.candidates()[candidate]).value; own_s > 0)
        return own_s;
    double shortest_s = 0;
    for (const auto& other : elimination.candidates())
        if (const double time_s = known_s(other).value;
            time_s > 0 && (shortest_s == 0 || time_s < shortest_s))
            shortest_s = time_s;
    return shortest_s;
}

} // namespace

std::optional<std::size_t> EliminationPolicy::most_in_doubt(double now_s) {
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const auto& elimination = calls_[i].elimination;
        if (elimination.decided())
            continue;
        const double round_s =
            cost_s(calls_[i], start_mode_of(calls_[i].probe.text(), options_.start_mode));
        if (round_s > affordable_s(now_s)) {
            out_of_time_ = true;
        } else if (const double value = worth(calls_[i], round_s); value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

std::vector<std::size_t> EliminationPolicy::order(const Elimination& elimination) {
    auto running = elimination.running();
    shuffle(running, random_);
    if (!elimination.winner())
        std::ranges::stable_sort(
            running, {}, [&](std::size_t i) { return known_s(elimination.candidates()[i]).value; });
    std::reverse(running.begin(), running.end());
    return running;
}

Result<std::optional<Measurement>> EliminationPolicy::next(double now_s) {
    if (!started_s_)
        started_s_ = now_s;
    for (;;) {
        while (!round_.empty() && left_s(now_s) > 0) {
            const auto candidate = round_.back();
            round_.pop_back();
            const auto running = calls_[call_].elimination.running();
            if (std::find(running.begin(), running.end(), candidate) != running.end())
                return std::optional(measurement_of(call_, candidate, now_s));
        }
        const auto call = most_in_doubt(now_s);
        if (!call)
            return std::optional<Measurement>();
        call_ = *call;
        round_ = order(calls_[call_].elimination);
    }
}

Measurement EliminationPolicy::measurement_of(std::size_t call, std::size_t candidate,
                                              double now_s) {
    candidate_ = candidate;
    const double time_s = expected_s(calls_[call].elimination, candidate);
    const auto start_mode = start_mode_of(calls_[call].probe.text(), options_.start_mode);
    return {.point = calls_[call].point(candidate),
            .repetitions = repetitions(time_s, start_mode),
            .limit_s = affordable_s(now_s),
            .start_mode = start_mode,
            .warm = !warm_.insert({call, candidate}).second || time_s >= long_call_s};
}

Status EliminationPolicy::observe(const Measurement&, const Observation& observation) {
    if (!observation.warm_up) {
        calls_[call_].elimination.add(candidate_, observation.value);
        ++timings_;
    }
    return Done{};
}

Status EliminationPolicy::ended(const EngineStatus& status, double now_s) {
    elapsed_s_ = now_s - started_s_.value_or(now_s);
    return store_.note(fmt::format("{}: {} timings in {}, {}", options_.name, timings_,
                                   format_time(elapsed_s_), status.clocks.text()));
}

std::string EliminationPolicy::progress(const Measurement& measurement, double now_s) const {
    const auto decided =
        std::ranges::count_if(calls_, [](const auto& call) { return call.elimination.decided(); });
    return fmt::format("{}: {} of {} calls decided, {} timings, {:.0f} s left, at {}",
                       options_.name, decided, calls_.size(), timings_,
                       left_s(now_s) + options_.reserved_s, describe(measurement.point));
}

} // namespace alltold::campaign
