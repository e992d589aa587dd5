// SPDX-License-Identifier: BSD-3-Clause
#include "predict/predict_algorithm.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/bounds/plausibility.hpp"
#include "predict/corrections/corrected_time.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

/// Whether the correction has learned what losses of this algorithm cost.
bool loss_measured(const CallTime& call) {
    return call.correction && std::ranges::any_of(call.correction->calls(), [&](const auto& one) {
               return one.modelled.may_lose && one.algorithm == call.choice.algorithm;
           });
}

void add_caveats(CallTime& call, const AlgorithmTimer& timer, const Network& network,
                 const Specification& specification, const Clusters& clusters,
                 const CostModel& model) {
    auto& caveats = call.caveats;
    const auto* algorithm = call.choice.algorithm;
    if (!model.algorithm_caveat.empty())
        caveats.emplace_back(model.algorithm_caveat);
    if (call.modelled.overflow_bytes > 0)
        caveats.push_back(fmt::format(
            "{} overflows buffers by {}; {}", algorithm->name,
            format_size(call.modelled.overflow_bytes),
            loss_measured(call) ? "its time includes what losses cost in measured calls"
            : call.charges_losses
                ? "its time includes likely time-outs but no other cost of the loss"
                : "its time excludes the loss, because the cost of a time-out here is unknown"));
    const auto segment_bytes = call.choice.parameters.segment_bytes;
    const auto message_bytes = segment_bytes > 0 ? segment_bytes : specification.size_bytes();
    if (const double known = timer.largest_known_bytes();
        known > 0 && static_cast<double>(message_bytes) > known)
        caveats.push_back(fmt::format("messages of {} exceed the largest measured size of {}",
                                      format_size(static_cast<double>(message_bytes)),
                                      format_size(known)));
    // From fewer segments a time is nearly as good as simulated.
    if (call.modelled.known == Known::fewer_hosts)
        caveats.push_back(
            fmt::format("{} is {}, because simulating all of its messages takes too long{}",
                        algorithm->name, call.modelled.method,
                        call.correction ? fmt::format("; then corrected by {} measurements",
                                                      call.correction->calls().size())
                                        : ""));
    if (!clusters.one_rank_per_host() && network.links && network.links->memory &&
        network.links->memory->assumed)
        caveats.push_back(std::string(memory_unknown) + ", so theirs are assumed");
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

/// Shifts and widens the model's time by the correction from measurements of the collective; where
/// there is none, widens its interval, if it has one.
void correct(CallTime& call, const TimedCall& timed) {
    if (call.time_s.value <= 0)
        return;
    call.traits = traits_of(timed);
    call.correction = correction_of(timed);
    if (call.correction) {
        call.time_s = not_below(call.correction->time_s(call.traits), call.certain_bound_s());
        call.method +=
            fmt::format("; corrected by {} measurements", call.correction->calls().size());
    } else if (call.time_s.low < call.time_s.high) {
        call.time_s = not_below(widened(call.time_s, call.traits), call.certain_bound_s());
    }
}

} // namespace

Result<CallTime> predict_algorithm(const Network& network, const Algorithm& algorithm,
                                   const Specification& specification, const Clusters& clusters,
                                   Parameters parameters, const CostModel& model, Effort effort) {
    ALLTOLD_TRY_DONE(check_model(model, network, clusters, algorithm.name));
    SimulationCache of_this_call;
    if (!effort.simulations)
        effort.simulations = &of_this_call;
    ALLTOLD_TRY(resolved, resolve({specification.collective(), clusters, specification.size_bytes(),
                                   specification.root()},
                                  &network,
                                  {.choice = Choice{&algorithm, std::move(parameters)},
                                   .model = &model,
                                   .corrected = effort.corrected,
                                   .simulations = effort.simulations}));
    return predict_as_given(network, algorithm, specification, clusters, resolved->parameters,
                            model, effort);
}

Result<CallTime> predict_as_given(const Network& network, const Algorithm& algorithm,
                                  const Specification& specification, const Clusters& clusters,
                                  Parameters parameters, const CostModel& model, Effort effort) {
    ALLTOLD_TRY_DONE(check_model(model, network, clusters, algorithm.name));
    set_clusters(parameters, algorithm, clusters);
    ALLTOLD_TRY_DONE(accepts(algorithm, specification.collective(), specification.ranks(),
                             specification.root(), parameters));
    SimulationCache of_this_call;
    if (!effort.simulations)
        effort.simulations = &of_this_call;
    effort.window_share = true;
    const AlgorithmTimer timer(network, algorithm, specification, clusters, model, effort);
    ALLTOLD_TRY(time, timer(parameters));
    CallTime call;
    set_bound(call, specification, clusters, network);
    // Closed forms and extrapolations do not know all links.
    if (time->time_s.value < call.certain_bound_s())
        time->time_s = not_below(time->time_s, call.certain_bound_s());
    parameters.clusters.reset();
    call.choice = {&algorithm, std::move(parameters)};
    call.time_s = time->time_s;
    call.model = model.name;
    call.method = time->method;
    call.charges_losses = timer.charges_losses();
    if (effort.corrected)
        correct(call, {network, algorithm, specification, clusters, model, call.choice.parameters,
                       *time});
    call.modelled = std::move(*time);
    add_caveats(call, timer, network, specification, clusters, model);
    if (effort.corrected)
        if (auto lost = lost_correction_text(network, specification.collective(), clusters, false);
            !lost.empty())
            call.caveats.push_back(std::move(lost));
    return call;
}

} // namespace alltold
