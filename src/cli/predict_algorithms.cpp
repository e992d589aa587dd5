// SPDX-License-Identifier: BSD-3-Clause
#include "cli/predict_algorithms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/input_files.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/predict_algorithm.hpp"
#include "report/algorithm_report.hpp"
#include "report/text_table.hpp"
#include "report/waiting.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

/// The block size at which an all-to-all brings as much to one rank as this call brings to any.
double block_bytes(const Specification& call) {
    std::uint64_t most = call.size_bytes() * static_cast<std::uint64_t>(call.ranks() - 1);
    if (call.collective() == Collective::alltoallv)
        for (int to = 0; to < call.ranks(); ++to)
            most = std::max(most, call.buffer_bytes(to, Buffer::receive) - call.size_bytes(to, to));
    return static_cast<double>(most) / std::max(1, call.ranks() - 1);
}

Result<std::vector<const Algorithm*>> asked_algorithms(const AlgorithmQuestion& asked,
                                                       Collective collective) {
    std::vector<const Algorithm*> algorithms;
    if (!asked.wants_all()) {
        ALLTOLD_TRY(found, in_context("--algorithm", find_algorithm(asked.algorithm, collective)));
        if (!(*found)->runs(collective))
            return bad_input(fmt::format("--algorithm: {} is not an algorithm for {}",
                                         (*found)->name, asked.collective));
        return std::vector{*found};
    }
    for (const auto* algorithm : registry())
        if (algorithm->runs(collective))
            algorithms.push_back(algorithm);
    return algorithms;
}

/// Predictions for one rank count and size, fastest first, and why some are missing.
class Rank {
  public:
    Rank(const AlgorithmQuestion& asked, const Network& network, Collective collective,
         Parameters parameters)
        : asked_(asked), network_(network), collective_(collective),
          parameters_(std::move(parameters)) {}

    void add(const std::vector<const Algorithm*>& algorithms, const Clusters& clusters,
             std::uint64_t size_bytes) {
        const auto first = static_cast<std::ptrdiff_t>(points.size());
        for (const auto* algorithm : algorithms) {
            if (asked_.wants_all() && !algorithm->suits_hosts(clusters))
                continue;
            auto predicted = predict(*algorithm, clusters, size_bytes);
            if (predicted) {
                add_work(*predicted, network_.loop_work_s.value_or(0));
                points.push_back({clusters, size_bytes, std::move(*predicted)});
                continue;
            }
            if (!first_error)
                first_error = predicted.error();
            add_missing(algorithm->name, predicted.error());
        }
        if (asked_.wants_all() && asked_.model.empty() && asked_.root.value_or(0) == 0 &&
            collective_ != Collective::alltoallv)
            for (const auto& name : library_names(network_, collective_))
                add_library(name, clusters, size_bytes);
        std::ranges::stable_sort(points.begin() + first, points.end(), {},
                                 [](const auto& point) { return point.predicted.time_s.value; });
    }

    std::vector<PredictedCall> points;
    std::vector<Unranked> missing;
    std::optional<Error> first_error;

  private:
    void add_missing(std::string_view name, const Error& error) {
        if (std::ranges::none_of(missing, [&](const Unranked& one) {
                return one.name == name && one.why == error.message;
            }))
            missing.push_back({std::string(name), error.message});
    }

    /// The MPI library's own choice, or what is known by its measured calls alone.
    void add_library(const std::string& name, const Clusters& clusters, std::uint64_t size_bytes) {
        auto predicted = evaluate(network_, collective_, clusters, size_bytes,
                                  measured_choice(name), &simulations_);
        if (!predicted) {
            add_missing(name, predicted.error());
            return;
        }
        add_work(*predicted, network_.loop_work_s.value_or(0));
        points.push_back({clusters, size_bytes, std::move(*predicted)});
    }

