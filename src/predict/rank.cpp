// SPDX-License-Identifier: BSD-3-Clause
// Candidates with their parameters, and their order.
#include "predict/rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/congestion/congestion_fit.hpp"
#include "predict/algorithm_prediction.hpp"
#include "predict/alltoall_prediction.hpp"
#include "predict/collective_bounds.hpp"
#include "predict/paced_parameters.hpp"

namespace alltold {
namespace {

/// Keeps a ranking of 1,024 ranks within a few hundredths of a second.
constexpr double most_messages = 3072;

/// What takes so many times as long as another is not worth a search: more than corrections change.
constexpr double hopeless = 3;

/// Chunks that keep the bytes under way to one port small (see docs/choosing.md).
constexpr std::uint64_t chunk_bytes = 8192;

/// Windows for which lg_small is neither lg nor all straight: the sizes of smaller clusters of two.
std::vector<Parameters> crossovers(const Clusters& clusters) {
    std::set<int> smaller;
    for (int a = 0; a < clusters.count(); ++a)
        for (int b = 0; b < a; ++b)
            smaller.insert(std::min(clusters.size(a), clusters.size(b)));
    std::vector<Parameters> all;
    for (const int size : smaller)
        if (size != *smaller.rbegin())
            all.push_back({.window = size});
    return all;
}

/// What an algorithm is given that predict_algorithm does not search for.
Parameters parameters_for(const Algorithm& algorithm, const Network& network,
                          const Clusters& clusters, std::uint64_t size_bytes) {
    Parameters parameters;
    if (algorithm.collective != Collective::alltoall)
        return parameters;
    if (algorithm.segment == Algorithm::Use::may && size_bytes > chunk_bytes)
        parameters.segment_bytes = chunk_bytes;
    if (algorithm.name != "alltoall.paced")
        return parameters;
    if (network.links && network.links->port.goodput_bytes_per_s > 0)
        return paced_parameters(*network.links, clusters, size_bytes);
    parameters.window = 1;
    return parameters;
}

/// Those whose messages to one rank (the root of a gather, else any) nothing holds back.
int crowd_of(const Algorithm& algorithm, const Specification& specification,
             const Clusters& clusters, Parameters parameters) {
    if (algorithm.clusters != Algorithm::Use::no && clusters.count() > 1)
        parameters.clusters = clusters;
    // The root of a broadcast or scatter receives nothing.
    const int rank = specification.collective() == Collective::bcast ||
                             specification.collective() == Collective::scatter
                         ? specification.ranks() - 1
                         : 0;
    const auto schedule = schedule_of(algorithm, specification, parameters, rank);
    std::set<int> senders;
    for (int step = 0; step < schedule.size(); ++step)
        if (schedule[step].kind == Kind::receive && schedule.after(step).empty())
            senders.insert(schedule[step].peer);
    return std::max(1, static_cast<int>(senders.size()));
}

double bound_of(const Network& network, const Specification& specification,
                const Clusters& clusters) {
    const auto goodput = port_goodput(network);
    return goodput ? collective_bound_s(specification, clusters, *goodput, backbone_of(network))
                   : 0;
}

Result<Candidate> ours(const Network& network, const Algorithm& algorithm,
                       const Specification& specification, const Clusters& clusters,
                       const Parameters& parameters, double enough_s, SimulationCache* memory) {
    const auto model = preferred_model(network, clusters, algorithm.name);
    if (!model)
        return model.error();
    auto predicted = predict_algorithm(
        network, algorithm, specification, clusters, parameters, **model,
        {.most_messages = most_messages, .estimate = true, .memory = memory, .enough_s = enough_s});
    if (!predicted)
        return predicted.error();
    auto& prediction = predicted->prediction;
    Candidate candidate;
    candidate.choice = {
        &algorithm,
        {predicted->segment_bytes, predicted->window, predicted->inter_cluster_window, {}}};
    candidate.time_s = prediction.time_s;
    candidate.bound_s = prediction.bound_s;
    candidate.model = prediction.model;
    candidate.method = predicted->method;
    candidate.caveats = std::move(prediction.caveats);
    if (predicted->method.starts_with("extrapolated"))
        candidate.caveats.push_back(
            fmt::format("{} is {}, because simulating all of its messages takes too long",
                        algorithm.name, predicted->method));
    candidate.crowd = crowd_of(algorithm, specification, clusters, candidate.choice.parameters);
    return candidate;
}

/// With the window that is quickest.
Result<Candidate> best_crossover(const Network& network, const Algorithm& algorithm,
                                 const Specification& specification, const Clusters& clusters,
                                 SimulationCache* memory) {
    Result<Candidate> best = bad_input(
        fmt::format("on {} no window makes it differ from alltoall.lg and a direct exchange: all "
                    "pairs of clusters have equally small smaller clusters",
                    clusters.text()));
    for (const auto& parameters : crossovers(clusters)) {
        auto candidate = ours(network, algorithm, specification, clusters, parameters,
                              std::numeric_limits<double>::infinity(), memory);
        if (!best || (candidate && candidate->time_s.value < best->time_s.value))
            best = std::move(candidate);
    }
    return best;
}

/// As measured, or for an all-to-all by what its congestion was found to be.
Result<Candidate> library(const Network& network, const Specification& specification,
                          const Clusters& clusters, const Choice& choice) {
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    const auto name = text_of(choice);
    Candidate candidate;
    candidate.choice = choice;
    candidate.bound_s = bound_of(network, specification, clusters);
    if (const auto time_s =
            library_time(network.library, specification.collective(), clusters, size_bytes, name)) {
        candidate.time_s = *time_s;
        candidate.model = "measured";
        candidate.method = "between measurements";
        for (const auto& one : network.library)
            if (one.algorithm == name && one.collective == specification.collective() &&
                one.clusters == clusters && one.size_bytes == specification.size_bytes())
                candidate.method = "measured here";
        return candidate;
    }
    if (choice.is_default() && specification.collective() == Collective::alltoall &&
        (network.alltoall || network.find<CongestionFit>())) {
        const auto& model = preferred_library_model(network, clusters);
        auto predicted = predict_alltoall(network, clusters, size_bytes, model);
        if (!predicted)
            return predicted.error();
        candidate.time_s = predicted->time_s;
        candidate.model = model.name;
        candidate.method = model.source;
        candidate.caveats = std::move(predicted->caveats);
        return candidate;
    }
    return bad_input("outside the measured range, so its time is unknown");
}

/// Whether the models cannot tell `other` from the quickest.
bool as_good(const Candidate& best, const Candidate& other) {
    const double ratio = other.time_s.value / best.time_s.value;
    return ratio <= 1.01 || (ratio <= 1.05 && other.time_s.low <= best.time_s.high);
}

void put_in_order(std::vector<Candidate>& candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.time_s.value < b.time_s.value; });
    // What was measured needs no care for what its schedule might do.
    const auto care = [](const Candidate& candidate) {
        const auto& [segment_bytes, window, inter_cluster_window, clusters] =
            candidate.choice.parameters;
        return std::pair(candidate.crowd,
                         (segment_bytes > 0) + (window > 0) + (inter_cluster_window > 0));
    };
    auto first = candidates.begin();
    for (auto other = candidates.begin(); other != candidates.end(); ++other)
        if (as_good(candidates.front(), *other) && other->choice.algorithm &&
            care(*other) < care(*first))
            first = other;
    std::rotate(candidates.begin(), first, first == candidates.end() ? first : first + 1);
}

