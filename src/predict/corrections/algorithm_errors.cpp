// SPDX-License-Identifier: BSD-3-Clause
#include "predict/corrections/algorithm_errors.hpp"

#include <tuple>

#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

/// The measured calls of one algorithm that are compared with the same models.
struct CallsOfAlgorithm {
    const Algorithm* algorithm;
    bool several_clusters;
    std::vector<MeasuredCall> calls;
};

/// Calls with several ranks per host are apart: most models do not know them.
std::vector<CallsOfAlgorithm> by_algorithm(const std::vector<CallsToCorrect>& measured) {
    std::map<std::tuple<Collective, std::string_view, bool, bool>, CallsOfAlgorithm> found;
    for (const auto& [of, calls] : measured) {
        if (of.of_library || of.probe.start_mode)
            continue;
        for (const auto& call : calls)
            found
                .try_emplace({of.probe.collective, call.algorithm->name, of.several_clusters,
                              of.ranks_per_host > 1},
                             CallsOfAlgorithm{call.algorithm, of.several_clusters, {}})
                .first->second.calls.push_back(call);
    }
    std::vector<CallsOfAlgorithm> algorithms;
    for (auto& [key, calls] : found)
        algorithms.push_back(std::move(calls));
    return algorithms;
}

bool can_time(const CostModel& model, const Network& network, const MeasuredCall& call) {
    return static_cast<bool>(check_model(model, network, call.clusters, call.algorithm->name));
}

std::vector<const CostModel*> models_of(const CallsOfAlgorithm& measured, const Network& network) {
    std::vector<const CostModel*> models;
    for (const auto* model : cost_models())
        if (model->times_algorithms() &&
            std::ranges::all_of(measured.calls, [&](const MeasuredCall& call) {
                return can_time(*model, network, call);
            }))
            models.push_back(model);
    return models;
}

/// |predicted / measured - 1| of each call; nothing if the model cannot time all of them.
std::vector<double> errors_of(const CostModel& model, const CallsOfAlgorithm& measured,
                              const Network& network, SimulationCache& simulations) {
    std::vector<double> errors;
    for (const auto& call : measured.calls) {
        const auto modelled =
            modelled_time(network, {&model}, call.algorithm->collective, call.algorithm,
                          call.parameters, call.clusters, call.size_bytes, simulations);
        if (modelled.time_s.value <= 0)
            return {};
        errors.push_back(std::abs(modelled.time_s.value / call.measured_s - 1));
    }
    return errors;
}

AlgorithmErrors errors_beside(const CallsOfAlgorithm& measured,
                              const std::vector<const CostModel*>& models, const Network& network,
                              SimulationCache& simulations) {
    std::vector<ModelError> compared;
    std::vector<std::vector<double>> errors;
    for (const auto* model : models)
        if (auto some = errors_of(*model, measured, network, simulations); !some.empty()) {
            compared.push_back({std::string(model->name)});
            errors.push_back(std::move(some));
        }
    return {std::string(measured.algorithm->name), measured.several_clusters,
            static_cast<int>(measured.calls.size()), with_errors(std::move(compared), errors)};
}

/// Why a model that times algorithms is beside no other one.
std::string reason_not_compared(const CostModel& model, const Network& network,
                                const std::vector<CallsOfAlgorithm>& measured) {
    if (measured.empty())
        return "no call of alltold's algorithms was measured";
    if (const auto lacking = model.lacks(network); !lacking.empty())
        return "lacks " + lacking;
    for (const auto& algorithm : measured)
        for (const auto& call : algorithm.calls)
            if (can_time(model, network, call))
                return "no algorithm was measured that it and another model can time";
    for (const auto& algorithm : measured)
        for (const auto& call : algorithm.calls)
            if (model.unfit && unfit_for_hosts(model, call.clusters).empty())
                return "measured calls are others: " +
                       model.unfit(network, call.clusters, call.algorithm->name);
    return "no call on one cluster with one rank per host was measured";
}

void note_not_compared(Fitting& fitting, const std::vector<CallsOfAlgorithm>& measured,
                       const std::vector<AlgorithmErrors>& errors) {
    const auto takes_part = [&](const CostModel& model) {
        return std::ranges::any_of(errors, [&](const AlgorithmErrors& algorithm) {
            return std::ranges::count(algorithm.models, model.name, &ModelError::name) > 0;
        });
    };
    std::vector<NotCompared> models;
    for (const auto* model : cost_models())
        if (model->times_algorithms() && !takes_part(*model))
            models.push_back({model->name, reason_not_compared(*model, fitting.network, measured)});
    if (!models.empty())
        fitting.note("models of algorithms not compared", text_of(models));
}

} // namespace

std::vector<AlgorithmErrors> errors_of_algorithms(Fitting& fitting, SimulationCache& simulations) {
    const auto& network = fitting.network;
    const auto algorithms = by_algorithm(calls_to_correct(fitting));
    std::vector<AlgorithmErrors> errors;
    for (const auto& calls : algorithms) {
        const auto models = models_of(calls, network);
        if (models.size() < 2)
            continue;
        auto one = errors_beside(calls, models, network, simulations);
        if (one.models.size() > 1)
            errors.push_back(std::move(one));
    }
    note_not_compared(fitting, algorithms, errors);
    return errors;
}

} // namespace alltold
