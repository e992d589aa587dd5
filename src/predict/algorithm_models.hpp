// SPDX-License-Identifier: BSD-3-Clause
// The models an algorithm can be timed under, by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct Network;

enum class AlgorithmModel {
    plogp,   ///< closed form, else simulated
    hockney, ///< as pLogP with L = 0 and g(m) = alpha + m beta
    cluster, ///< simulated under TW99's cluster model
    links,   ///< simulated on links with rates, delays and queues; the one that knows clusters
    smt,     ///< SMT equation 7, for LG alone
};

std::string_view name_of(AlgorithmModel model);

/// Fails, listing the names there are.
Result<AlgorithmModel> algorithm_model(std::string_view name);

/// The model that measured calls of the algorithm's collective were predicted best with, where some
/// were measured on as many clusters (one or several). Else the first of the models in their order
/// above that `network` has parameters for; with several clusters links, or equation 7 for
/// `algorithm` alltoall.lg on two. Fails, saying what is lacking.
Result<AlgorithmModel> preferred_model(const Network& network, const Clusters& clusters,
                                       std::string_view algorithm);

/// Fails (status bad_input), saying what is lacking, where `model` cannot time `algorithm` on these
/// clusters of this network.
Status check_model(AlgorithmModel model, const Network& network, const Clusters& clusters,
                   std::string_view algorithm);

} // namespace alltold
