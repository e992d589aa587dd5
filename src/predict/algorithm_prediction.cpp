// SPDX-License-Identifier: BSD-3-Clause
// Parameters found, time, bound and caveats.
#include "predict/algorithm_prediction.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units.hpp"
#include "predict/collective_bounds.hpp"
#include "predict/gather_windows.hpp"
#include "predict/segment_search.hpp"

namespace alltold {
namespace {

/// A simulated segment is at least this share of the message, or the search takes seconds.
constexpr std::uint64_t most_simulated_segments = 512;

Result<std::uint64_t> best_segment(const AlgorithmTimer& timer, Parameters parameters,
                                   std::uint64_t size_bytes) {
    std::optional<Error> error;
    const auto time_s = [&](std::uint64_t segment_bytes) {
        parameters.segment_bytes = segment_bytes;
        const auto time = timer(parameters);
        if (!time && !error)
            error = time.error();
        return time ? time->time_s.value : 0.0;
    };
    parameters.segment_bytes = std::max<std::uint64_t>(size_bytes / 2, 1);
    const auto least = timer.needs_play(parameters) ? size_bytes / most_simulated_segments : 0;
    const auto found = search_segment(size_bytes, time_s, std::max<std::uint64_t>(least, 1));
    if (error)
        return *error;
    return found.segment_bytes;
}

/// The best of m, m/2, ... while a segment is at least this share of the message.
Result<std::uint64_t> best_half(const AlgorithmTimer& timer, Parameters parameters,
                                std::uint64_t size_bytes) {
    constexpr std::uint64_t most_segments = 128;
    constexpr std::uint64_t least_bytes = 1024;
    std::uint64_t best = size_bytes;
    double best_s = -1;
    for (auto segment = size_bytes;
         segment == size_bytes || segment >= std::max(least_bytes, size_bytes / most_segments);
         segment /= 2) {
        parameters.segment_bytes = segment;
        const auto time = timer(parameters);
        if (!time)
            return time.error();
        if (best_s < 0 || time->time_s.value < best_s) {
            best = segment;
            best_s = time->time_s.value;
        }
        if (segment == 1)
            break;
    }
    return best;
}

void add_caveats(AlgorithmPrediction& predicted, const AlgorithmTimer& timer,
                 const AlgorithmTime& time, const FittedNetwork& network,
                 const Specification& specification, AlgorithmModel model) {
    auto& caveats = predicted.prediction.caveats;
    if (model == AlgorithmModel::hockney)
        caveats.emplace_back("pLogP from alpha and beta: L = 0, g(m) = alpha + m beta");
    if (model == AlgorithmModel::smt)
        caveats.emplace_back("SMT equation 7 does not count what the local phase collects for the "
                             "other cluster");
    if (time.dropped_bytes > 0)
        caveats.push_back(fmt::format("{} overflows buffers by {}; of what losing that costs, "
                                      "time-outs are in its time",
                                      predicted.algorithm->name, format_size(time.dropped_bytes)));
    const auto message_bytes =
        predicted.segment_bytes > 0 ? predicted.segment_bytes : specification.size_bytes();
    if (const double known = timer.largest_known_bytes();
        known > 0 && static_cast<double>(message_bytes) > known)
        caveats.push_back(fmt::format("messages of {} are beyond the {} that was measured",
                                      format_size(static_cast<double>(message_bytes)),
                                      format_size(known)));
    if (!network.assumed.empty())
        caveats.push_back("assumed: " + network.assumed);
}

/// Where segments are to be found quickly and `timer` would have to simulate each, `forms` finds
/// them if that needs no simulation. The parameters of the call: those given, and those that are to
/// be found. Fails as predict_algorithm does.
Result<Parameters> complete(Parameters parameters, const FittedNetwork& network,
                            const Algorithm& algorithm, const Specification& specification,
                            const Clusters& clusters, const AlgorithmTimer& timer,
                            const AlgorithmTimer& forms, bool quick) {
    const auto size_bytes = specification.size_bytes();
    if (algorithm.clusters != Algorithm::Use::no && clusters.count() > 1)
        parameters.clusters = clusters;
    const bool search = algorithm.segment == Algorithm::Use::must && parameters.segment_bytes == 0;
    if (search)
        parameters.segment_bytes = std::max<std::uint64_t>(size_bytes, 1);
    if (auto fits = accepts(algorithm, specification.collective(), specification.ranks(),
                            specification.root(), parameters);
        !fits)
        return fits.error();
    if (search && size_bytes > 0) {
        auto two = parameters;
        two.segment_bytes = std::max<std::uint64_t>(size_bytes / 2, 1);
        const auto segment_bytes =
            !quick || !timer.needs_play(two) ? best_segment(timer, parameters, size_bytes)
            : !forms.needs_play(two)         ? best_segment(forms, parameters, size_bytes)
                                             : best_half(timer, parameters, size_bytes);
        if (!segment_bytes)
            return segment_bytes.error();
        parameters.segment_bytes = *segment_bytes;
        if (*segment_bytes < size_bytes)
            parameters.segment_bytes = std::min(in_whole_packets(*segment_bytes), size_bytes);
    }
    if (algorithm.collective == Collective::gather) {
        const auto windows = gather_windows(network, algorithm, clusters, size_bytes);
        if (parameters.window == 0)
            parameters.window = windows.window;
        if (parameters.wide_window == 0)
            parameters.wide_window = windows.wide_window;
    }
    return parameters;
}

/// Shifts and widens the model's time by what was measured of the collective.
void correct(AlgorithmPrediction& predicted, const FittedNetwork& network,
             const Specification& specification, const Clusters& clusters,
             const Parameters& parameters, AlgorithmModel model) {
    const auto* correction = correction_of(network, specification.collective(), clusters);
    auto& prediction = predicted.prediction;
    if (!correction || correction->model() != model || prediction.time_s <= 0)
        return;
    const auto corrected =
        correction->time_s(traits_of(*predicted.algorithm, parameters, specification.ranks(),
                                     specification.size_bytes(), prediction.time_s));
    prediction.time_s = corrected.value;
    prediction.low_s = corrected.low;
    prediction.high_s = corrected.high;
    predicted.method += fmt::format("; corrected by {} measurements", correction->calls().size());
}

} // namespace

Result<AlgorithmPrediction> predict_algorithm(const FittedNetwork& network,
                                              const Algorithm& algorithm,
                                              const Specification& specification,
                                              const Clusters& clusters, Parameters parameters,
                                              AlgorithmModel model, Effort effort) {
    if (auto able = check_model(model, network, clusters, algorithm.name); !able)
        return able.error();
    const AlgorithmTimer timer(network, algorithm, specification, clusters, model, effort);
    const AlgorithmTimer forms(
        network, algorithm, specification, clusters,
        effort.estimate && check_model(AlgorithmModel::plogp, network, clusters, algorithm.name)
            ? AlgorithmModel::plogp
            : model,
        effort);
    const auto all = complete(std::move(parameters), network, algorithm, specification, clusters,
                              timer, forms, effort.estimate);
    if (!all)
        return all.error();
    const auto time = timer(*all);
    if (!time)
        return time.error();

    AlgorithmPrediction predicted;
    predicted.algorithm = &algorithm;
    predicted.segment_bytes = all->segment_bytes;
    predicted.window = all->window;
    predicted.wide_window = all->wide_window;
    predicted.method = time->method;
    auto& prediction = predicted.prediction;
    prediction.model = name_of(model);
    prediction.time_s = time->time_s.value;
    prediction.low_s = time->time_s.low;
    prediction.high_s = time->time_s.high;
    if (const auto goodput = port_goodput(network))
        prediction.bound_s = prediction.nic_bound_s =
            collective_bound_s(specification, clusters, *goodput, backbone_of(network));
    correct(predicted, network, specification, clusters, *all, model);
    add_caveats(predicted, timer, *time, network, specification, model);
    return predicted;
}

} // namespace alltold
