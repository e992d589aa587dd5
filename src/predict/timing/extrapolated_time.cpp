// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates the times of calls too large to simulate from smaller ones.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "network/links/slow_start.hpp"
#include "network/network.hpp"
#include "predict/timing/algorithm_timer.hpp"
#include "predict/timing/fewer_segments.hpp"

namespace alltold {
namespace {

/// About `ranks` of them: the first hosts of each cluster, at least one, with all their ranks.
Clusters shrunk(const Clusters& clusters, int ranks) {
    std::vector<std::vector<int>> ranks_of_hosts;
    for (int cluster = 0; cluster < clusters.count(); ++cluster) {
        const int hosts = std::max(1, static_cast<int>(std::lround(double(clusters.hosts(cluster)) *
                                                                   ranks / clusters.ranks())));
        auto& kept = ranks_of_hosts.emplace_back();
        for (int host = 0; host < hosts; ++host)
            kept.push_back(clusters.ranks_of_host(clusters.first_host(cluster) + host));
    }
    return Clusters::of_hosts(ranks_of_hosts);
}

/// At `n`, of the power law through (`less_n`, `less`) and (`more_n`, `more`); `more` if there is
/// none.
double by_power_law(double less_n, double less, double more_n, double more, double n) {
    if (!(less > 0))
        return more;
    return more * std::pow(n / more_n, std::log(more / less) / std::log(more_n / less_n));
}

/// Applies `law` to each end of both intervals, but not to time-outs: they are a few steps of
/// TCP's, and their number stays that of the longer call.
template <typename Law>
Estimate carried_on(const AlgorithmTime& shorter, const AlgorithmTime& longer, Law law) {
    const auto end = [&](double Estimate::*of) {
        return law(shorter.time_s.*of - shorter.timeouts_s.*of,
                   longer.time_s.*of - longer.timeouts_s.*of) +
               longer.timeouts_s.*of;
    };
    const double value = end(&Estimate::value);
    return {value, std::min(value, end(&Estimate::low)), std::max(value, end(&Estimate::high))};
}

} // namespace

/// On links with slow start, the most bytes that the first rank of any of these clusters receives
/// from one rank of another cluster; connections between clusters are mostly alike. Else 0.
double AlgorithmTimer::across_bytes(const Clusters& clusters, Parameters parameters) const {
    if (!wants_window_share() || clusters.count() == 1)
        return 0;
    if (parameters.clusters)
        parameters.clusters = clusters;
    // Connections carry as much of each segment.
    const auto [specification, share] =
        fewer_segments(Specification::of(specification_.collective(), clusters.ranks(), 0,
                                         specification_.size_bytes()),
                       parameters.segment_bytes);
    double most = 0;
    for (int cluster = 0; cluster < clusters.count(); ++cluster) {
        std::map<int, double> from;
        const auto schedule =
            schedule_of(algorithm_, specification, parameters, clusters.first(cluster));
        for (const auto& operation : schedule.operations())
            if (operation.kind == Kind::receive && clusters.cluster_of(operation.peer) != cluster)
                most = std::max(most, from[operation.peer] += double(operation.region.size_bytes));
    }
    return most / share;
}

/// Adds to `time`, of connections past their slow start, what idle ones take longer that carry
/// `across` bytes in that time.
AlgorithmTime AlgorithmTimer::with_slow_start(AlgorithmTime time, double across) const {
    if (across <= 0)
        return time;
    const auto delay_s = [&](double time_s) {
        return slow_start_s(*network_.links, across, across / time_s);
    };
    const double bare_s = time.time_s.value - time.timeouts_s.value;
    time.window_share = delay_s(bare_s) / (bare_s + delay_s(bare_s));
    time.time_s.high += delay_s(time.time_s.high - time.timeouts_s.high);
    return time;
}

double AlgorithmTimer::messages_by_ranks(const Parameters& parameters, int most_counted) const {
    const auto most = shrunk(clusters_, most_counted), fewer = shrunk(most, most.ranks() / 4);
    if (fewer.ranks() == most.ranks())
        return counted_messages(clusters_, specification_, parameters);
    const auto counted = [&](const Clusters& clusters) {
        return counted_messages(clusters,
                                Specification::of(specification_.collective(), clusters.ranks(), 0,
                                                  specification_.size_bytes()),
                                parameters);
    };
    return by_power_law(fewer.ranks(), counted(fewer), most.ranks(), counted(most),
                        clusters_.ranks());
}

/// Past slow start, whose delay does not grow with the call.
Result<AlgorithmTime> AlgorithmTimer::of_other(const Clusters& clusters, std::uint64_t size_bytes,
                                               const Parameters& parameters) const {
    const auto specification =
        Specification::of(specification_.collective(), clusters.ranks(), 0, size_bytes);
    auto other = parameters;
    if (other.clusters)
        other.clusters = clusters;
    auto effort = effort_;
    effort.past_slow_start = true;
    return AlgorithmTimer(network_, algorithm_, specification, clusters, model_, effort)(other);
}

// A pipeline takes a while to fill and then a constant time per segment. The first segment may be a
// special case (bcast.clustered sends the last one, which is also the first, another way), and the
// time per segment may alternate (circulant graphs take turns), hence half of them.
Result<AlgorithmTime> AlgorithmTimer::by_segments(const Parameters& parameters,
                                                  double most_simulated) const {
    const auto most =
        static_cast<std::uint64_t>(std::min(std::ceil(segments(parameters)) - 1, most_simulated));
    const auto fewer = std::max<std::uint64_t>(2, most / 2);
    const auto longer = of_other(clusters_, most * parameters.segment_bytes, parameters);
    if (!longer || most <= fewer)
        return longer;
    const double all = segments(parameters);
    const auto count = static_cast<double>(most);
    // Ranks that keep a window drift apart: a queue that is half full so far may overflow later.
    constexpr double most_times_longer = 4;
    if (effort_.starts_apart && algorithm_.window != Algorithm::Use::no &&
        longer->fullest > well_filled && all <= most_times_longer * count)
        return kept_simulation(parameters);
    const auto shorter = of_other(clusters_, fewer * parameters.segment_bytes, parameters);
    if (!shorter)
        return shorter;
    const auto line = [&](double shorter_s, double longer_s) {
        const double each_s = (longer_s - shorter_s) / (count - static_cast<double>(fewer));
        return longer_s + (all - count) * std::max(0.0, each_s);
    };

    return with_slow_start({carried_on(*shorter, *longer, line),
                            fmt::format("extrapolated from {} and {} segments", fewer, most),
                            longer->dropped_bytes * all / count, longer->timeouts_s,
                            longer->fullest, longer->may_lose},
                           across_bytes(clusters_, parameters));
}

Result<AlgorithmTime> AlgorithmTimer::by_ranks(const Parameters& parameters,
                                               double a_segment) const {
    // Simulate several segments of each, enough for a line.
    constexpr double least_segments = 4;
    const int ranks = specification_.ranks();
    const double messages = a_segment * std::min(segments(parameters), least_segments);
    // They grow with n^2 or, about, with n.
    const bool pairs = is_exchange(a_segment);
    const double share = std::min(1.0, effort_.most_messages / messages);
    const auto most = shrunk(
        clusters_, std::max(4, static_cast<int>(ranks * (pairs ? std::sqrt(share) : share) * 0.9)));
    const auto half = shrunk(most, most.ranks() / 2);
    // A single host shows nothing of the network.
    if (most.ranks() >= ranks || most.ranks() == half.ranks() || half.hosts() < 2)
        return refused(fmt::format("{} on {} ranks has no closed form, and too few ranks can "
                                   "be simulated",
                                   algorithm_.name, ranks));
    const auto longer = of_other(most, specification_.size_bytes(), parameters);
    if (!longer)
        return longer;
    const auto shorter = of_other(half, specification_.size_bytes(), parameters);
    if (!shorter)
        return shorter;
    const auto power_law = [&](double shorter_s, double longer_s) {
        return by_power_law(half.ranks(), shorter_s, most.ranks(), longer_s, ranks);
    };
    return with_slow_start(
        {carried_on(*shorter, *longer, power_law),
         fmt::format("extrapolated from n = {} and {}", half.text(), most.text()),
         longer->dropped_bytes, longer->timeouts_s, longer->fullest, longer->may_lose},
        across_bytes(most, parameters));
}

} // namespace alltold
