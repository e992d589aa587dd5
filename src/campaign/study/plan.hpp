// SPDX-License-Identifier: BSD-3-Clause
// What a study measures after the network itself: calls to learn from, and calls to be predicted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/design/design.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

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

} // namespace alltold::campaign
