// SPDX-License-Identifier: BSD-3-Clause
// Time, bound and caveats of a call with all its parameters.
#include "predict/algorithm_prediction.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/normal.hpp"
#include "core/units.hpp"
#include "network/corrections/lost_corrections.hpp"
#include "predict/bounds/collective_bounds.hpp"
#include "predict/corrections/corrected_time.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

void add_caveats(AlgorithmPrediction& predicted, const AlgorithmTimer& timer,
                 const AlgorithmTime& time, const Network& network,
                 const Specification& specification, const CostModel& model) {
    auto& caveats = predicted.prediction.caveats;
    if (!model.algorithm_caveat.empty())
        caveats.emplace_back(model.algorithm_caveat);
    if (time.dropped_bytes > 0)
        caveats.push_back(fmt::format(
            "{} overflows buffers by {}; {}", predicted.algorithm->name,
            format_size(time.dropped_bytes),
            predicted.loss_measured  ? "its time includes what losses cost in measured calls"
            : timer.charges_losses() ? "its time includes likely time-outs but no other cost "
                                       "of the loss"
                                     : "its time excludes the loss, because the cost of a "
                                       "time-out here is unknown"));
    const auto message_bytes =
        predicted.segment_bytes > 0 ? predicted.segment_bytes : specification.size_bytes();
    if (const double known = timer.largest_known_bytes();
        known > 0 && static_cast<double>(message_bytes) > known)
        caveats.push_back(fmt::format("messages of {} exceed the largest measured size of {}",
                                      format_size(static_cast<double>(message_bytes)),
                                      format_size(known)));
    if (!network.assumed.empty())
        caveats.push_back("assumed: " + network.assumed);
}

/// The interval of a model's parameters, widened by what models are usually wrong by.
Estimate widened(const Estimate& time_s, const CallTraits& call) {
    const double own = student_reach * Residual({}, {}).at(call).sd;
    const auto factor = [&](double ratio) { return std::exp(std::hypot(std::log(ratio), own)); };
    const auto& [value, low, high] = time_s;
    return {value, value / factor(value / low), value * factor(high / value)};
}

/// Whether the correction has learned what losses cost, from this algorithm and others.
bool loss_measured(const Correction& correction, const Algorithm* algorithm) {
    constexpr int enough = 3;
    int calls = 0, own = 0;
    for (const auto& call : correction.calls())
        if (call.modelled.may_lose) {
            ++calls;
            own += call.algorithm == algorithm;
        }
    return calls >= enough && own > 0;
}

/// Shifts and widens the model's time by the correction from measurements of the collective; where
/// there is none, widens its interval, if it has one.
void correct(AlgorithmPrediction& predicted, const TimedCall& call) {
    auto& time_s = predicted.prediction.time_s;
    const double bound_s = predicted.prediction.bound_s;
    if (time_s.value <= 0)
        return;
    const auto traits = traits_of(call);
    const auto* correction = correction_of(call);
    if (!correction) {
        if (time_s.low < time_s.high)
            time_s = not_below(widened(time_s, traits), bound_s);
        return;
    }
    time_s = not_below(correction->time_s(traits), bound_s);
    predicted.loss_measured = loss_measured(*correction, predicted.algorithm);
    predicted.method += fmt::format("; corrected by {} measurements", correction->calls().size());
}

} // namespace

Result<AlgorithmPrediction> predict_algorithm(const Network& network, const Algorithm& algorithm,
                                              const Specification& specification,
                                              const Clusters& clusters, Parameters parameters,
                                              const CostModel& model, Effort effort) {
    if (auto able = check_model(model, network, clusters, algorithm.name); !able)
        return able.error();
    SimulationCache of_this_call;
    if (!effort.simulations)
        effort.simulations = &of_this_call;
    const auto resolved = resolve(
        {specification.collective(), clusters, specification.size_bytes(), specification.root()},
        &network,
        {.choice = Choice{&algorithm, std::move(parameters)},
         .model = &model,
         .corrected = effort.corrected,
         .simulations = effort.simulations});
    if (!resolved)
        return resolved.error();
    return predict_as_given(network, algorithm, specification, clusters, resolved->parameters,
                            model, effort);
}

Result<AlgorithmPrediction> predict_as_given(const Network& network, const Algorithm& algorithm,
                                             const Specification& specification,
                                             const Clusters& clusters, Parameters parameters,
                                             const CostModel& model, Effort effort) {
    if (auto able = check_model(model, network, clusters, algorithm.name); !able)
        return able.error();
    set_clusters(parameters, algorithm, clusters);
    if (auto fits = accepts(algorithm, specification.collective(), specification.ranks(),
                            specification.root(), parameters);
        !fits)
        return fits.error();
    SimulationCache of_this_call;
    if (!effort.simulations)
        effort.simulations = &of_this_call;
    effort.window_share = true;
    const AlgorithmTimer timer(network, algorithm, specification, clusters, model, effort);
    auto time = timer(parameters);
    if (!time)
        return time.error();
    const double bound_s = collective_bound_s(specification, clusters, network);
    // Closed forms and extrapolations do not know all links.
    if (time->time_s.value < bound_s)
        time->time_s = not_below(time->time_s, bound_s);

    AlgorithmPrediction predicted;
    predicted.algorithm = &algorithm;
    predicted.segment_bytes = parameters.segment_bytes;
    predicted.window = parameters.window;
    predicted.inter_cluster_window = parameters.inter_cluster_window;
    predicted.method = time->method;
    predicted.timeouts_s = time->timeouts_s.value;
    predicted.timeout_sd = time->timeout_sd();
    predicted.window_share = time->window_share;
    auto& prediction = predicted.prediction;
    prediction.model = model.name;
    prediction.overflow_bytes = time->dropped_bytes;
    prediction.may_lose = time->may_lose;
    prediction.small_windows = time->small_windows;
    predicted.fullest = time->fullest;
    if (!timer.charges_losses())
        predicted.uncharged_loss_bytes = time->dropped_bytes;
    prediction.bound_s = bound_s;
    prediction.time_s = time->time_s;
    if (effort.corrected)
        correct(predicted, {network, algorithm, specification, clusters, model, parameters, *time});
    add_caveats(predicted, timer, *time, network, specification, model);
    if (effort.corrected)
        if (auto lost = lost_correction_text(network, specification.collective(), clusters, false);
            !lost.empty())
            prediction.caveats.push_back(std::move(lost));
    return predicted;
}

} // namespace alltold
