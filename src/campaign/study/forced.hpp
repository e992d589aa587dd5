// SPDX-License-Identifier: BSD-3-Clause
// Which of the MPI library's own algorithms a study forces.
#pragma once

#include "store/profile.hpp"

namespace alltold::campaign {

/// For each collective the algorithm of Open MPI's that gains most over the library's own choice by
/// the profile, if it gains enough at some reported call on these hosts, and the library's own
/// choice, at all sizes reported. Only algorithms that a variable can force for all calls; none of
/// other libraries.
std::vector<Point> forced_calls(const Profile& profile, const Clusters& hosts,
                                std::span<const Collective> collectives);

} // namespace alltold::campaign
