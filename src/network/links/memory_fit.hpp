// SPDX-License-Identifier: BSD-3-Clause
// Copies between ranks of one host: their latency and rates.
#pragma once

#include <optional>

#include "network/fitting.hpp"
#include "network/links/link_network.hpp"

namespace alltold {

/// From the probe "memory", messages of several sizes between two ranks of one host: the line of
/// fit_rate, whose offset is the latency (at least 0). From "memory_shared", all ranks of a host in
/// pairs at once, the rate of all together: of the hosts with the most pairs at the largest size,
/// the slowest where they differ, with a note that says so; at least one pair's. Refuses (as
/// "memory") what fit_rate refuses, and one probe without the other. Empty without a refusal where
/// neither was measured.
std::optional<LinkNetwork::Memory> fit_memory(Fitting& fitting);

} // namespace alltold
