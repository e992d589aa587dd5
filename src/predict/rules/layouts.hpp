// SPDX-License-Identifier: BSD-3-Clause
// The layouts for which a table has rules.
#pragma once

#include <tuple>

#include "predict/rules/rule.hpp"

namespace alltold {

/// Where a rule holds, and where it judges its calls.
struct Layout {
    Rule rule;                     ///< without sizes and choices
    std::vector<Clusters> spreads; ///< those that stand for all
    bool measured = true;          ///< calls of the library were measured near
};

/// Layouts on `hosts`, which are the clusters of a rule.
std::vector<Layout> layouts_of(Collective collective, const Clusters& hosts, int most_ranks);

/// Layouts on as many clusters as `hosts` has, but for those in `measured`. A range of hosts is
/// judged in its middle, where trees are neither full nor nearly empty, and one of ranks per host,
/// mostly a power of two, at its beginning.
std::vector<Layout> predicted_layouts(Collective collective, const Clusters& hosts,
                                      const std::vector<Layout>& measured);

/// The ranges of clusters, hosts and ranks per host in which predicted_layouts has one layout; 0 of
/// hosts: a single one, which has none. Equal for layouts that share it.
std::tuple<int, int, int> trial_class(const Clusters& layout);

} // namespace alltold
