// SPDX-License-Identifier: BSD-3-Clause
#include "predict/parameters/window_search.hpp"

#include "network/cluster/equations.hpp"
#include "predict/parameters/paced_parameters.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/timing/timeout_chance.hpp"

namespace alltold {
namespace {

/// `crossing` of the n - 1 senders are not on the root's host.
int intra_cluster_window(const Network& network, int n, int crossing, double size_bytes) {
    if (network.links && network.links->port.queue_bytes > 0) {
        const double buffer_bytes = network.links->port.queue_bytes;
        const int most = most_senders(1, 1, crossing, size_bytes, buffer_bytes);
        const int whole = whole_between(buffer_bytes / size_bytes, 1, crossing);
        const int window = std::max(sender_window(crossing, 1, most).value_or(1), whole);
        return window >= crossing ? n - 1 : window;
    }
    if (network.cluster && network.cluster->buffer_bytes > 0)
        return gather_window(*network.cluster, n, size_bytes).value_or(1);
    return 0;
}

/// Senders of another cluster that keep the root's share of its port busy while idle connections
/// start, as far as the backbone's queue holds what they send at once.
int inter_cluster_window(const LinkNetwork& links, const Clusters& clusters, double size_bytes) {
    const double flights =
        links.initial_window_bytes > 0 ? std::log2(1 + size_bytes / links.initial_window_bytes) : 0;
    const double start_s = round_trip_s(links) * (2 + flights);
    const double rate = links.port.goodput_bytes_per_s / (clusters.count() - 1);
    const double senders = 1 + std::ceil(rate * start_s / size_bytes);
    const double at_once_bytes =
        links.initial_window_bytes > 0
            ? std::min(size_bytes, std::max(links.initial_window_bytes, links.window_bytes))
            : size_bytes;
    const double held =
        links.backbone->queue_bytes > 0 ? links.backbone->queue_bytes / at_once_bytes : INFINITY;
    return whole_between(std::min(senders, held), 1, clusters.ranks() - 1);
}

} // namespace

Parameters gather_windows(const Network& network, const Algorithm& algorithm,
                          const Clusters& clusters, std::uint64_t size_bytes, int root) {
    Parameters windows;
    const int n = clusters.ranks();
    if (algorithm.window == Algorithm::Use::no || clusters.hosts() < 2 || size_bytes == 0)
        return windows;
    const int at = root > 0 && root < n ? root : 0;
    const int crossing = n - clusters.ranks_of_host(clusters.host_of(at));
    const auto size = static_cast<double>(size_bytes);
    windows.window = intra_cluster_window(network, n, crossing, size);
    if (windows.window == 0 || clusters.count() < 2 || !network.links || !network.links->backbone)
        return windows;
    const int inter_cluster = inter_cluster_window(*network.links, clusters, size);
    if (algorithm.inter_cluster_window != Algorithm::Use::no)
        windows.inter_cluster_window = inter_cluster;
    else
        windows.window = std::max(windows.window, inter_cluster);
    return windows;
}

namespace {

/// One of the windows, and the factor by which it changes.
using Move = std::pair<int Parameters::*, double>;

/// As many bytes in flight, in segments of another length; but within clusters no more than keep a
/// port busy, since what waits there holds up what crosses.
Parameters in_segments(Parameters parameters, std::uint64_t segment_bytes, const Link& port) {
    const auto segment = static_cast<double>(segment_bytes);
    const double more = static_cast<double>(parameters.segment_bytes) / segment;
    for (auto* window : {&parameters.window, &parameters.inter_cluster_window})
        *window = whole_between(std::round(more * *window), 1, most_window);
    const double round_trip_bytes = 2 * port.latency_s * port.goodput_bytes_per_s;
    parameters.window = std::min(
        parameters.window,
        whole_between(std::round(round_trip_bytes / segment), 0, most_window) + default_window);
    parameters.segment_bytes = segment_bytes;
    return parameters;
}

/// As many in flight, for an algorithm whose one window counts what crosses as well.
Parameters in_one_window(Parameters parameters) {
    parameters.window += std::exchange(parameters.inter_cluster_window, 0);
    return parameters;
}

/// Of one simulation only: what small windows and ranks that start apart add is not in its times.
Effort first_effort(const SearchedCall& call) {
    auto effort = search_effort(call);
    effort.window_share = false;
    effort.starts_apart = false;
    return effort;
}

/// Settings of segments and windows that were tried, and the cheapest of them.
class WindowSearch {
  public:
    /// `moves`: the factors by which windows may change, in the order in which they are tried.
    /// `held`: what queues hold whatever the order in which messages meet.
    WindowSearch(const SearchedCall& call, std::vector<Move> moves, const Parameters& held)
        : call_(call), held_(held), at_first_(call.network, call.algorithm, call.specification,
                                              call.clusters, call.model, first_effort(call)),
          whole_(call.network, call.algorithm, call.specification, call.clusters, call.model,
                 search_effort(call)),
          moves_(std::move(moves)) {}

