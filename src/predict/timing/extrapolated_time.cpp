// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates the times of calls too large to simulate from smaller ones.
#include <iterator>
#include <ranges>

#include <fmt/format.h>

#include "predict/bounds/bounds.hpp"
#include "predict/timing/algorithm_timer.hpp"
#include "predict/timing/fewer_segments.hpp"
#include "predict/timing/timeout_chance.hpp"

namespace alltold {
namespace {

/// The first `hosts` of them, as many of each cluster as it has a share in all but at least one,
/// with up to `each` ranks.
Clusters first_of(const Clusters& clusters, double hosts, int each) {
    const double share = hosts / clusters.hosts();
    std::vector<std::vector<int>> ranks_of_hosts;
    for (const auto& of_cluster : clusters.ranks_of_hosts()) {
        const auto kept = std::clamp<std::ptrdiff_t>(
            std::lround(share * static_cast<double>(of_cluster.size())), 1, std::ssize(of_cluster));
        auto& first = ranks_of_hosts.emplace_back(of_cluster.begin(), of_cluster.begin() + kept);
        for (int& ranks : first)
            ranks = std::min(ranks, each);
    }
    return Clusters::of_hosts(ranks_of_hosts);
}

/// About `ranks` of them, at least 1: the first hosts with all their ranks or, if these are too few
/// hosts to show a network, with a part of them, by the same factor as there are fewer hosts.
Clusters shrunk(const Clusters& clusters, double ranks) {
    const double fewest =
        std::min(clusters.hosts(), clusters.count() > 1 ? 2 * clusters.count() : 4);
    const double share = ranks / clusters.ranks();
    const int each = clusters.most_ranks_of_a_host();
    if (share * clusters.hosts() >= fewest || each == 1)
        return first_of(clusters, share * clusters.hosts(), each);
    const double hosts = std::max(fewest, std::round(std::sqrt(share) * clusters.hosts()));
    return first_of(clusters, hosts, std::clamp(static_cast<int>(ranks / hosts), 1, each));
}

/// A call that is simulated, on some of the ranks.
struct Part {
    Clusters clusters;
    double size; ///< other hosts, or ranks of each host
};

/// How a call grows by hosts, or by ranks of each.
struct RankGrowth {
    std::vector<Part> parts; ///< two or three by falling size; the first is the largest simulated
    double whole;            ///< size of the call to be known
    double most;             ///< exponent

