// SPDX-License-Identifier: BSD-3-Clause
// The cluster and the host of every rank, before ranks are put in order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// By rank, any numbers; see order_by_host.
struct Places {
    std::vector<int> cluster_of;
    std::vector<int> host_of;
    bool operator==(const Places&) const = default;
};

/// The places that `text`, the value of `name`, gives to ranks on the hosts `host_of` (by rank, any
/// numbers, at least one rank). In this order:
/// - As many hosts as there are, "6+6" on twelve: hosts belong to clusters in the order of their
///   lowest ranks. Ranks per host that `text` names must be theirs.
/// - As many ranks as there are, with ranks per host, "6x4+3x8": ranks in this order, whatever
///   their hosts are.
/// - As many ranks as there are, without: ranks belong to clusters in their order. On a single host
///   each counts as a host of its own.
/// Fails, naming `name`, for anything else and as Clusters::parse does.
Result<Places> places_given(std::string_view text, std::string_view name,
                            std::span<const int> host_of);

/// Whether there are as many hosts, by their names, as `clusters` has. Otherwise ranks on one host
/// count as hosts of their own, or those on several as one.
bool names_are_hosts(std::span<const std::string> host_of_rank, const Clusters& clusters);

} // namespace alltold
