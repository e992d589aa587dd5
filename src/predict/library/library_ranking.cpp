// SPDX-License-Identifier: BSD-3-Clause
#include "predict/library/library_ranking.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "predict/bounds/plausibility.hpp"
#include "predict/library/counterparts.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/parameters/segment_search.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_points = 2; // one says nothing of growth
/// Known on one number of ranks, growth by less is a guess too, but a good one.
constexpr double unseen_from = 2;

/// The measured calls of all algorithms.
std::vector<GrowthPoint> points_of(const Network& network, Collective collective,
                                   const Clusters& clusters) {
    std::vector<GrowthPoint> points;
    for (const auto& one : network.library)
        if (one.collective == collective && one.clusters.count() == clusters.count() &&
            one.clusters.most_ranks_of_a_host() == clusters.most_ranks_of_a_host() &&
            one.time_s.value >= Growth::least_call_s)
            points.push_back({one.algorithm, static_cast<double>(one.clusters.ranks()),
                              static_cast<double>(one.size_bytes), one.time_s.value});
    return points;
}

} // namespace

Result<CallTime> grown_time(const Network& network, Collective collective, const Clusters& clusters,
                            std::uint64_t size_bytes, const Choice& choice,
                            SimulationCache* simulations) {
    const auto algorithm = text_of(choice);
    auto points = points_of(network, collective, clusters);
    std::size_t count = 0;
    std::set<double> ranks;
    for (const auto& point : points)
        if (point.algorithm == algorithm) {
            ++count;
            ranks.insert(point.ranks);
        }
    if (count < fewest_points)
        return refused(fmt::format(
            "{} was {} on {} with as many ranks per host, so its time is unknown", algorithm,
            count == 0 ? "not measured" : "measured at one call only",
            clusters.count() == 1 ? "one cluster" : fmt::format("{} clusters", clusters.count())));
    SimulationCache of_this_call;
    const auto& growth = (simulations ? *simulations : of_this_call)
                             .growth(fmt::format("{} {}x{}", name_of(collective), clusters.count(),
                                                 clusters.most_ranks_of_a_host()),
                                     [&] { return Growth(collective, std::move(points)); });
    CallTime time{.choice = choice};
    time.log_draws = growth.draws(algorithm, clusters.ranks(), static_cast<double>(size_bytes));
    time.time_s = Growth::time_of(time.log_draws);
    set_bound(time, Specification::of(collective, clusters.ranks(), 0, size_bytes), clusters,
              network);
    time.model = "growth";
    time.modelled.known = Known::grown;
    const double grown = clusters.ranks() / *ranks.begin();
    time.unseen_growth = ranks.size() == 1 && std::max(grown, 1 / grown) >= unseen_from;
    time.method = fmt::format("{} measured calls on {} number{} of ranks", count, ranks.size(),
                              ranks.size() == 1 ? "" : "s");
    return time;
}

namespace {

/// The segment for which the counterpart is quickest, rounded.
std::uint64_t segment_for(const Algorithm& algorithm, const Network& network,
                          const Clusters& clusters, std::uint64_t size_bytes,
                          SimulationCache* simulations) {
    const auto resolved = resolve({algorithm.collective, clusters, size_bytes}, &network,
                                  {.choice = Choice{&algorithm}, .simulations = simulations});
    return in_doubled_units(resolved ? resolved->parameters.segment_bytes : default_segment_bytes,
                            packet_payload_bytes(network));
}

} // namespace

Result<CallTime> evaluate_library(const Network& network, MpiLibrary library, Collective collective,
                                  const Clusters& clusters, std::uint64_t size_bytes,
                                  const Choice& choice, SimulationCache* simulations) {
    auto measured = evaluate(network, collective, clusters, size_bytes, choice, simulations);
    if (measured || choice.is_default())
        return measured;
    const auto ours = counterpart(library, collective, clusters, choice);
    if (!ours)
        return measured;
    auto modelled = evaluate(network, collective, clusters, size_bytes, *ours, simulations);
    if (modelled) {
        auto& method = modelled->method;
        method = fmt::format("as {}, {}", text_of(*ours), method);
        modelled->choice = choice;
    }
    return modelled;
}

Result<Ranking> rank_library(const Network& network, MpiLibrary library, Collective collective,
                             const Clusters& clusters, std::uint64_t size_bytes,
                             SimulationCache* simulations) {
    Ranking ranking{collective, clusters, size_bytes, {}, {}};
    ALLTOLD_TRY(
        own, evaluate_library(network, library, collective, clusters, size_bytes, {}, simulations));
    ranking.candidates.push_back(std::move(*own));
    std::vector<Choice> choices;
    for (const auto& [name, ours, segmented] : imitated_algorithms(library, collective, clusters)) {
        Choice choice{nullptr, {}, name};
        if (segmented)
            choice.parameters.segment_bytes =
                segment_for(*ours, network, clusters, size_bytes, simulations);
        if (choice.parameters.segment_bytes == 0 || choice.parameters.segment_bytes < size_bytes)
            choices.push_back(choice);
    }
    for (const auto& one : network.library)
        if (const auto choice = measured_choice(one.algorithm);
            one.collective == collective && !choice.is_default() &&
            (library == MpiLibrary::other ||
             find_library_algorithm(library, collective, choice.library)) &&
            std::ranges::find(choices, choice) == choices.end())
            choices.push_back(choice);
    for (const auto& choice : choices) {
        auto candidate = evaluate_library(network, library, collective, clusters, size_bytes,
                                          choice, simulations);
        if (candidate && candidate->uncharged_loss_bytes() == 0)
            ranking.candidates.push_back(std::move(*candidate));
        else
            ranking.unranked.push_back(
                {text_of(choice), candidate ? "overflows buffers at a cost that is not known"
                                            : candidate.error().message});
    }
    leave_out_unseen_growth(ranking);
    std::ranges::stable_sort(ranking.candidates, {},
                             [](const CallTime& candidate) { return candidate.time_s.value; });
    return ranking;
}

} // namespace alltold
