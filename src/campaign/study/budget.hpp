// SPDX-License-Identifier: BSD-3-Clause
// How a study divides its seconds, and how often it repeats calls.
#pragma once

#include "topology/clusters.hpp"

namespace alltold::campaign {

/// Shares of the budget. The network takes no more than its seconds however large the budget is;
/// several clusters have paths as well.
inline constexpr double network_share = 0.2;
inline constexpr double network_most_s = 15, network_most_of_several_s = 20;
inline constexpr double signatures_share = 0.04; // of several clusters, each of which has its own
inline constexpr double checks_share = 0.1;
inline constexpr double held_out_share = 0.15;
inline constexpr double choices_share = 0.34;
/// The share for choices at other sizes and on fewer hosts than those reported.
inline constexpr double other_choices_share = 0.16;
/// The share for what is chosen after all that was timed.
inline constexpr double last_choices_share = 0.03;
/// For algorithms of the MPI library that are forced, outside labs, which try settings before.
inline constexpr double forced_share = 0.04;
/// No single measurement, and no round of a choice, takes more of the budget.
inline constexpr double measurement_share = 0.08;

inline constexpr int random_repetitions = 3; // a single time may be an outlier
inline constexpr int signature_repetitions = 4;
inline constexpr int forced_repetitions = 6;
/// Rounds of random calls before the held-out ones, and the share inside that ends them.
inline constexpr int most_rounds = 4;
inline constexpr double inside_wanted = 0.9;

/// Two minutes on one cluster, three on several.
inline double default_budget_s(const Clusters& hosts) {
    return hosts.count() > 1 ? 180 : 120;
}

} // namespace alltold::campaign
