// SPDX-License-Identifier: BSD-3-Clause
// Searches by closed form where it is exact, else by few and small simulations.
#include "predict/parameter_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/limits.hpp"
#include "core/whole.hpp"
#include "predict/algorithm_timer.hpp"
#include "predict/corrected_time.hpp"
#include "predict/paced_parameters.hpp"
#include "predict/resolve.hpp"
#include "predict/segment_search.hpp"
#include "predict/simulation_cache.hpp"

namespace alltold {
namespace {

/// A simulated segment is at least this share of the message.
constexpr std::uint64_t most_segments = 128;

/// Bounds the time of a search: calls of more messages are estimated.
Effort search_effort(const SearchedCall& call) {
    return {.most_messages = most_estimated_messages,
            .estimate = true,
            .value_only = true,
            .simulations = &call.simulations,
            .window_share = true};
}

/// What a search makes least: the geometric mean of the times on
/// connections with large and with small windows, since a program's calls come on both. Small
/// windows hold few packets, so that short segments wait more often.
double cost_s(const SearchedCall& call, const Parameters& parameters, const AlgorithmTime& time) {
    const double time_s = call.corrected
                              ? likely_s({call.network, call.algorithm, call.specification,
                                          call.clusters, call.model, parameters, time})
                              : time.time_s.value;
    return time_s * std::sqrt(time.small_windows);
}

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

/// The least segment worth a search: half a packet, or the message; where the model does not know
/// what a message costs a processor, what takes the port so long that start-ups hardly matter.
std::uint64_t least_segment_bytes(const SearchedCall& call, std::uint64_t payload_bytes) {
    constexpr double several_start_ups_s = 1e-4;
    double least = static_cast<double>(payload_bytes / 2);
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

/// Descends from the best of `forms` if there is a form, else from twice the least segment. Starts
/// at m / 2^i, so that other messages share the simulations.
Result<std::uint64_t> near_segment(SegmentTimes times, SegmentTimes forms, std::uint64_t size_bytes,
                                   std::uint64_t least, std::uint64_t payload_bytes) {
    least = std::max(least, size_bytes / most_segments);
    auto start = 2 * least;
    if (forms.by_formula(std::max<std::uint64_t>(size_bytes / 2, 1)) > 0) {
        const auto formed =
            search_segment(size_bytes, [&](auto segment) { return forms.by_formula(segment); });
        start = size_bytes >> std::lround(std::log2(static_cast<double>(size_bytes) /
                                                    static_cast<double>(formed.segment_bytes)));
    }
    start = std::clamp(start, least, size_bytes);
    return times.checked(descend_segment(size_bytes, start, std::ref(times), least, payload_bytes));
}

/// The model whose closed forms suggest a first segment size: pLogP if known.
const CostModel& model_of_forms(const SearchedCall& call) {
    const auto& plogp = **algorithm_model("plogp");
    return check_model(plogp, call.network, call.clusters, call.algorithm.name) ? plogp
                                                                                : call.model;
}

/// As many bytes in flight, in segments of another length; but within clusters no more than keep a
/// port busy, since what waits there holds up what crosses.
Parameters in_segments(Parameters parameters, std::uint64_t segment_bytes, const Link& port) {
    constexpr int beside_those = 4; // tighter windows wait for ranks that are late
    const auto segment = static_cast<double>(segment_bytes);
    const double more = static_cast<double>(parameters.segment_bytes) / segment;
    for (auto* window : {&parameters.window, &parameters.inter_cluster_window})
        *window = whole_between(std::round(more * *window), 1, most_window);
    const double round_trip_bytes = 2 * port.latency_s * port.goodput_bytes_per_s;
    parameters.window = std::min(
        parameters.window,
        whole_between(std::round(round_trip_bytes / segment), 0, most_window) + beside_those);
    parameters.segment_bytes = segment_bytes;
    return parameters;
}

/// Of one simulation only: what small windows and ranks that start apart add is not in its times.
Effort first_effort(const SearchedCall& call) {
    auto effort = search_effort(call);
    effort.window_share = false;
    effort.starts_apart = false;
    return effort;
}

/// Settings of a paced exchange that were tried, and the cheapest of them.
class PaceSearch {
  public:
    explicit PaceSearch(const SearchedCall& call)
        : call_(call), at_first_(call.network, call.algorithm, call.specification, call.clusters,
                                 call.model, first_effort(call)),
          whole_(call.network, call.algorithm, call.specification, call.clusters, call.model,
                 search_effort(call)) {}

    /// The cost by one simulation.
    double try_out(const Parameters& parameters) {
        for (const auto& tried : trials_)
            if (same(tried.parameters, parameters))
                return tried.at_first_s;
        return trials_.emplace_back(parameters, tried_s(at_first_, parameters)).at_first_s;
    }
    /// Halves what is in flight between clusters until nothing is lost; then, unless that is
    /// hopeless, changes one window after the other as long as that helps. Not the first trial.
    void descend(Parameters from) {
        const double cheapest_s = std::ranges::min(trials_, {}, &Trial::at_first_s).at_first_s;
        double least_s = try_out(from);
        while (!std::isfinite(least_s) && from.inter_cluster_window > 1) {
            from.inter_cluster_window /= 2;
            least_s = try_out(from);
        }
        if (least_s > hopeless * cheapest_s)
            return;
        while (std::isfinite(least_s) && improve(from, least_s)) {
        }
    }
    /// The first that costs the least or hardly more; empty where all overflow. Only those that may
    /// be are simulated wholly, since the whole cost exceeds that of the first simulation.
    std::optional<Parameters> best() {
        double least_s = INFINITY;
        while (auto* const trial = next_below(least_s / worth)) {
            auto parameters = trial->parameters;
            trial->whole_s = tried_s(whole_, parameters);
            least_s = std::min(least_s, *trial->whole_s);
            if (std::isfinite(*trial->whole_s) || parameters.inter_cluster_window <= 1)
                continue;
            parameters.inter_cluster_window /= 2;
            try_out(parameters);
        }
        for (const auto& trial : trials_)
            if (trial.whole_s && worth * *trial.whole_s < least_s)
                return trial.parameters;
        return std::nullopt;
    }

  private:
    struct Trial {
        Parameters parameters;
        double at_first_s;
        std::optional<double> whole_s = {};
    };
    /// Less is no reason for shorter segments or more in flight.
    static constexpr double worth = 0.96;
    /// What costs that much more at first hardly becomes the cheapest.
    static constexpr double hopeless = 1.1;

    static bool same(const Parameters& a, const Parameters& b) {
        return a.segment_bytes == b.segment_bytes && a.window == b.window &&
               a.inter_cluster_window == b.inter_cluster_window;
    }
    /// The cheapest of those that were not simulated wholly; null if none may cost less than this.
    Trial* next_below(double cost_s) {
        Trial* next = nullptr;
        for (auto& trial : trials_)
            if (!trial.whole_s && trial.at_first_s < cost_s) {
                next = &trial;
                cost_s = trial.at_first_s;
            }
        return next;
    }
    /// Half as many within clusters; between them twice, half or a quarter as many more, or fewer.
    bool improve(Parameters& from, double& least_s) {
        for (const auto& [window, factor] : {std::pair{&Parameters::window, 0.5},
                                             {&Parameters::inter_cluster_window, 2.},
                                             {&Parameters::inter_cluster_window, 1.5},
                                             {&Parameters::inter_cluster_window, 0.75}}) {
            auto parameters = from;
            parameters.*window = whole_between(std::round(factor * from.*window), 1, most_window);
            const double tried_s = try_out(parameters);
            if (!(tried_s < worth * least_s))
                continue;
            from = parameters;
            least_s = tried_s;
            return true;
        }
        return false;
    }
    /// The cost; infinite where bytes are lost. Simulations are right to a tenth, so that a queue
    /// that is nearly full overflows in some calls, which then wait for a time-out.
    double tried_s(const AlgorithmTimer& timer, const Parameters& parameters) const {
        constexpr double nearly_full = 0.9, expected_wait_s = 0.1;
        const auto time = timer(parameters);
        if (!time || time->may_lose)
            return INFINITY;
        return cost_s(call_, parameters, *time) +
               (time->fullest > nearly_full ? expected_wait_s : 0);
    }

    const SearchedCall& call_;
    AlgorithmTimer at_first_, whole_;
    std::vector<Trial> trials_; ///< those with the fewest limits first, then long segments
};

} // namespace

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
    const auto payload_bytes = packet_payload_bytes(call.network);
    const AlgorithmTimer timer(call.network, call.algorithm, call.specification, call.clusters,
                               call.model, search_effort(call));
    SegmentTimes times(call, timer, parameters);
    const AlgorithmTimer forms(call.network, call.algorithm, call.specification, call.clusters,
                               model_of_forms(call), search_effort(call));
    const auto least = least_segment_bytes(call, payload_bytes);
    const auto found = times.simulated(std::max<std::uint64_t>(size_bytes / 2, 1))
                           ? near_segment(times, SegmentTimes(call, forms, parameters), size_bytes,
                                          least, payload_bytes)
                           : best_segment(times, size_bytes, least);
    if (!found || *found == size_bytes)
        return found;
    return std::min(in_packets(*found, payload_bytes), size_bytes);
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
        const auto time = timer(parameters);
        if (!time)
            return time.error();
        if (const double cost = cost_s(call, parameters, *time); !best_s || cost < *best_s) {
            best_s = cost;
            best = window;
        }
    }
    assert(best_s);
    return best;
}

Parameters find_pace(const SearchedCall& call, const Parameters& given) {
    assert(call.network.links);
    const auto& links = *call.network.links;
    const auto payload_bytes = packet_payload_bytes(call.network);
    const auto size_bytes = call.specification.size_bytes();
    PaceSearch search(call);
    search.try_out(given);
    auto limited = given;
    complete(limited, call.algorithm,
             limited_pace(links, call.clusters, size_bytes, payload_bytes));
    // All pairs share the ports evenly if their packets take turns.
    auto in_turn = in_segments(limited, payload_bytes, links.port);
    in_turn.window = call.clusters.ranks();
    in_turn.inter_cluster_window = 2 * call.clusters.ranks();
    search.descend(in_turn);
    const auto longest = whole_between<std::uint64_t>(
        longest_paced_segment(links, static_cast<double>(payload_bytes)), limited.segment_bytes,
        most_size_bytes);
    for (auto segment = longest;; segment = in_packets(segment / 2, payload_bytes)) {
        if (segment < 2 * size_bytes)
            search.descend(in_segments(limited, segment, links.port));
        if (segment <= payload_bytes)
            break;
    }
    return search.best().value_or(limited);
}

} // namespace alltold