    /// The cost by one simulation.
    double try_out(const Parameters& parameters) {
        for (const auto& tried : trials_)
            if (same(tried.parameters, parameters))
                return tried.at_first_s;
        return trials_.emplace_back(parameters, tried_s(at_first_, parameters)).at_first_s;
    }
    /// Halves what is in flight, between clusters first, until nothing is lost; then, unless that
    /// is hopeless, changes one window after the other as long as that helps.
    void descend(Parameters from) {
        double cheapest_s = INFINITY;
        for (const auto& tried : trials_)
            cheapest_s = std::min(cheapest_s, tried.at_first_s);
        double least_s = try_out(from);
        while (!std::isfinite(least_s) && halve(from))
            least_s = try_out(from);
        if (least_s > hopeless * cheapest_s)
            return;
        while (std::isfinite(least_s) && improve(from, least_s)) {
        }
    }
    /// Whether no queue overflows or nearly does, also if ranks start apart.
    bool fits(const Parameters& parameters) const {
        const auto time = whole_(parameters);
        return time && !time->may_lose && time->fullest <= nearly_full;
    }
    /// The first that costs the least or hardly more; empty where all overflow. Only those that may
    /// be are simulated wholly, since the whole cost exceeds that of the first simulation.
    std::optional<Parameters> best() {
        double least_s = INFINITY;
        while (auto* const trial = next_below(least_s / worth)) {
            auto parameters = trial->parameters;
            trial->whole_s = tried_s(whole_, parameters);
            least_s = std::min(least_s, *trial->whole_s);
            if (!std::isfinite(*trial->whole_s) && halve(parameters))
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
    /// Less is no reason for shorter segments or more in flight: tight windows take up to a tenth
    /// longer than simulated (docs/results/exchange.md). This, what is hopeless and the steps of
    /// the windows are worth 0.16 % of the time (docs/results/regret.md, "Ablation").
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
    /// False where one message is in flight already.
    static bool halve(Parameters& parameters) {
        for (auto* window : {&parameters.inter_cluster_window, &parameters.window})
            if (*window > 1) {
                *window /= 2;
                return true;
            }
        return false;
    }
    bool improve(Parameters& from, double& least_s) {
        for (const auto& [window, factor] : moves_) {
            if (from.*window == 0)
                continue;
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
    /// Whether more may be in flight than queues hold whatever the order.
    bool exceeds_held(const Parameters& parameters) const {
        const auto exceeds = [&](int Parameters::*window) {
            const auto bytes = [&](const Parameters& of) {
                return static_cast<std::uint64_t>(of.*window) * of.segment_bytes;
            };
            return held_.*window > 0 &&
                   (parameters.*window == 0 || bytes(parameters) > bytes(held_));
        };
        return exceeds(&Parameters::window) || exceeds(&Parameters::inter_cluster_window);
    }
    /// The cost; infinite where bytes are lost, or may be later: a part of a call is too short to
    /// show how far ranks drift apart.
    double tried_s(const AlgorithmTimer& timer, const Parameters& parameters) const {
        const auto time = timer(parameters);
        if (!time || time->may_lose)
            return INFINITY;
        const bool part = time->known == Known::fewer_segments || time->known == Known::fewer_hosts;
        if (&timer == &whole_ && part && exceeds_held(parameters))
            return INFINITY;
        return cost_s(call_, parameters, *time) +
               chance_of_timeout(*time) * call_.network.links->timeout_s;
    }

    const SearchedCall& call_;
    const Parameters held_;
    AlgorithmTimer at_first_, whole_;
    const std::vector<Move> moves_;
    std::vector<Trial> trials_; ///< those with the fewest limits first, then long segments
};

} // namespace

Parameters find_pace(const SearchedCall& call, const Parameters& given) {
    assert(call.network.links);
    const auto& links = *call.network.links;
    const auto payload_bytes = packet_payload_bytes(call.network);
    const auto size_bytes = call.specification.size_bytes();
    auto limited = limited_pace(links, call.clusters, size_bytes, payload_bytes);
    limited.clusters = given.clusters;
    const auto taken = [&](const Parameters& parameters) {
        return call.algorithm.inter_cluster_window == Algorithm::Use::no ? in_one_window(parameters)
                                                                         : parameters;
    };
    WindowSearch search(call,
                        {{&Parameters::window, 0.5},
                         {&Parameters::inter_cluster_window, 2},
                         {&Parameters::inter_cluster_window, 1.5},
                         {&Parameters::inter_cluster_window, 0.75}},
                        taken(limited));
    search.try_out(given);
    // All pairs share the ports evenly if their packets take turns.
    auto in_turn = in_segments(limited, payload_bytes, links.port);
    in_turn.window = call.clusters.ranks();
    in_turn.inter_cluster_window = 2 * call.clusters.ranks();
    search.descend(taken(in_turn));
    const auto longest = whole_between<std::uint64_t>(
        longest_paced_segment(links, static_cast<double>(payload_bytes)), limited.segment_bytes,
        most_size_bytes);
    for (auto segment = longest;; segment = in_units(segment / 2, payload_bytes)) {
        if (segment < 2 * size_bytes)
            search.descend(taken(in_segments(limited, segment, links.port)));
        if (segment <= payload_bytes)
            break;
    }
    return search.best().value_or(taken(limited));
}

Parameters find_gather_windows(const SearchedCall& call, const Parameters& start) {
    WindowSearch search(
        call, {{&Parameters::inter_cluster_window, 0.75}, {&Parameters::window, 0.5}}, start);
    if (search.fits(start))
        return start;
    search.descend(start);
    return search.best().value_or(start);
}

} // namespace alltold
