// SPDX-License-Identifier: BSD-3-Clause
// Rules for calls from one start, where one of ours wins from that one alone.
#pragma once

#include <span>
#include <vector>

#include "network/network.hpp"
#include "predict/rules/decision_table.hpp"
#include "predict/rules/rule.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// Of all-to-alls, whose times after a silence and after a barrier may contradict each other: a
/// choice that wins from one start and loses from the other is in no rule for calls from any. On
/// those of `shapes` that are one cluster or all, and on which both starts were measured, calls
/// that `rules` leave to the library's own are judged from each start alone. Empty without
/// TableRequest::start_mode. `simulations`: those on the same network.
std::vector<Rule> rules_of_starts(const Network& network, const TableRequest& request,
                                  std::span<const Clusters> shapes, std::span<const Rule> rules,
                                  SimulationCache& simulations);

} // namespace alltold
