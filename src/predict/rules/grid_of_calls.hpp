// SPDX-License-Identifier: BSD-3-Clause
// The n and m at which rules are decided.
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.hpp"
#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// In ascending order: about powers of two times the ranks of a host, also a quarter above; over
/// several clusters each up to 16 hosts, since a tree crosses the backbone more or less often with
/// every rank more; and those at which the library was measured, where most is known.
std::vector<int> ranks_of_grid(const Network& network, Collective collective, const Clusters& hosts,
                               int most_ranks);

/// In ascending order: powers of two, and just over one packet, where cutting a message gains most;
/// between clusters also sizes about that from which on idle connections wait for an
/// acknowledgement: there segments fit their initial window, a whole message does, none does. If
/// `halved`, also sizes halfway between those where algorithms cut messages and buffers overflow;
/// if `eager`, also the largest message that the library sends eagerly.
std::vector<std::uint64_t> sizes_of_grid(const Network& network, const Clusters& hosts, bool halved,
                                         bool eager);

/// Whether a size is one of those halfway between two powers of two.
bool is_halfway(std::uint64_t size_bytes);

} // namespace alltold