    Result<CallTime> predict(const Algorithm& algorithm, const Clusters& clusters,
                             std::uint64_t size_bytes) const {
        const int n = clusters.ranks();
        const auto call =
            asked_.matrix ? asked_.matrix->specification(n, size_bytes)
                          : Specification::of(collective_, n, asked_.root.value_or(0), size_bytes);
        ALLTOLD_TRY(model, asked_.model.empty() ? preferred_model(network_, clusters,
                                                                  algorithm.name, block_bytes(call))
                                                : algorithm_model(asked_.model));
        auto parameters = parameters_;
        if (asked_.wants_all()) { // what is given is for those that take it
            parameters = {};
            complete(parameters, algorithm, parameters_);
        }
        Effort effort{.corrected = asked_.model.empty()};
        const auto predicted = [&] {
            return predict_algorithm(network_, algorithm, call, clusters, parameters, **model,
                                     effort);
        };
        if (!asked_.wants_all() || asked_.matrix) // no other call has its blocks to estimate it
            return predicted();
        // Among all of them an estimate says more than no time; its method shows that it is one.
        const auto exact = asked_.algorithm.empty() ? std::nullopt : std::optional(predicted());
        if (exact && *exact)
            return *exact;
        effort.most_messages = most_estimated_messages;
        effort.estimate = true;
        auto estimate = predicted();
        return estimate || !exact ? estimate : *exact;
    }

    const AlgorithmQuestion& asked_;
    const Network& network_;
    Collective collective_;
    Parameters parameters_;
    SimulationCache simulations_;
};

std::vector<std::string> reasons_of(const std::vector<Unranked>& missing) {
    std::vector<std::string> reasons;
    for (const auto& [name, why] : missing)
        reasons.push_back(why.starts_with(name) ? why : fmt::format("{}: {}", name, why));
    return reasons;
}

void print(const AlgorithmQuestion& asked, const Profile& profile, const Rank& ranked) {
    if (asked.json) {
        fmt::print("{}", json_text({{"profile", asked.profile},
                                    {"source", profile.source},
                                    {"collective", asked.collective},
                                    {"start", name_of(profile.provenance.start_mode)},
                                    {"predictions", algorithms_to_json(ranked.points)},
                                    {"not_predicted", reasons_of(ranked.missing)}}));
        return;
    }
    const auto& first = ranked.points.front();
    const auto call = is_one_call(ranked.points)
                          ? ", " + call_text(first.clusters, first.size_bytes)
                          : std::string();
    fmt::print("{} on {}{}, {}\n\n{}", asked.collective, asked.profile, call,
               in_words(profile.provenance.start_mode), algorithm_table(ranked.points));
    fmt::print("{}", unranked_text("not predicted", ranked.missing));
}

} // namespace

Result<Collective> collective_to_predict(const std::string& name) {
    if (const auto collective = collective_named(name))
        return *collective;
    return bad_input(
        fmt::format("unknown collective '{}'; use {}", name, listed(all_collectives, "exchange")));
}

Result<ExitStatus> predict_algorithms(const AlgorithmQuestion& asked, const Profile& profile) {
    ALLTOLD_TRY(collective, collective_to_predict(asked.collective));
    ALLTOLD_TRY(algorithms, asked_algorithms(asked, *collective));
    if (!asked.model.empty())
        ALLTOLD_TRY_DONE(in_context("--model", algorithm_model(asked.model)));
    for (const auto& clusters : asked.clusters)
        ALLTOLD_TRY_DONE(given_root(*collective, clusters.ranks(), asked.root));
    Rank ranked(asked, profile.network, *collective, asked.parameters);
    {
        const Waiting waiting("simulating algorithms on " + asked.profile);
        for (const auto& clusters : asked.clusters)
            for (const auto size_bytes : asked.sizes_bytes)
                ranked.add(*algorithms, clusters, size_bytes);
    }
    if (ranked.points.empty() && !ranked.first_error)
        return refused(fmt::format("{}: alltold has no algorithm for {}; {}", asked.profile,
                                   asked.collective, fmt::join(reasons_of(ranked.missing), "; ")));
    if (ranked.points.empty())
        return not_predicted(asked.profile, profile, asked.clusters.front(), *ranked.first_error);
    print(asked, profile, ranked);
    return ExitStatus::done;
}

} // namespace alltold::cli
