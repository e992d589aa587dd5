// SPDX-License-Identifier: BSD-3-Clause
// Logical time: when each message of a collective would travel if every message took one step, and
// its space-time diagram: ranks across, logical time down, as SVG.
#pragma once

#include "schedule/check.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// A message, the step in which it travels, counted from 1, and what it carries.
struct Message {
    int step = 0;
    int source = 0, source_step = 0; ///< rank, and number of the operation there
    int destination = 0, destination_step = 0;
    std::uint64_t size_bytes = 0; ///< 0: a signal
    std::string blocks;           ///< "0->1 0->4..7", or "ranks 1 to 2" (Transfer::combined)
};

/// All messages by step, then source. In a step each rank sends at most one and receives at most
/// one message; a rank sends in the order of its operations, and of two senders to one rank the
/// one that has waited longer goes first, then the one the receiver names first. Copies take no
/// time. It orders a drawing; it predicts nothing. `schedules` must pass check().
std::vector<Message> timeline(const Specification& specification,
                              std::span<const Schedule> schedules);

/// The blocks in `runs`: "0->1", "0->4..7" for neighbours, "2..4->0", "0->all[0..8191]" for a part.
std::string blocks_text(const Specification& specification, const std::vector<Run>& runs);

/// A complete SVG document titled `title`. Each message is an arrow from its sender at the start of
/// its step to its receiver at the end, and shows its blocks on hover. Inter-cluster messages have
/// their own colour; signals are dashed.
std::string space_time_svg(const std::string& title, std::span<const Message> messages,
                           const Clusters& clusters);

} // namespace alltold
