// SPDX-License-Identifier: BSD-3-Clause
// Measured calls beside each model, and the models in order.
#include "predict/fit_corrections.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "predict/algorithm_prediction.hpp"
#include "predict/choice.hpp"

namespace alltold {
namespace {

/// Calls of our algorithms, still without the model's times.
std::vector<MeasuredCall> calls_of(Collective collective, bool several_clusters,
                                   const Fitting& fitting) {
    std::vector<MeasuredCall> calls;
    for (const auto* samples : fitting.sampled(name_of(collective))) {
        const Point& point = samples->point;
        const auto choice = parse_choice(point.algorithm);
        const auto times_s = samples->series().times_s;
        if (!choice || !choice->algorithm || times_s.size() < fewest_repetitions ||
            (point.clusters.count() > 1) != several_clusters)
            continue;
        const double median_s = median(times_s);
        calls.push_back({choice->algorithm, choice->parameters, point.clusters, point.size_bytes,
                         median_s, median_standard_error(times_s) / median_s});
    }
    return calls;
}

/// The calls with the model's times; empty if it cannot time all of them.
std::vector<MeasuredCall> modelled(std::vector<MeasuredCall> calls, const Network& network,
                                   const CostModel& model) {
    for (auto& call : calls) {
        const auto predicted =
            predict_as_given(network, *call.algorithm,
                             Specification::of(call.algorithm->collective, call.clusters.ranks(), 0,
                                               call.size_bytes),
                             call.clusters, call.parameters, model, {.corrected = false});
        if (!predicted || predicted->prediction.time_s.value <= 0)
            return {};
        call.modelled_s = predicted->prediction.time_s.value;
    }
    return calls;
}

/// One model and its errors.
struct Trial {
    const CostModel* model;
    std::vector<MeasuredCall> calls;
    ResidualFit fit;
};

/// `calls` are all on one cluster, or all on several. Fails where
/// none of them can be corrected.
Result<Correction> best_of(const std::vector<MeasuredCall>& calls, const Network& network) {
    std::vector<Trial> trials;
    std::optional<Error> error;
    for (const auto* model : cost_models()) {
        if (!model->simulated)
            continue;
        auto beside = modelled(calls, network, *model);
        if (beside.empty())
            continue;
        if (const auto fit = fit_residual(ratios_of(beside)))
            trials.push_back({model, std::move(beside), *fit});
        else
            error = fit.error();
    }
    if (trials.empty())
        return error.value_or(Error{"no model can predict all of them", ExitStatus::no});
    std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
        return a.fit.left_out_score > b.fit.left_out_score;
    });
    auto& best = trials.front();
    std::vector<RejectedModel> rejected;
    for (std::size_t i = 1; i < trials.size(); ++i)
        rejected.push_back({trials[i].model, trials[i].fit.left_out});
    return Correction(calls.front().clusters.count() > 1, *best.model, std::move(best.calls),
                      best.fit, std::move(rejected));
}

} // namespace

void fit_corrections(Fitting& fitting) {
    for (const auto collective :
         {Collective::bcast, Collective::scatter, Collective::gather, Collective::alltoall})
        for (const bool several_clusters : {false, true}) {
            const auto calls = calls_of(collective, several_clusters, fitting);
            if (calls.empty())
                continue;
            if (auto found = best_of(calls, fitting.network))
                fitting.network.corrections.push_back(std::move(*found));
            else
                fitting.refuse(fmt::format("corrections of {} on {}", name_of(collective),
                                           several_clusters ? "several clusters" : "one cluster"),
                               found.error().message);
        }
}

} // namespace alltold
