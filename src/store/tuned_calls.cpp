// SPDX-License-Identifier: BSD-3-Clause
// The grid of calls, candidates from rankings, times from the store.
#include "store/tuned_calls.hpp"

#include <tuple>

#include "predict/bounds/bounds.hpp"
#include "predict/choice/rank.hpp"
#include "predict/parameters/segment_search.hpp"
#include "topology/places.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

/// How many of our algorithms take part in an elimination, and how much slower than the first of
/// them their predictions may be. The shorter a call, the less accurate are the models and the less
/// an elimination costs.
struct Width {
    double below_s;
    std::size_t algorithms;
    double ratio;
};
constexpr std::array widths{Width{2e-3, 8, 5}, Width{20e-3, 5, 2},
                            Width{std::numeric_limits<double>::infinity(), 3, 1.5}};
/// How many segmented algorithms also try other segments.
constexpr int most_segmented = 2;
/// A prediction that no measured call corrects may be off by as much either way.
constexpr double unknown_factor = 2;
/// The rate behind a bound is accurate to about 1 %.
constexpr double bound_share = 0.99;

const std::vector<std::uint64_t>& default_sizes() {
    // Closely spaced where start-ups weigh as much as bytes and eliminations cost little.
    static const std::vector<std::uint64_t> sizes{8,     64,    256,    1024,   4096,
                                                  16384, 65536, 262144, 1 << 20};
    return sizes;
}

int care_of(const CallTime& candidate) {
    const auto& [segment_bytes, window, inter_cluster_window, clusters] =
        candidate.choice.parameters;
    return 4 * candidate.fan_in + (segment_bytes > 0) + (window > 0) + (inter_cluster_window > 0);
}

/// A call while its candidates are collected.
struct Entries {
    bool corrected = false; ///< measured calls of the collective correct its predictions
    std::vector<Choice> choices{Choice{}};
    std::vector<EliminationCandidate> candidates{
        {.predicted_s = {}, .is_default = true, .care = 0}};

    void add(const CallTime& candidate) {
        if (std::find(choices.begin(), choices.end(), candidate.choice) != choices.end())
            return;
        auto predicted_s = candidate.time_s;
        if (!corrected) {
            predicted_s.low = std::min(predicted_s.low, predicted_s.value / unknown_factor);
            predicted_s.high = std::max(predicted_s.high, predicted_s.value * unknown_factor);
        }
        choices.push_back(candidate.choice);
        candidates.push_back(
            {.predicted_s = predicted_s, .is_default = false, .care = care_of(candidate)});
    }
    /// Adds a choice, even one that the models would not select now.
    void add(const Network& network, Collective collective, const Clusters& clusters,
             std::uint64_t size_bytes, const Choice& choice) {
        if (choice.algorithm)
            if (const auto candidate = evaluate(network, collective, clusters, size_bytes, choice))
                add(*candidate);
    }
};

/// Our algorithms by predicted time, quickest first.
std::vector<const CallTime*> ours_in(const Ranking& ranking) {
    std::vector<const CallTime*> ours;
    for (const auto& candidate : ranking.candidates)
        if (candidate.choice.algorithm)
            ours.push_back(&candidate);
    std::ranges::stable_sort(ours, {}, [](const auto* one) { return one->time_s.value; });
    return ours;
}

/// The same with half and twice the segment: the time is flat around the best one, whose position
/// the models predict poorly.
void add_segments(Entries& entries, const Network& network, const Ranking& ranking, Choice choice) {
    const auto segment_bytes = choice.parameters.segment_bytes;
    for (const auto other_bytes : {segment_bytes / 2, segment_bytes * 2}) {
        choice.parameters.segment_bytes =
            in_units(other_bytes, segment_unit_bytes(network, ranking.size_bytes));
        if (choice.parameters.segment_bytes >= ranking.size_bytes)
            continue;
        if (const auto candidate =
                evaluate(network, ranking.collective, ranking.clusters, ranking.size_bytes, choice))
            entries.add(*candidate);
    }
}

void add_predicted(Entries& entries, const Network& network, const Ranking& ranking) {
    const auto ours = ours_in(ranking);
    if (ours.empty())
        return;
    const double best_s = ours.front()->time_s.value;
    const auto width = *std::find_if(widths.begin(), widths.end(),
                                     [&](const Width& one) { return best_s < one.below_s; });
    int segmented = 0;
    for (const auto* candidate : std::span(ours).first(std::min(ours.size(), width.algorithms))) {
        if (candidate->time_s.value > width.ratio * best_s)
            break;
        entries.add(*candidate);
        if (candidate->choice.parameters.segment_bytes > 0 && segmented++ < most_segmented)
            add_segments(entries, network, ranking, candidate->choice);
    }
}

/// Subtracts what a rate does not limit: a first packet.
double floor_of(const Network& network, double bound_s) {
    const auto goodput = port_goodput(network);
    if (!goodput)
        return 0;
    return std::max(0., bound_share * bound_s -
                            static_cast<double>(packet_payload_bytes(network)) / *goodput);
}

