// SPDX-License-Identifier: BSD-3-Clause
// The grid of calls, contenders from rankings, times from the store.
#include "store/tuned_calls.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "select/rank.hpp"

namespace alltold::tune {
namespace {

constexpr std::size_t most_predicted = 3;
/// Beyond this the models can tell, whatever their intervals say.
constexpr double most_ratio = 1.5;

const std::vector<std::uint64_t>& default_sizes() {
    static const std::vector<std::uint64_t> sizes{8, 512, 4096, 16384, 65536, 262144, 1 << 20};
    return sizes;
}

Clusters part_of(const Clusters& hosts, double share) {
    std::vector<int> sizes;
    for (const int size : hosts.sizes())
        sizes.push_back(std::max(1, static_cast<int>(std::lround(share * size))));
    return Clusters(std::move(sizes));
}

int care_of(const Candidate& candidate) {
    const auto& [segment_bytes, window, wide_window, clusters] = candidate.choice.parameters;
    return 4 * candidate.crowd + (segment_bytes > 0) + (window > 0) + (wide_window > 0);
}

/// A call while its contenders are collected.
struct Entries {
    std::vector<Choice> choices{Choice{}};
    std::vector<Contender> contenders{{.predicted_s = {}, .is_default = true, .care = 0}};

    void add(const Candidate& candidate) {
        if (std::find(choices.begin(), choices.end(), candidate.choice) != choices.end())
            return;
        choices.push_back(candidate.choice);
        contenders.push_back(
            {.predicted_s = candidate.time_s, .is_default = false, .care = care_of(candidate)});
    }
    /// One that was timed, whether or not the models would have it race now.
    void add_timed(const FittedNetwork& network, Collective collective, const Clusters& clusters,
                   std::uint64_t size_bytes, const Choice& choice) {
        if (choice.algorithm)
            if (const auto candidate = evaluate(network, collective, clusters, size_bytes, choice))
                add(*candidate);
    }
};

void add_predicted(Entries& entries, const Ranking& ranking) {
    const Candidate* best = nullptr;
    for (const auto& candidate : ranking.candidates) {
        if (!candidate.choice.algorithm)
            continue;
        if (!best || candidate.time_s.value < best->time_s.value)
            best = &candidate;
    }
    for (const auto& candidate : ranking.candidates)
        if (best && candidate.choice.algorithm && entries.choices.size() <= most_predicted &&
            candidate.time_s.value <= most_ratio * best->time_s.value &&
            candidate.time_s.low <= best->time_s.high)
            entries.add(candidate);
}

/// The first of ours with half and twice its segment: the time is flat about the best one, and
/// where that lies is what models know least.
void add_segments(Entries& entries, const FittedNetwork& network, const Ranking& ranking) {
    if (entries.choices.size() < 2 || entries.choices[1].parameters.segment_bytes == 0)
        return;
    const auto first = entries.choices[1];
    for (const auto segment_bytes :
         {first.parameters.segment_bytes / 2, first.parameters.segment_bytes * 2}) {
        auto choice = first;
        choice.parameters.segment_bytes = segment_bytes;
        if (segment_bytes < 1 || segment_bytes > ranking.size_bytes)
            continue;
        if (const auto candidate =
                evaluate(network, ranking.collective, ranking.clusters, ranking.size_bytes, choice))
            entries.add(*candidate);
    }
}

void take_stock(TunedCall& call, std::span<const PointSamples> measured) {
    for (std::size_t i = 0; i < call.choices.size(); ++i)
        for (const auto& samples : measured)
            if (samples.point == call.point(i))
                for (const double time_s : samples.series().times_s)
                    call.race.add(i, time_s);
}

Entries entries_of(const FittedNetwork& network, Collective collective, const Clusters& clusters,
                   std::uint64_t size_bytes) {
    Entries entries;
    if (const auto ranking = rank(network, collective, clusters, size_bytes)) {
        add_predicted(entries, *ranking);
        add_segments(entries, network, *ranking);
    }
    return entries;
}

TunedCall call_of(Entries entries, Collective collective, const Clusters& clusters,
                  std::uint64_t size_bytes, std::span<const PointSamples> measured) {
    TunedCall call{collective, clusters, size_bytes, std::move(entries.choices),
                   Race(std::move(entries.contenders))};
    take_stock(call, measured);
    return call;
}

/// What rules can name and was timed, call by call: collective, sizes of clusters, bytes.
using Timed =
    std::map<std::tuple<Collective, std::vector<int>, std::uint64_t>, std::vector<Choice>>;

Timed timed_choices(std::span<const PointSamples> measured) {
    Timed timed;
    for (const auto& samples : measured) {
        const auto& point = samples.point;
        const auto collective = collective_named(point.probe);
        const auto choice = parse_choice(point.algorithm);
        if (!collective || *collective == Collective::alltoallv || !choice ||
            !choice->library.empty() || samples.series().times_s.empty())
            continue;
        const auto sizes = point.clusters.sizes();
        timed[{*collective, {sizes.begin(), sizes.end()}, point.size_bytes}].push_back(*choice);
    }
    return timed;
}

} // namespace

Point TunedCall::point(std::size_t contender) const {
    return {std::string(name_of(collective)), text_of(choices[contender]), clusters, size_bytes};
}

std::vector<Clusters> default_subsets(const Clusters& hosts) {
    std::vector<Clusters> subsets;
    const auto add = [&](Clusters subset) {
        if (subset.ranks() >= 2 &&
            std::find(subsets.begin(), subsets.end(), subset) == subsets.end())
            subsets.push_back(std::move(subset));
    };
    if (hosts.count() > 1)
        add(Clusters({hosts.size(0)}));
    else
        add(part_of(hosts, 1. / 3));
    add(part_of(hosts, 2. / 3));
    add(hosts);
    return subsets;
}

std::vector<TunedCall> calls_of(const Profile& profile, const Wishes& wishes,
                                std::span<const PointSamples> measured) {
    const auto network = profile.network();
    const auto subsets =
        wishes.subsets.empty() ? default_subsets(profile.surroundings.clusters) : wishes.subsets;
    const auto& sizes = wishes.sizes_bytes.empty() ? default_sizes() : wishes.sizes_bytes;
    auto collectives = wishes.collectives;
    if (collectives.empty())
        collectives = {Collective::bcast, Collective::scatter, Collective::gather,
                       Collective::alltoall};
    std::vector<TunedCall> calls;
    for (const auto collective : collectives)
        for (const auto& subset : subsets)
            for (const auto size_bytes : sizes)
                calls.push_back(call_of(entries_of(network, collective, subset, size_bytes),
                                        collective, subset, size_bytes, measured));
    return calls;
}

std::vector<TunedCall> raced_calls(const Profile& profile, std::span<const PointSamples> measured) {
    const auto network = profile.network();
    std::vector<TunedCall> calls;
    for (const auto& [call, choices] : timed_choices(measured)) {
        const auto& [collective, sizes, size_bytes] = call;
        if (choices.size() < 2 || !std::ranges::count_if(choices, &Choice::is_default))
            continue;
        const Clusters clusters(sizes);
        auto entries = entries_of(network, collective, clusters, size_bytes);
        for (const auto& choice : choices)
            entries.add_timed(network, collective, clusters, size_bytes, choice);
        calls.push_back(call_of(std::move(entries), collective, clusters, size_bytes, measured));
    }
    return calls;
}

std::vector<Won> winners_of(std::span<const TunedCall> calls) {
    std::vector<Won> winners;
    for (const auto& call : calls)
        if (const auto winner = call.race.winner())
            winners.push_back(
                {call.collective, call.clusters, call.size_bytes, call.choices[*winner]});
    return winners;
}

} // namespace alltold::tune
