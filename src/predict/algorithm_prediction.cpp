// SPDX-License-Identifier: BSD-3-Clause
// Parameters found, time, bound and caveats.
#include "predict/algorithm_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/collective_bounds.hpp"
#include "predict/gather_windows.hpp"
#include "predict/segment_search.hpp"
#include "predict/simulation_cache.hpp"

namespace alltold {
namespace {

/// A simulated segment is at least this share of the message, or the search takes seconds.
constexpr std::uint64_t most_simulated_segments = 512;
/// Of a search among few.
constexpr std::uint64_t most_segments = 128;

/// One algorithm's time as searches ask for it.
class SegmentTimes {
  public:
    SegmentTimes(const AlgorithmTimer& timer, const Parameters& parameters)
        : timer_(timer), parameters_(parameters) {}

    double operator()(std::uint64_t segment_bytes) {
        parameters_.segment_bytes = segment_bytes;
        const auto time = timer_(parameters_);
        if (!time && !error_)
            error_ = time.error();
        return time ? time->time_s.value : 0.0;
    }
    bool simulated(std::uint64_t segment_bytes) {
        parameters_.segment_bytes = segment_bytes;
        return timer_.simulates(parameters_);
    }
    double by_formula(std::uint64_t segment_bytes) {
        parameters_.segment_bytes = segment_bytes;
        const auto time = timer_.formula(parameters_);
        return time ? time->time_s.value : 0.0;
    }
    /// Whether no segment can make it take less than that: of shorter ones each byte costs no less,
    /// and as many longer ones no less in all.
    bool exceeds(double most_s, std::uint64_t segment_bytes) {
        parameters_.segment_bytes = segment_bytes;
        const auto time = timer_(parameters_);
        return time && std::min(time->first_segments_s,
                                time->time_s.value - time->first_segments_s) > most_s;
    }
    Result<std::uint64_t> checked(const SegmentChoice& found) const {
        if (error_)
            return *error_;
        return found.segment_bytes;
    }

