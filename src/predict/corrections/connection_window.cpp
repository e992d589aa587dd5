// SPDX-License-Identifier: BSD-3-Clause
// A grid of windows, and the likelihood of the measured calls under each.
#include "predict/corrections/connection_window.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "network/corrections/correction.hpp"
#include "network/cost_model.hpp"
#include "network/links/slow_start.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

/// The usual error of the link model, relative. Lost packets make it a Cauchy distribution's.
constexpr double usual_error = 0.1;
/// In log likelihood.
constexpr double clearly_better = 2;

/// Windows a factor of sqrt(2) apart from four packets on, unlimited first: losses leave
/// connections less than the initial window.
std::vector<double> windows_to_try(const LinkNetwork& links) {
    std::vector<double> windows{0};
    const double round_trip_bytes = links.port.goodput_bytes_per_s * round_trip_s(links);
    for (double window = links.initial_window_bytes / std::pow(2, 1.5); window < round_trip_bytes;
         window *= std::sqrt(2))
        windows.push_back(window);
    return windows;
}

/// What the links say of calls, by our own schedules or those nearest to the library's.
std::optional<Baseline> on_links(const CorrectedCalls& of, const Network& network,
                                 const Clusters& clusters) {
    const auto links = algorithm_model("links");
    for (const auto& baseline : baselines_of(of, network, clusters))
        if (links && baseline.model == *links && !baseline.resembles)
            return baseline;
    return std::nullopt;
}

/// The links know no handshakes: by rendezvous a call may take a round trip longer.
double log_error(const Network& network, const MeasuredCall& call, double modelled_s) {
    const double handshake_s =
        by_rendezvous(network, call.parameters, call.size_bytes) ? round_trip_s(*network.links) : 0;
    return std::log(call.measured_s /
                    std::clamp(call.measured_s, modelled_s, modelled_s + handshake_s));
}

double log_likelihood(const Network& network, const std::vector<CallsToCorrect>& measured) {
    SimulationCache simulations;
    double sum = 0;
    for (const auto& [of, calls] : measured) {
        if (!of.several_clusters || of.probe.start_mode)
            continue;
        const auto baseline = on_links(of, network, calls.front().clusters);
        if (!baseline)
            continue;
        for (const auto& call : calls) {
            const auto modelled =
                modelled_time(network, *baseline, of.probe.collective, call.algorithm,
                              call.parameters, call.clusters, call.size_bytes, simulations);
            if (modelled.time_s.value > 0)
                sum -= std::log1p(
                    std::pow(log_error(network, call, modelled.time_s.value) / usual_error, 2));
        }
    }
    return sum;
}

} // namespace

double fit_window_bytes(const Network& network, const std::vector<CallsToCorrect>& measured) {
    if (!network.links || !network.links->backbone || network.links->initial_window_bytes <= 0 ||
        std::ranges::none_of(measured, [](const auto& calls) { return calls.of.several_clusters; }))
        return 0;
    const auto windows = windows_to_try(*network.links);
    const auto likelihoods = in_parallel(windows.size(), [&](std::size_t i) {
        auto with_window = network;
        with_window.links->window_bytes = windows[i];
        with_window.links->past_slow_start = true;
        return log_likelihood(with_window, measured);
    });
    const auto best = std::ranges::max_element(likelihoods);
    return *best > likelihoods.front() + clearly_better
               ? windows[static_cast<std::size_t>(best - likelihoods.begin())]
               : 0;
}

} // namespace alltold