void add_measured_times(TunedCall& call, std::span<const PointSamples> measured) {
    for (std::size_t i = 0; i < call.choices.size(); ++i)
        for (const auto& samples : measured)
            if (samples.point == call.point(i))
                for (const double time_s : samples.series().times_s)
                    call.elimination.add(i, time_s);
}

struct CallCandidates {
    Entries entries;
    double floor_s = 0;
};

CallCandidates candidates_of(const Network& network, const Provenance& here, Collective collective,
                             const Clusters& clusters, std::uint64_t size_bytes) {
    CallCandidates found;
    found.entries.corrected = correction_of(network, collective, clusters) != nullptr;
    if (const auto ranking = rank(network, collective, clusters, size_bytes)) {
        add_predicted(found.entries, network, *ranking);
        if (names_are_hosts(here.hosts, here.clusters)) // else messages need not use a link
            found.floor_s = floor_of(network, ranking->candidates.front().bound_s);
    }
    return found;
}

TunedCall call_of(CallCandidates found, const CollectiveProbe& probe, const Clusters& clusters,
                  std::uint64_t size_bytes, std::span<const PointSamples> measured) {
    TunedCall call{probe, clusters, size_bytes, std::move(found.entries.choices),
                   Elimination(std::move(found.entries.candidates), found.floor_s)};
    add_measured_times(call, measured);
    return call;
}

/// Collective, ranks of each cluster's hosts, bytes.
using CallKey = std::tuple<Collective, std::vector<std::vector<int>>, std::uint64_t>;
/// The timed choices that rules can name, by call.
using Timed = std::map<CallKey, std::vector<Choice>>;

Timed timed_choices(std::span<const PointSamples> measured) {
    Timed timed;
    for (const auto& samples : measured) {
        const auto& point = samples.point;
        const auto collective = collective_named(point.probe);
        const auto choice = parse_choice(point.algorithm);
        if (!collective || *collective == Collective::alltoallv || !choice ||
            !choice->library.empty() || samples.series().times_s.empty())
            continue;
        timed[{*collective, point.clusters.ranks_of_hosts(), point.size_bytes}].push_back(*choice);
    }
    return timed;
}

/// The call with all timed choices among its candidates, whatever their origin.
TunedCall with_timed(const Profile& profile, const CallKey& key, const Timed& timed,
                     std::span<const PointSamples> measured) {
    const auto& [collective, hosts, size_bytes] = key;
    const auto clusters = Clusters::of_hosts(hosts);
    const auto& network = profile.network;
    auto found = candidates_of(network, profile.provenance, collective, clusters, size_bytes);
    if (const auto known = timed.find(key); known != timed.end())
        for (const auto& choice : known->second)
            found.entries.add(network, collective, clusters, size_bytes, choice);
    return call_of(std::move(found), {collective}, clusters, size_bytes, measured);
}

} // namespace

Point TunedCall::point(std::size_t candidate) const {
    return {probe.text(), text_of(choices[candidate]), clusters, size_bytes};
}

TunedCall call_among(const Profile& profile, const CollectiveProbe& probe, const Clusters& clusters,
                     std::uint64_t size_bytes, std::span<const Choice> choices,
                     std::span<const PointSamples> measured) {
    const auto network =
        probe.start_mode ? network_after(profile.network, *probe.start_mode) : profile.network;
    CallCandidates found;
    found.entries.corrected = correction_of(network, probe.collective, clusters) != nullptr;
    for (const auto& choice : choices)
        found.entries.add(network, probe.collective, clusters, size_bytes, choice);
    return call_of(std::move(found), probe, clusters, size_bytes, measured);
}

std::vector<Clusters> default_subsets(const Clusters& hosts) {
    constexpr double whole[]{1}, of_several[]{2. / 3, 1}, of_one[]{1. / 3, 2. / 3, 1};
    return hosts.count() > 1 ? shares_of_hosts(hosts, whole, of_several)
                             : shares_of_hosts(hosts, {}, of_one);
}

std::vector<TunedCall> calls_to_tune(const Profile& profile, const TuneRequest& request,
                                     std::span<const PointSamples> measured) {
    const auto subsets =
        request.subsets.empty() ? default_subsets(profile.provenance.clusters) : request.subsets;
    const auto& sizes = request.sizes_bytes.empty() ? default_sizes() : request.sizes_bytes;
    const std::vector<std::uint64_t> no_bytes{0};
    auto collectives = request.collectives;
    if (collectives.empty())
        collectives.assign(papers_collectives.begin(), papers_collectives.end());
    const auto timed = timed_choices(measured);
    std::vector<TunedCall> calls;
    for (const auto collective : collectives)
        for (const auto& subset : subsets)
            for (const auto size_bytes : traits_of(collective).has_data ? sizes : no_bytes)
                calls.push_back(with_timed(
                    profile, {collective, subset.ranks_of_hosts(), size_bytes}, timed, measured));
    return calls;
}

} // namespace alltold