  private:
    const AlgorithmTimer& timer_;
    Parameters parameters_;
    std::optional<Error> error_;
};

Result<std::uint64_t> best_segment(SegmentTimes times, std::uint64_t size_bytes) {
    const auto half = std::max<std::uint64_t>(size_bytes / 2, 1);
    const auto fewest = times.simulated(half) ? size_bytes / most_simulated_segments : 0;
    const auto least = std::min(size_bytes, std::max(fewest, packet_payload_bytes));
    const auto found = search_segment(size_bytes, std::ref(times), least);
    return times.checked(found);
}

/// Downhill from the best of `forms`, where there is a form, else from twice the least. A start
/// of m / 2^i, so that simulations are shared, where they are remembered for other messages.
Result<std::uint64_t> near_segment(SegmentTimes times, SegmentTimes forms, std::uint64_t size_bytes,
                                   double enough_s, bool shared) {
    const auto least =
        std::min(size_bytes, std::max(packet_payload_bytes, size_bytes / most_segments));
    auto start = 2 * least;
    if (forms.by_formula(std::max<std::uint64_t>(size_bytes / 2, 1)) > 0) {
        start = search_segment(size_bytes, [&](auto segment) {
                    return forms.by_formula(segment);
                }).segment_bytes;
        if (shared)
            start = size_bytes >> std::lround(std::log2(double(size_bytes) / double(start)));
    }
    start = std::clamp(start, least, size_bytes);
    if (const auto whole = std::min(in_whole_packets(start), size_bytes);
        times.exceeds(enough_s, whole))
        return whole;
    return times.checked(descend_segment(size_bytes, start, std::ref(times), least));
}

void add_caveats(AlgorithmPrediction& predicted, const AlgorithmTimer& timer,
                 const AlgorithmTime& time, const Network& network,
                 const Specification& specification, const CostModel& model) {
    auto& caveats = predicted.prediction.caveats;
    if (!model.algorithm_caveat.empty())
        caveats.emplace_back(model.algorithm_caveat);
    if (time.dropped_bytes > 0)
        caveats.push_back(fmt::format("{} overflows buffers by {}; its time includes time-outs "
                                      "but no other cost of the loss",
                                      predicted.algorithm->name, format_size(time.dropped_bytes)));
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

/// The model whose forms say about which segment size is best: pLogP's where it is known.
const CostModel& model_of_forms(const Network& network, const Clusters& clusters,
                                std::string_view algorithm, const CostModel& model) {
    const auto& plogp = **algorithm_model("plogp");
    return check_model(plogp, network, clusters, algorithm) ? plogp : model;
}

/// One call, while its parameters are looked for.
struct Call {
    const Network& network;
    const Algorithm& algorithm;
    const Specification& specification;
    const Clusters& clusters;
    const CostModel& model;
    Effort effort;
    bool shared; ///< effort.memory serves other calls too
};

Result<std::uint64_t> find_segment(const Call& call, const Parameters& parameters) {
    const auto& [network, algorithm, specification, clusters, model, effort, shared] = call;
    const auto size_bytes = specification.size_bytes();
    auto quicker = effort;
    quicker.value_only = true;
    const AlgorithmTimer timer(network, algorithm, specification, clusters, model, quicker);
    SegmentTimes times(timer, parameters);
    if (!effort.estimate || !times.simulated(std::max<std::uint64_t>(size_bytes / 2, 1)))
        return best_segment(times, size_bytes);
    const AlgorithmTimer forms(network, algorithm, specification, clusters,
                               model_of_forms(network, clusters, algorithm.name, model), quicker);
    return near_segment(times, SegmentTimes(forms, parameters), size_bytes, effort.enough_s,
                        shared);
}

/// The parameters of the call: those given, and those that are to be found. Fails as
/// predict_algorithm does.
Result<Parameters> complete(const Call& call, Parameters parameters) {
    const auto& [network, algorithm, specification, clusters, model, effort, shared] = call;
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
        const auto segment_bytes = find_segment(call, parameters);
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
        if (parameters.inter_cluster_window == 0)
            parameters.inter_cluster_window = windows.inter_cluster_window;
    }
    return parameters;
}

/// Shifts and widens the model's time by what was measured of the collective.
void correct(AlgorithmPrediction& predicted, const Network& network,
             const Specification& specification, const Clusters& clusters,
             const Parameters& parameters, const CostModel& model) {
    const auto* correction = correction_of(network, specification.collective(), clusters);
    auto& prediction = predicted.prediction;
    if (!correction || &correction->model() != &model || prediction.time_s.value <= 0)
        return;
    const auto corrected =
        correction->time_s(traits_of(*predicted.algorithm, parameters, specification.ranks(),
                                     specification.size_bytes(), prediction.time_s.value));
    prediction.time_s = corrected;
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
    const bool shared = effort.memory;
    if (!shared)
        effort.memory = &of_this_call;
    const AlgorithmTimer timer(network, algorithm, specification, clusters, model, effort);
    const auto all = complete({network, algorithm, specification, clusters, model, effort, shared},
                              std::move(parameters));
    if (!all)
        return all.error();
    const auto time = timer(*all);
    if (!time)
        return time.error();

    AlgorithmPrediction predicted;
    predicted.algorithm = &algorithm;
    predicted.segment_bytes = all->segment_bytes;
    predicted.window = all->window;
    predicted.inter_cluster_window = all->inter_cluster_window;
    predicted.method = time->method;
    auto& prediction = predicted.prediction;
    prediction.model = model.name;
    prediction.time_s = time->time_s;
    if (const auto goodput = port_goodput(network))
        prediction.bound_s = prediction.nic_bound_s =
            collective_bound_s(specification, clusters, *goodput, backbone_of(network));
    if (effort.corrected)
        correct(predicted, network, specification, clusters, *all, model);
    add_caveats(predicted, timer, *time, network, specification, model);
    return predicted;
}

} // namespace alltold
