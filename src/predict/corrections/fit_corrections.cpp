// SPDX-License-Identifier: BSD-3-Clause
#include "predict/corrections/fit_corrections.hpp"

#include <iterator>
#include <set>

#include "core/parallel.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/predict_algorithm.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

// Without this scatter, these time-outs and the likelihoods below calls lose 4.9 % instead of 2.1
// %, and a gather takes 5.4 times as long as by the library's own (docs/results/regret.md,
// "Ablation").

/// A call that takes so much of a time-out longer took one, and repetitions below this share of
/// their median are no scatter: others take a time-out.
constexpr double most_of_it = 0.8;

/// Standard error of the median of one time, relative: the median over calls of three times or
/// more.
double scatter_of(const std::vector<RepeatedCall>& calls) {
    std::vector<double> errors;
    for (const auto& call : calls)
        if (const auto& times_s = call.times_s; times_s.size() >= fewest_repetitions)
            errors.push_back(median_standard_error(times_s) / median(times_s) *
                             std::sqrt(static_cast<double>(times_s.size())));
    return errors.empty() ? usual_scatter : median(errors);
}

std::vector<RepeatedCall> calls_of(const CorrectedCalls& of, const Fitting& fitting) {
    std::vector<RepeatedCall> calls;
    for (const auto* samples : fitting.sampled(of.probe.text())) {
        const Point& point = samples->point;
        const auto choice = parse_choice(point.algorithm);
        auto times_s = samples->series().times_s;
        if (choice && choice->library.empty() && !times_s.empty() && median(times_s) > 0 &&
            CorrectedCalls::on(point.clusters, of.probe, choice->is_default()) == of)
            calls.push_back({choice->algorithm, choice->parameters, point.clusters,
                             point.size_bytes, std::move(times_s)});
    }
    return calls;
}

/// Of the measured calls of a probe.
std::set<int> ranks_per_host(const CollectiveProbe& probe, const Fitting& fitting) {
    std::set<int> numbers;
    for (const auto* samples : fitting.sampled(probe.text()))
        numbers.insert(samples->point.clusters.most_ranks_of_a_host());
    return numbers;
}

/// The calls with their modelled times; empty if the baseline cannot time all of them.
std::vector<MeasuredCall> modelled(std::vector<MeasuredCall> calls, const Network& network,
                                   Collective collective, const Baseline& baseline,
                                   SimulationCache& simulations) {
    for (auto& call : calls) {
        call.modelled = modelled_time(network, baseline, collective, call.algorithm,
                                      call.parameters, call.clusters, call.size_bytes, simulations);
        if (call.modelled.time_s.value <= 0)
            return {};
    }
    return calls;
}

/// The calls that took most of a time-out longer than modelled.
std::vector<std::size_t> timed_out(const std::vector<MeasuredCall>& calls, const Network& network) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; network.links && i < calls.size(); ++i)
        if (calls[i].measured_s - calls[i].modelled.time_s.value >=
            most_of_it * network.links->timeout_s)
            found.push_back(i);
    return found;
}

/// One baseline and its errors.
struct Trial {
    Baseline baseline;
    std::vector<MeasuredCall> calls;
    ResidualFit fit;
};

bool knows_packets(const Baseline& baseline, const Network& network) {
    return baseline.model && baseline.model->name == "links" && network.links &&
           network.links->mss_bytes > 0;
}

/// Log density of what was left out. What the library runs by default, where that is known, is far
/// likelier beforehand than that it always resembles one algorithm, and so are links that know
/// packets than another model: between what was measured they are right about short messages.
double evidence_of(const Trial& trial, const Network& network) {
    const double far_likelier = std::log(1000);
    return (trial.baseline.by_defaults ? far_likelier : 0) +
           (knows_packets(trial.baseline, network) ? far_likelier : 0) +
           static_cast<double>(trial.calls.size()) * trial.fit.left_out_score;
}

} // namespace

double timeout_of(const Network& network) {
    return network.links ? network.links->timeout_s : LinkNetwork().timeout_s;
}

std::vector<CallsToCorrect> calls_to_correct(const Fitting& fitting) {
    std::vector<CollectiveProbe> probes;
    for (const auto collective : uniform_collectives)
        probes.push_back({collective});
    for (const auto start_mode : {StartMode::silence, StartMode::barrier})
        probes.push_back({Collective::alltoall, start_mode});
    std::vector<CallsToCorrect> measured;
    for (const auto& probe : probes)
        for (const int ranks : ranks_per_host(probe, fitting))
            for (const bool of_library : {false, true})
                for (const bool several_clusters : {false, true}) {
                    const CorrectedCalls of{probe, of_library, several_clusters, ranks};
                    if (auto calls = medians_of(calls_of(of, fitting), timeout_of(fitting.network));
                        !calls.empty())
                        measured.push_back({of, std::move(calls)});
                }
    return measured;
}

