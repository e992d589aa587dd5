// SPDX-License-Identifier: BSD-3-Clause
// The table of counterparts, and candidates from it and from what was measured.
#include "predict/library_ranking.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "predict/resolve.hpp"
#include "predict/segment_search.hpp"

namespace alltold {
namespace {

/// More than any communicator has ranks, and so no limit.
constexpr int all_at_once = 1 << 20;

struct Counterpart {
    MpiLibrary library;
    Collective collective;
    std::string_view name;
    std::string_view ours;
    bool segmented = false;
    int window = 0;
    int most_ranks = all_at_once;
    bool swaps = false; ///< ours, where the library rotates
};

using enum Collective;
using enum MpiLibrary;
constexpr Counterpart counterparts[] = {
    {open_mpi, alltoall, "linear", "alltoall.rotated", false, all_at_once},
    {open_mpi, alltoall, "pairwise", "alltoall.pairwise", false, 0, all_at_once, true},
    {open_mpi, alltoall, "modified_bruck", "alltoall.bruck"},
    {open_mpi, bcast, "basic_linear", "bcast.flat"},
    {open_mpi, bcast, "pipeline", "bcast.chain"},
    {open_mpi, bcast, "pipeline", "bcast.chain_segmented", true},
    {open_mpi, allgather, "ring", "allgather.ring"},
    {open_mpi, reduce, "pipeline", "reduce.chain_segmented", true},
    {open_mpi, barrier, "bruck", "barrier.dissemination"},
    {mpich, alltoall, "brucks", "alltoall.bruck"},
    {mpich, alltoall, "pairwise", "alltoall.pairwise"},
    // It waits after every 32 messages (MPIR_CVAR_ALLTOALL_THROTTLE).
    {mpich, alltoall, "scattered", "alltoall.rotated", false, all_at_once, 32},
    {mpich, bcast, "binomial", "bcast.binomial"},
    {mpich, allgather, "ring", "allgather.ring"},
    {mpich, barrier, "dissemination", "barrier.dissemination"},
};

bool fits(const Counterpart& row, const Clusters& clusters) {
    const bool rotates = row.swaps && clusters.count() > 1 &&
                         std::has_single_bit(static_cast<unsigned>(clusters.ranks()));
    return clusters.ranks() <= row.most_ranks && !rotates;
}

Choice ours_of(const Counterpart& row, std::uint64_t segment_bytes) {
    Choice ours{*find_algorithm(row.ours)};
    ours.parameters.segment_bytes = segment_bytes;
    ours.parameters.window = row.window;
    return ours;
}

/// The segment for which the counterpart is quickest, rounded.
std::uint64_t segment_of(const Counterpart& row, const Network& network, const Clusters& clusters,
                         std::uint64_t size_bytes, SimulationCache* simulations) {
    const auto resolved =
        resolve({row.collective, clusters, size_bytes}, &network,
                {.choice = Choice{*find_algorithm(row.ours)}, .simulations = simulations});
    const auto payload_bytes = packet_payload_bytes(network);
    const auto packets =
        in_packets(resolved ? resolved->parameters.segment_bytes : default_segment_bytes,
                   payload_bytes) /
        payload_bytes;
    return payload_bytes << std::lround(std::log2(packets));
}

} // namespace

std::optional<Choice> counterpart(MpiLibrary library, Collective collective,
                                  const Clusters& clusters, const Choice& forced) {
    const bool segmented = forced.parameters.segment_bytes > 0;
    if (forced.parameters.window == 0)
        for (const auto& row : counterparts)
            if (row.library == library && row.collective == collective &&
                row.name == forced.library && row.segmented == segmented && fits(row, clusters))
                return ours_of(row, forced.parameters.segment_bytes);
    return std::nullopt;
}

Result<RankedAlgorithm> evaluate_library(const Network& network, MpiLibrary library,
                                         Collective collective, const Clusters& clusters,
                                         std::uint64_t size_bytes, const Choice& choice,
                                         SimulationCache* simulations) {
    auto measured = evaluate(network, collective, clusters, size_bytes, choice, simulations);
    if (measured || choice.is_default())
        return measured;
    const auto ours = counterpart(library, collective, clusters, choice);
    if (!ours)
        return measured;
    auto modelled = evaluate(network, collective, clusters, size_bytes, *ours, simulations);
    if (modelled) {
        modelled->method = fmt::format("as {}, {}", text_of(*ours), modelled->method);
        modelled->choice = choice;
    }
    return modelled;
}

Result<Ranking> rank_library(const Network& network, MpiLibrary library, Collective collective,
                             const Clusters& clusters, std::uint64_t size_bytes,
                             SimulationCache* simulations) {
    Ranking ranking{collective, clusters, size_bytes, {}, {}};
    auto own =
        evaluate_library(network, library, collective, clusters, size_bytes, {}, simulations);
    if (!own)
        return own.error();
    ranking.candidates.push_back(std::move(*own));
    std::vector<Choice> choices;
    for (const auto& row : counterparts)
        if (row.library == library && row.collective == collective && fits(row, clusters)) {
            Choice choice{nullptr, {}, row.name};
            if (row.segmented)
                choice.parameters.segment_bytes =
                    segment_of(row, network, clusters, size_bytes, simulations);
            if (choice.parameters.segment_bytes == 0 ||
                choice.parameters.segment_bytes < size_bytes)
                choices.push_back(choice);
        }
    for (const auto& one : network.library)
        if (const auto choice = parse_choice(one.algorithm);
            one.collective == collective && choice && !choice->library.empty() &&
            find_library_algorithm(library, collective, choice->library) &&
            std::ranges::find(choices, *choice) == choices.end())
            choices.push_back(*choice);
    for (const auto& choice : choices) {
        auto candidate = evaluate_library(network, library, collective, clusters, size_bytes,
                                          choice, simulations);
        if (candidate && candidate->uncharged_loss_bytes == 0)
            ranking.candidates.push_back(std::move(*candidate));
        else
            ranking.unranked.push_back(
                {text_of(choice), candidate ? "overflows buffers at a cost that is not known"
                                            : candidate.error().message});
    }
    std::ranges::stable_sort(ranking.candidates, {}, [](const RankedAlgorithm& candidate) {
        return candidate.time_s.value;
    });
    return ranking;
}

} // namespace alltold
