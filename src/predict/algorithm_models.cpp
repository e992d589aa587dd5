// SPDX-License-Identifier: BSD-3-Clause
// Which model fits what is known.
#include "predict/algorithm_models.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include "predict/network.hpp"

namespace alltold {
namespace {

constexpr std::array names{
    std::pair{AlgorithmModel::plogp, "plogp"}, std::pair{AlgorithmModel::hockney, "hockney"},
    std::pair{AlgorithmModel::cluster, "cluster"}, std::pair{AlgorithmModel::links, "links"},
    std::pair{AlgorithmModel::smt, "smt"}};

/// What the network lacks for the model; empty if nothing.
std::string lacks(AlgorithmModel model, const Network& network) {
    switch (model) {
    case AlgorithmModel::plogp:
        return network.plogp ? "" : "pLogP parameters";
    case AlgorithmModel::hockney:
        return network.local || network.alltoall ? "" : "alpha and beta";
    case AlgorithmModel::cluster:
        return network.cluster ? "" : "a cluster model";
    case AlgorithmModel::links:
        return network.links ? "" : "link rates and queues";
    case AlgorithmModel::smt:
        break;
    }
    return network.wide && network.alltoall ? ""
                                            : "a signature and alpha and beta between clusters";
}

/// Why the model does not know these clusters; empty if it does.
std::string unfit(AlgorithmModel model, const Network& network, const Clusters& clusters,
                  std::string_view algorithm) {
    if (model == AlgorithmModel::smt)
        return algorithm == "alltoall.lg" && clusters.count() == 2
                   ? ""
                   : "SMT equation 7 holds only for alltoall.lg on two clusters";
    if (clusters.count() == 1)
        return "";
    if (model != AlgorithmModel::links)
        return fmt::format("model {} describes a single cluster, not {}; try --model links",
                           name_of(model), clusters.text());
    return network.links->backbone
               ? ""
               : fmt::format("its links have no backbone, which clusters {} need", clusters.text());
}

} // namespace

std::string_view name_of(AlgorithmModel model) {
    for (const auto& [known, name] : names)
        if (known == model)
            return name;
    return "";
}

Result<AlgorithmModel> algorithm_model(std::string_view name) {
    std::string all;
    for (const auto& [model, known] : names) {
        if (known == name)
            return model;
        all += fmt::format("{}{}", all.empty() ? "" : ", ", known);
    }
    return bad_input(fmt::format("unknown model '{}'; for algorithms use one of {}", name, all));
}

Status check_model(AlgorithmModel model, const Network& network, const Clusters& clusters,
                   std::string_view algorithm) {
    if (const auto lacking = lacks(model, network); !lacking.empty())
        return bad_input(fmt::format("lacks {}, which model {} needs", lacking, name_of(model)));
    if (const auto reason = unfit(model, network, clusters, algorithm); !reason.empty())
        return bad_input(reason);
    return Done{};
}

Result<AlgorithmModel> preferred_model(const Network& network, const Clusters& clusters,
                                       std::string_view algorithm) {
    const auto row = find_algorithm(algorithm);
    const auto* correction = row ? correction_of(network, (*row)->collective, clusters) : nullptr;
    if (correction && check_model(correction->model(), network, clusters, algorithm))
        return correction->model();
    for (const auto& [model, name] : names)
        if (check_model(model, network, clusters, algorithm))
            return model;
    if (clusters.count() > 1)
        return bad_input(fmt::format("has no links with a backbone, without which {} cannot be "
                                     "predicted on {}",
                                     algorithm, clusters.text()));
    return bad_input("has no parameters of a model that times algorithms: pLogP, alpha and beta, a "
                     "cluster model or links");
}

} // namespace alltold
