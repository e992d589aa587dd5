// SPDX-License-Identifier: BSD-3-Clause
#include "network/cost_model.hpp"

#include <fmt/format.h>

#include "network/capacity.hpp"

namespace alltold {

// In order of preference: the default for a call is the first model that knows it, and the last of
// those for the library's all-to-all is named where none does.
#define ALLTOLD_MODELS(row)                                                                        \
    row(congestion) row(plogp) row(hockney) row(signature) row(linear) row(links) row(cluster)     \
        row(gamma) row(slowdown) row(waves) row(latency) row(bm04) row(clement) row(smt) row(tw99) \
            row(half_duplex) row(combining)

namespace models {
#define ALLTOLD_DECLARED(row) extern const CostModel row;
ALLTOLD_MODELS(ALLTOLD_DECLARED)
#undef ALLTOLD_DECLARED
} // namespace models

namespace {

Result<const CostModel*> named(std::string_view name, bool (CostModel::*able)() const,
                               const char* of) {
    std::string all;
    for (const auto* model : cost_models()) {
        if (!(model->*able)())
            continue;
        if (model->name == name)
            return model;
        all += fmt::format("{}{}", all.empty() ? "" : ", ", model->name);
    }
    return bad_input(fmt::format("unknown model '{}' of {}; use one of {}", name, of, all));
}

std::string unfit(const CostModel& model, const Network& network, const Clusters& clusters,
                  std::string_view algorithm) {
    if (auto reason = unfit_for_hosts(model, clusters); !reason.empty())
        return reason;
    if (model.unfit)
        return model.unfit(network, clusters, algorithm);
    return clusters.count() == 1
               ? ""
               : fmt::format("model {} describes a single cluster, not {}; try --model links",
                             model.name, clusters.text());
}

/// Whether the model knows a port's queue that the blocks for one rank would overflow together.
bool knows_overflow(const CostModel& model, const Network& network, Collective collective,
                    const Clusters& clusters, double size_bytes) {
    return may_overflow(collective) && knows_queue(model, network) &&
           most_pairs_of_a_host(clusters) * size_bytes > model.queue_bytes(network);
}

} // namespace

std::span<const CostModel* const> cost_models() {
#define ALLTOLD_ROW(row) &models::row,
    static constexpr std::array rows{ALLTOLD_MODELS(ALLTOLD_ROW)};
#undef ALLTOLD_ROW
    return rows;
}

Result<const CostModel*> library_model(std::string_view name) {
    return named(name, &CostModel::times_library, "the library's alltoall");
}

Result<const CostModel*> algorithm_model(std::string_view name) {
    return named(name, &CostModel::times_algorithms, "an algorithm");
}

std::string unfit_for_hosts(const CostModel& model, const Clusters& clusters) {
    return clusters.one_rank_per_host() || model.knows_hosts
               ? ""
               : fmt::format("model {} knows one rank per host only, but hosts of {} have several; "
                             "try --model links",
                             model.name, clusters.text());
}

Status check_model(const CostModel& model, const Network& network, const Clusters& clusters,
                   std::string_view algorithm) {
    if (const auto lacking = model.lacks(network); !lacking.empty())
        return bad_input(fmt::format("lacks {}, which model {} needs", lacking, model.name));
    if (const auto reason = unfit(model, network, clusters, algorithm); !reason.empty())
        return bad_input(reason);
    return Done{};
}

const CostModel& preferred_library_model(const Network& network, const Clusters& clusters) {
    const CostModel* last = nullptr;
    for (const auto* model : cost_models()) {
        if (!model->times_library())
            continue;
        last = model;
        if (model->lacks(network).empty() && unfit_for_hosts(*model, clusters).empty() &&
            (!model->unfit || model->unfit(network, clusters, "mpi").empty()))
            break;
    }
    return *last;
}

Result<const CostModel*> preferred_model(const Network& network, const Clusters& clusters,
                                         std::string_view algorithm, double size_bytes) {
    const auto row = find_algorithm(algorithm);
    const auto* correction = row ? correction_of(network, (*row)->collective, clusters) : nullptr;
    if (correction && check_model(*correction->baseline().model, network, clusters, algorithm))
        return correction->baseline().model;
    // The model that predicts the collective's other calls best is a better guess than the order of
    // rows.
    for (const auto& other : network.corrections)
        if (row && !other.of().of_library && other.of().probe.collective == (*row)->collective &&
            check_model(*other.baseline().model, network, clusters, algorithm))
            return other.baseline().model;
    const CostModel* first = nullptr;
    for (const auto* model : cost_models()) {
        if (!model->times_algorithms() || !check_model(*model, network, clusters, algorithm))
            continue;
        // Hockney's model knows a pair only; on links messages that are sent at once share a port.
        if (!first || (first == &models::hockney && model == &models::links))
            first = model;
        if (row && knows_overflow(*model, network, (*row)->collective, clusters, size_bytes))
            return model;
    }
    if (first)
        return first;
    if (!clusters.one_rank_per_host())
        return bad_input(network.links && !network.links->memory
                             ? std::string(memory_unknown)
                             : fmt::format("has no links{}, without which {} cannot be predicted "
                                           "on {}",
                                           clusters.count() > 1 ? " with a backbone" : "",
                                           algorithm, clusters.text()));
    if (clusters.count() > 1)
        return bad_input(fmt::format("has no links with a backbone, without which {} cannot be "
                                     "predicted on {}",
                                     algorithm, clusters.text()));
    return bad_input("has no parameters of a model that times algorithms: pLogP, alpha and beta, a "
                     "cluster model or links");
}

bool may_overflow(Collective collective) {
    return collective != Collective::bcast && collective != Collective::scatter;
}

bool knows_queue(const CostModel& model, const Network& network) {
    return model.queue_bytes && model.lacks(network).empty() && model.queue_bytes(network) > 0;
}

std::string text_of(const std::vector<NotCompared>& models) {
    std::vector<std::pair<std::string, std::string>> names; // and their reason
    for (const auto& [model, reason] : models) {
        const auto same = std::ranges::find(names, reason, &decltype(names)::value_type::second);
        if (same == names.end())
            names.emplace_back(model, reason);
        else
            same->first += fmt::format(", {}", model);
    }
    std::string text;
    for (const auto& [some, reason] : names)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", some, reason);
    return text;
}

} // namespace alltold
