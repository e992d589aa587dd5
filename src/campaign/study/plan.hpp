// SPDX-License-Identifier: BSD-3-Clause
// The calls that a study measures after the network itself, to learn from and to be predicted, the
// library's algorithms that it forces, and how it divides its seconds.
#pragma once

#include "predict/design/design.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// For each collective the algorithm of Open MPI's that gains most over the library's own choice by
/// the profile, if it gains enough at some reported call on these hosts, and the library's own
/// choice, at all sizes reported. Only algorithms that a variable can force for all calls; none of
/// other libraries.
std::vector<Point> forced_calls(const Profile& profile, const Clusters& hosts,
                                std::span<const Collective> collectives);

/// The sizes of the calls whose times and choices a study reports.
std::span<const std::uint64_t> reported_sizes();

/// Of `sizes_bytes` those that calls of the collective have: all, or 0 alone for a barrier.
std::span<const std::uint64_t> sizes_for(Collective collective,
                                         std::span<const std::uint64_t> sizes_bytes);

/// The sizes at which it times what rules choose, once those reported are decided: powers of two.
std::span<const std::uint64_t> rule_sizes();

/// Between these: where buffers begin to overflow, times double within a power of two.
std::span<const std::uint64_t> sizes_between_rule_sizes();

/// How much calls on this layout of `hosts` count.
double weight_of(const Clusters& layout, const Clusters& hosts);

/// The layouts that it reports: all hosts and about half of them, and on several clusters the
/// largest one alone. The first is all hosts.
std::vector<Clusters> reported_layouts(const Clusters& hosts);

/// Those reported, then about a third and two thirds of all hosts and of the largest cluster's.
std::vector<Clusters> measured_layouts(const Clusters& hosts);

/// The probes of a study of `collectives` whose repetitions follow `usual`: all-to-alls also from
/// their second start.
std::vector<CollectiveProbe> study_probes(std::span<const Collective> collectives, StartMode usual);

/// Every one of `collectives` by the library and by those of our algorithms that the profile
/// predicts to be among the fastest two of a reported call. Reported calls have weight; the same
/// algorithms at other sizes and on other layouts may be measured to learn from. Times in
/// `measured` of these collectives are taken over, whatever the call. The profile's network has no
/// corrections.
std::vector<DesignCall> study_calls(const Profile& profile, std::span<const PointSamples> measured,
                                    std::span<const Collective> collectives = studied_collectives);

/// Calls to be predicted and then measured, drawn with `seed`: each collective by the library and
/// by algorithms that the profile ranks first, second or third, at any size from 512 B to 256 KiB
/// and on any number of hosts, but none that was measured already. By the profile's predictions,
/// with so many repetitions each and a warm-up they take at most `most_s`. Calls that the profile
/// cannot predict are left out.
std::vector<Point> random_calls(const Profile& profile, std::span<const PointSamples> measured,
                                std::uint64_t seed, int repetitions, double most_s,
                                std::span<const Collective> collectives = studied_collectives);

/// Shares of the budget. The network takes no more than its seconds however large the budget is;
/// several clusters have paths as well.
inline constexpr double network_share = 0.2;
inline constexpr double network_most_s = 15, network_most_of_several_s = 20;
inline constexpr double signatures_share = 0.04; // of several clusters, each of which has its own
// Learning and the network have what these leave, half of the budget: 49 of 120 s left 82 of 240
// predictions of 8 hosts at 30 Mbit/s less precise than asked.
inline constexpr double checks_share = 0.08;
inline constexpr double held_out_share = 0.12;
inline constexpr double choices_share = 0.3;
/// The share for choices at other sizes and on fewer hosts than those reported.
inline constexpr double other_choices_share = 0.14;
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

/// Longer on several clusters, which have paths and layouts of their own to measure.
inline double default_budget_s(const Clusters& hosts) {
    return hosts.count() > 1 ? 200 : 150;
}

} // namespace alltold::campaign