std::vector<MeasuredCall> medians_of(const std::vector<RepeatedCall>& calls, double timeout_s) {
    const double scatter = scatter_of(calls);
    std::vector<MeasuredCall> medians;
    for (const auto& [algorithm, parameters, clusters, size_bytes, times_s] : calls) {
        const double median_s = median(times_s);
        const double error = std::max(median_standard_error(times_s) / median_s,
                                      scatter / std::sqrt(static_cast<double>(times_s.size())));
        const double quartile_s = quantile(times_s, 0.25);
        const double timed_out_s = *std::ranges::min_element(times_s) + most_of_it * timeout_s;
        medians.push_back(
            {.algorithm = algorithm,
             .parameters = parameters,
             .clusters = clusters,
             .size_bytes = size_bytes,
             .measured_s = median_s,
             .relative_error = error,
             .repetitions = static_cast<int>(times_s.size()),
             .timed_out = static_cast<int>(std::ranges::count_if(
                 times_s, [&](double time_s) { return time_s >= timed_out_s; })),
             .lower_quartile_s = quartile_s < most_of_it * median_s ? quartile_s : 0});
    }
    return medians;
}

std::vector<Baseline> baselines_of(const CorrectedCalls& of, const Network& network,
                                   const Clusters& clusters) {
    if (of.of_library)
        return library_baselines(network, of.probe.collective, clusters);
    std::vector<Baseline> baselines;
    for (const auto* model : cost_models())
        if (model->simulated && model->lacks(network).empty())
            baselines.push_back({model});
    // A model without queues may time what was measured as well, but never says what overflows.
    const auto knows = [&](const Baseline& one) {
        return knows_queue(*one.model, network) && check_model(*one.model, network, clusters, "");
    };
    if (may_overflow(of.probe.collective) && std::ranges::any_of(baselines, knows))
        std::erase_if(baselines, std::not_fn(knows));
    return baselines;
}

ModelTime modelled_time(const Network& network, const Baseline& baseline, Collective collective,
                        const Algorithm* algorithm, const Parameters& parameters,
                        const Clusters& clusters, std::uint64_t size_bytes,
                        SimulationCache& simulations) {
    if (!algorithm) {
        const auto known =
            baseline_time(network, baseline, collective, clusters, size_bytes, &simulations);
        return known ? *known : ModelTime{};
    }
    const auto predicted = predict_as_given(
        network, *algorithm, Specification::of(collective, clusters.ranks(), 0, size_bytes),
        clusters, parameters, *baseline.model,
        {.estimate = true, .value_only = true, .simulations = &simulations, .corrected = false});
    if (!predicted)
        return {};
    auto time = predicted->modelled;
    time.rendezvous = by_rendezvous(network, parameters, size_bytes);
    return time;
}

Result<Correction> fit_correction(const CorrectedCalls& of, const std::vector<MeasuredCall>& calls,
                                  const Network& network, const std::vector<Baseline>& baselines,
                                  SimulationCache& simulations) {
    if (calls.empty())
        return refused("no call was measured");
    std::vector<Trial> trials;
    for (const auto& baseline : baselines) {
        auto beside = modelled(calls, network, of.probe.collective, baseline, simulations);
        if (beside.empty())
            continue;
        const auto fit = fit_residual(ratios_of(beside), timed_out(beside, network));
        if (!fit)
            continue;
        for (std::size_t i = 0; i < beside.size(); ++i)
            beside[i].outlier = fit->outliers[i];
        trials.push_back({baseline, std::move(beside), *fit});
    }
    if (trials.empty())
        return refused("no model can predict all of them");
    std::ranges::stable_sort(trials, [&](const Trial& a, const Trial& b) {
        return evidence_of(a, network) > evidence_of(b, network);
    });
    auto& best = trials.front();
    std::vector<RejectedBaseline> rejected;
    for (std::size_t i = 1; i < trials.size(); ++i)
        rejected.push_back({trials[i].baseline, trials[i].fit.left_out});
    return Correction(of, best.baseline, std::move(best.calls), best.fit, std::move(rejected));
}

void fit_corrections(Fitting& fitting, SimulationCache& simulations) {
    const auto measured = calls_to_correct(fitting);
    // Those of one collective in turn: the library's baselines are models that ours prefer.
    std::vector<std::vector<CallsToCorrect>> by_collective;
    for (const auto& one : measured) {
        const auto same = std::ranges::find_if(by_collective, [&](const auto& others) {
            return others.front().of.probe.collective == one.of.probe.collective;
        });
        (same == by_collective.end() ? by_collective.emplace_back() : *same).push_back(one);
    }
    const auto fits = in_parallel(by_collective.size(), [&](std::size_t i) {
        auto known = fitting.network;
        std::vector<Result<Correction>> fitted;
        for (const auto& [of, calls] : by_collective[i]) {
            auto network = known;
            if (of.probe.start_mode == StartMode::barrier && network.half_duplex)
                network.half_duplex->applies = true;
            fitted.push_back(fit_correction(of, calls, network,
                                            baselines_of(of, network, calls.front().clusters),
                                            simulations));
            if (fitted.back())
                known.corrections.push_back(*fitted.back());
        }
        return fitted;
    });
    for (std::size_t i = 0; i < fits.size(); ++i)
        for (std::size_t j = 0; j < fits[i].size(); ++j)
            if (const auto& fit = fits[i][j])
                fitting.network.corrections.push_back(*fit);
            else
                fitting.refuse("corrections of " + by_collective[i][j].of.text(),
                               fit.error().message);
    std::vector<double> distances;
    for (const auto& correction : fitting.network.corrections)
        std::ranges::copy(correction.fit().distances, std::back_inserter(distances));
    const double reach = reach_of(distances);
    for (auto& correction : fitting.network.corrections)
        correction = correction.reaching(reach);
    share_errors(fitting.network.corrections, [](std::vector<MeasuredRatio> ratios) {
        return fit_residual(std::move(ratios))->kernel;
    });
}

} // namespace alltold