/// Last those whose segments are searched for, of these first those made for clusters: the search
/// is shorter where something quick is known.
std::vector<const Algorithm*> in_order_of_search(Collective collective) {
    std::vector<const Algorithm*> algorithms;
    for (const auto* algorithm : registry())
        if (algorithm->collective == collective)
            algorithms.push_back(algorithm);
    const auto place = [](const Algorithm* algorithm) {
        return std::pair(algorithm->segment == Algorithm::Use::must,
                         algorithm->clusters == Algorithm::Use::no);
    };
    std::stable_sort(algorithms.begin(), algorithms.end(),
                     [&](const auto* a, const auto* b) { return place(a) < place(b); });
    return algorithms;
}

/// "mpi" and what else was measured of the library for this collective.
std::set<std::string> library_names(const Network& network, Collective collective) {
    std::set<std::string> names{"mpi"};
    for (const auto& one : network.library)
        if (one.collective == collective)
            names.insert(one.algorithm);
    return names;
}

} // namespace

const Candidate* first_runnable(const Ranking& ranking) {
    const auto found =
        std::find_if(ranking.candidates.begin(), ranking.candidates.end(),
                     [](const Candidate& candidate) { return candidate.choice.library.empty(); });
    return found == ranking.candidates.end() ? nullptr : &*found;
}

Result<Candidate> evaluate(const Network& network, Collective collective, const Clusters& clusters,
                           std::uint64_t size_bytes, const Choice& choice,
                           SimulationCache* memory) {
    const auto specification = Specification::of(collective, clusters.ranks(), 0, size_bytes);
    return choice.algorithm
               ? ours(network, *choice.algorithm, specification, clusters, choice.parameters,
                      std::numeric_limits<double>::infinity(), memory)
               : library(network, specification, clusters, choice);
}

Result<Ranking> rank(const Network& network, Collective collective, const Clusters& clusters,
                     std::uint64_t size_bytes, SimulationCache* memory) {
    Ranking ranking{collective, clusters, size_bytes, {}, {}};
    std::optional<Error> error;
    const auto add = [&](std::string_view name, Result<Candidate> candidate) {
        if (candidate) {
            ranking.candidates.push_back(std::move(*candidate));
            return;
        }
        ranking.unranked.push_back({std::string(name), candidate.error().message});
        if (!error)
            error = candidate.error();
    };
    const auto specification = Specification::of(collective, clusters.ranks(), 0, size_bytes);
    double best_s = std::numeric_limits<double>::infinity();
    for (const auto* algorithm : in_order_of_search(collective)) {
        auto candidate = algorithm->name == "alltoall.lg_small"
                             ? best_crossover(network, *algorithm, specification, clusters, memory)
                             : ours(network, *algorithm, specification, clusters,
                                    parameters_for(*algorithm, network, clusters, size_bytes),
                                    hopeless * best_s, memory);
        if (candidate)
            best_s = std::min(best_s, candidate->time_s.value);
        add(algorithm->name, std::move(candidate));
    }
    for (const auto& name : library_names(network, collective))
        if (const auto choice = parse_choice(name))
            add(name, library(network, specification, clusters, *choice));
    if (ranking.candidates.empty())
        return *error;
    put_in_order(ranking.candidates);
    return ranking;
}

} // namespace alltold