    /// Of the sizes of a part and the next.
    double step(std::size_t part) const { return parts[part].size / parts[part + 1].size; }
};

/// Calls of all pairs have as many.
constexpr double exponent_of_pairs = 2;
/// By so much the exponent of a logarithm more can differ, which two sizes do not show.
constexpr double exponent_of_logarithm = 0.3;
/// Of the number of other hosts, with which what a port carries grows: in proportion, or a
/// logarithm more. What grows faster between few hosts does so by chance, such as how leaders share
/// them.
constexpr double exponent_of_hosts = 1 + exponent_of_logarithm;

/// By hosts and by ranks of each, as far as `largest` has fewer than `whole`.
std::vector<RankGrowth> growths(const Clusters& largest, const Clusters& whole) {
    std::vector<RankGrowth> found;
    const auto add = [&](double of_whole, double most, const auto& size, const auto& smaller) {
        RankGrowth growth{{{largest, size(largest)}}, of_whole, most};
        auto& parts = growth.parts;
        for (auto next = smaller(largest);
             parts.size() < 3 && size(next) >= 1 && size(next) < parts.back().size;
             next = smaller(next))
            parts.push_back({next, size(next)});
        if (parts.front().size < of_whole && parts.size() > 1)
            found.push_back(std::move(growth));
    };
    add(
        whole.hosts() - 1, exponent_of_hosts,
        [](const Clusters& clusters) { return clusters.hosts() - 1.; },
        [](const Clusters& clusters) {
            return first_of(clusters, std::max(2., clusters.hosts() / 2.),
                            clusters.most_ranks_of_a_host());
        });
    add(
        whole.most_ranks_of_a_host(), exponent_of_pairs,
        [](const Clusters& clusters) { return double(clusters.most_ranks_of_a_host()); },
        [](const Clusters& clusters) {
            return first_of(clusters, clusters.hosts(),
                            std::max(1, clusters.most_ranks_of_a_host() / 2));
        });
    return found;
}

/// Of the power law by which a quantity grows from `less` to `more` while another grows by
/// `factor`, from 0 to `most`; 0 where there is none.
double exponent_of(double less, double more, double factor, double most) {
    return less > 0 ? std::clamp(std::log(more / less) / std::log(factor), 0., most) : 0;
}

/// By so much what takes `beyond_s` in the parts grows from the first to the whole. As uncertain as
/// the power law differs between the parts.
Estimate growth_of(const RankGrowth& growth, const std::vector<double>& beyond_s) {
    const auto between = [&](std::size_t part, double most) {
        return exponent_of(beyond_s[part + 1], beyond_s[part], growth.step(part), most);
    };
    const double exponent = between(0, growth.most), raw = between(0, exponent_of_pairs);
    double least = std::max(0., exponent - exponent_of_logarithm);
    double most = std::max(raw, exponent + exponent_of_logarithm);
    if (growth.parts.size() > 2) {
        const double before = between(1, exponent_of_pairs);
        least = std::min(exponent, before);
        most = std::max(raw, before);
    }
    const auto power = [&](double of) { return std::pow(growth.whole / growth.parts[0].size, of); };
    return {power(exponent), power(least), power(most)};
}

/// Without time-outs: they are a few steps of TCP's, and their number stays that of the longer
/// call.
double bare_s(const ModelTime& time, double Estimate::*end) {
    return time.time_s.*end - time.timeouts_s.*end;
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
ModelTime AlgorithmTimer::with_slow_start(ModelTime time, double across) const {
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

double AlgorithmTimer::messages_by_ranks(const Parameters& parameters) const {
    const auto most = shrunk(clusters_, most_built), fewer = shrunk(most, most.ranks() / 4.);
    if (fewer.ranks() == most.ranks())
        return counted_messages(clusters_, specification_, parameters);
    const auto counted = [&](const Clusters& clusters) {
        return counted_messages(clusters,
                                Specification::of(specification_.collective(), clusters.ranks(), 0,
                                                  specification_.size_bytes()),
                                parameters);
    };
    const double most_messages = counted(most), ranks = most.ranks();
    return most_messages * std::pow(clusters_.ranks() / ranks,
                                    exponent_of(counted(fewer), most_messages,
                                                ranks / fewer.ranks(), exponent_of_pairs));
}

/// What ports and the backbone need for the bytes of such a call on these ranks; 0 without links.
double AlgorithmTimer::bytes_s(const Clusters& clusters) const {
    if (!links())
        return 0;
    return collective_bound_s(Specification::of(specification_.collective(), clusters.ranks(), 0,
                                                specification_.size_bytes()),
                              clusters, *port_rates(network_, clusters),
                              backbone_of(network_, clusters));
}

/// Past slow start, whose delay does not grow with the call.
Result<ModelTime> AlgorithmTimer::of_other(const Clusters& clusters, std::uint64_t size_bytes,
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
Result<ModelTime> AlgorithmTimer::by_segments(const Parameters& parameters,
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
    ALLTOLD_TRY(shorter, of_other(clusters_, fewer * parameters.segment_bytes, parameters));
    const auto end = [&](double Estimate::*of) {
        const double shorter_s = bare_s(*shorter, of), longer_s = bare_s(*longer, of);
        const double each_s = (longer_s - shorter_s) / (count - static_cast<double>(fewer));
        return longer_s + (all - count) * std::max(0.0, each_s) + longer->timeouts_s.*of;
    };
    const double value = end(&Estimate::value);
    const Estimate time_s{value, std::min(value, end(&Estimate::low)),
                          std::max(value, end(&Estimate::high))};
    auto time = *longer;
    time.time_s = time_s;
    time.overflow_bytes *= all / count;
    time.known = Known::fewer_segments;
    time.method = fmt::format("extrapolated from {} and {} segments", fewer, most);
    return with_slow_start(std::move(time), across_bytes(clusters_, parameters));
}

// What takes longer than the bytes need follows a power law: start-ups, headers, and what is lost.
Result<ModelTime> AlgorithmTimer::by_ranks(const Parameters& parameters, double a_segment) const {
    // Simulate several segments of each, enough for a line.
    constexpr double least_segments = 4;
    const int ranks = specification_.ranks();
    const double messages = a_segment * std::min(segments(parameters), least_segments);
    // They grow with n^2 or, about, with n.
    const bool pairs = is_exchange(a_segment);
    const double share = std::min(1.0, effort_.most_messages / messages);
    const auto most = shrunk(
        clusters_, std::max(4., std::floor(ranks * (pairs ? std::sqrt(share) : share) * 0.9)));
    const auto known = growths(most, clusters_);
    // A single host shows nothing of the network.
    if (known.empty() || most.hosts() < 2)
        return refused(fmt::format("{} on {} ranks has no closed form, and too few ranks can "
                                   "be simulated",
                                   algorithm_.name, ranks));
    ALLTOLD_TRY(simulated, of_other(most, specification_.size_bytes(), parameters));
    const auto beyond_bytes_s = [&](const Clusters& clusters, const ModelTime& time) {
        return std::max(0., bare_s(time, &Estimate::value) - bytes_s(clusters));
    };
    const double simulated_s = beyond_bytes_s(most, *simulated);
    auto beyond_s = Estimate::exact(simulated_s);
    std::string from;
    for (const auto& growth : known) {
        std::vector<double> parts_s{simulated_s};
        for (const auto& part : growth.parts | std::views::drop(1)) {
            ALLTOLD_TRY(smaller, of_other(part.clusters, specification_.size_bytes(), parameters));
            parts_s.push_back(beyond_bytes_s(part.clusters, *smaller));
        }
        const auto factor = growth_of(growth, parts_s);
        beyond_s = {beyond_s.value * factor.value, beyond_s.low * factor.low,
                    beyond_s.high * factor.high};
        from += (from.empty() ? "" : ", ") + growth.parts[1].clusters.text();
    }
    const auto end = [&](double Estimate::*of) {
        return (bytes_s(clusters_) + beyond_s.*of) * bare_s(*simulated, of) /
                   bare_s(*simulated, &Estimate::value) +
               simulated->timeouts_s.*of;
    };
    auto time = *simulated;
    time.time_s = {end(&Estimate::value), end(&Estimate::low), end(&Estimate::high)};
    time.known = Known::fewer_hosts;
    time.method = fmt::format("extrapolated from n = {} and {}", from, most.text());
    return with_slow_start(std::move(time), across_bytes(most, parameters));
}

} // namespace alltold
