// SPDX-License-Identifier: BSD-3-Clause
// Searches by closed form where it is exact, else by few and small simulations.
#include "predict/parameters/parameter_search.hpp"

#include <set>

#include <fmt/format.h>

#include "predict/corrections/corrected_time.hpp"
#include "predict/parameters/segment_search.hpp"

namespace alltold {
namespace {

/// A simulated segment is at least this share of the message: shorter ones gain nothing in 22 labs
/// (docs/results/regret.md, "Ablation"), and take as many simulated messages more.
constexpr std::uint64_t most_segments = 128;

/// The cost of one algorithm as a function of the searched parameter.
class SegmentTimes {
  public:
    SegmentTimes(const SearchedCall& call, const AlgorithmTimer& timer,
                 const Parameters& parameters)
        : call_(call), timer_(timer), parameters_(parameters) {}

    double operator()(std::uint64_t segment_bytes) {
        parameters_.segment_bytes = segment_bytes;
        const auto time = timer_(parameters_);
        if (!time && !error_)
            error_ = time.error();
        return time && time->time_s.value > 0 ? cost_s(call_, parameters_, *time) : 0.0;
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
    Result<std::uint64_t> checked(const SegmentChoice& found) const {
        if (error_)
            return *error_;
        return found.segment_bytes;
    }

  private:
    const SearchedCall& call_;
    const AlgorithmTimer& timer_;
    Parameters parameters_;
    std::optional<Error> error_;
};

/// The least segment worth a search: a unit, or the message; where the model does not know what a
/// message costs a processor, what takes the port so long that start-ups hardly matter.
std::uint64_t least_segment_bytes(const SearchedCall& call, std::uint64_t unit_bytes) {
    constexpr double several_start_ups_s = 1e-4;
    double least = static_cast<double>(unit_bytes);
    if (const auto& links = call.network.links;
        call.model.name == "links" && links->start_up_s <= 0)
        least = std::max(least, several_start_ups_s * links->port.goodput_bytes_per_s);
    return whole_between<std::uint64_t>(least, 1, call.specification.size_bytes());
}

Result<std::uint64_t> best_segment(SegmentTimes times, std::uint64_t size_bytes,
                                   std::uint64_t least) {
    const auto found = search_segment(size_bytes, std::ref(times), least);
    return times.checked(found);
}

/// For short messages, of which no descent is needed: far apart two pieces may take longer than
/// either three or one.
Result<std::uint64_t> best_of_all(SegmentTimes times, std::uint64_t size_bytes,
                                  std::uint64_t least) {
    SegmentChoice best{size_bytes, times(size_bytes)};
    for (auto segment = least; segment < size_bytes; segment *= 2)
        if (const double time_s = times(segment); time_s < best.time_s)
            best = {segment, time_s};
    return times.checked(best);
}

/// Descends from the best of `forms` if there is a form, else from twice the least segment. Starts
/// at m / 2^i, so that other messages share the simulations.
Result<std::uint64_t> near_segment(SegmentTimes times, SegmentTimes forms, std::uint64_t size_bytes,
                                   std::uint64_t least, std::uint64_t unit_bytes) {
    least = std::max(least, size_bytes / most_segments);
    auto start = 2 * least;
    if (forms.by_formula(std::max<std::uint64_t>(size_bytes / 2, 1)) > 0) {
        const auto formed =
            search_segment(size_bytes, [&](auto segment) { return forms.by_formula(segment); });
        start = size_bytes >> std::lround(std::log2(static_cast<double>(size_bytes) /
                                                    static_cast<double>(formed.segment_bytes)));
    }
    start = std::clamp(start, least, size_bytes);
    return times.checked(descend_segment(size_bytes, start, std::ref(times), least, unit_bytes));
}

/// The model whose closed forms suggest a first segment size: pLogP if known.
const CostModel& model_of_forms(const SearchedCall& call) {
    const auto& plogp = **algorithm_model("plogp");
    return check_model(plogp, call.network, call.clusters, call.algorithm.name) ? plogp
                                                                                : call.model;
}

} // namespace

Effort search_effort(const SearchedCall& call) {
    return {.most_messages = call.rough ? most_rough_messages : most_estimated_messages,
            .estimate = true,
            .value_only = true,
            .simulations = &call.simulations,
            .window_share = !call.rough};
}

double cost_s(const SearchedCall& call, const Parameters& parameters, const ModelTime& time) {
    const double time_s = call.corrected
                              ? likely_s({call.network, call.algorithm, call.specification,
                                          call.clusters, call.model, parameters, time})
                              : time.time_s.value;
    return time_s * std::sqrt(time.small_windows);
}

const CostModel* search_model(const Network& network, const Algorithm& algorithm,
                              const Clusters& clusters, std::uint64_t size_bytes,
                              const CostModel* wanted) {
    if (!wanted) {
        const auto preferred =
            preferred_model(network, clusters, algorithm.name, static_cast<double>(size_bytes));
        if (!preferred)
            return nullptr;
        wanted = *preferred;
    }
    if (!check_model(*wanted, network, clusters, algorithm.name))
        return nullptr;
    return wanted;
}

Result<std::uint64_t> find_segment(const SearchedCall& call, const Parameters& parameters) {
    const auto size_bytes = call.specification.size_bytes();
    if (size_bytes == 0)
        return std::uint64_t{1};
    const auto packet_bytes = packet_payload_bytes(call.network);
    const auto unit_bytes =
        call.model.name == "links" ? segment_unit_bytes(call.network, size_bytes) : packet_bytes;
    const AlgorithmTimer timer(call.network, call.algorithm, call.specification, call.clusters,
                               call.model, search_effort(call));
    SegmentTimes times(call, timer, parameters);
    const AlgorithmTimer forms(call.network, call.algorithm, call.specification, call.clusters,
                               model_of_forms(call), search_effort(call));
    const auto least = least_segment_bytes(call, unit_bytes);
    const auto found = !times.simulated(std::max<std::uint64_t>(size_bytes / 2, 1))
                           ? best_segment(times, size_bytes, least)
                       : unit_bytes < packet_bytes
                           ? best_of_all(times, size_bytes, least)
                           : near_segment(times, SegmentTimes(call, forms, parameters), size_bytes,
                                          least, unit_bytes);
    if (!found || *found == size_bytes)
        return found;
    return std::min(in_units(*found, unit_bytes), size_bytes);
}

std::vector<int> crossover_windows(const Clusters& clusters) {
    std::set<int> smaller;
    for (int a = 0; a < clusters.count(); ++a)
        for (int b = 0; b < a; ++b)
            smaller.insert(std::min(clusters.size(a), clusters.size(b)));
    if (!smaller.empty())
        smaller.erase(std::prev(smaller.end()));
    return {smaller.begin(), smaller.end()};
}

bool takes_crossover_window(const Algorithm& algorithm) {
    return algorithm.name == "alltoall.lg_small";
}

Status check_crossover(const Algorithm& algorithm, const Clusters& clusters) {
    if (!takes_crossover_window(algorithm) || !crossover_windows(clusters).empty())
        return Done{};
    return bad_input(fmt::format("{} needs three clusters or more, two of them larger than the "
                                 "smallest, such as --clusters 2+5+5; on others it is alltoall.lg "
                                 "or a direct exchange",
                                 algorithm.name));
}

Result<int> find_crossover_window(const SearchedCall& call, Parameters parameters) {
    const AlgorithmTimer timer(call.network, call.algorithm, call.specification, call.clusters,
                               call.model, search_effort(call));
    std::optional<double> best_s;
    int best = 0;
    for (const int window : crossover_windows(call.clusters)) {
        parameters.window = window;
        ALLTOLD_TRY(time, timer(parameters));
        if (const double cost = cost_s(call, parameters, *time); !best_s || cost < *best_s) {
            best_s = cost;
            best = window;
        }
    }
    assert(best_s);
    return best;
}

} // namespace alltold
