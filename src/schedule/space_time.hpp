// SPDX-License-Identifier: BSD-3-Clause
// The space-time diagram of a collective: ranks across, logical time down, as SVG.
#pragma once

#include "schedule/timeline.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// A complete SVG document titled `title`. Each message is an arrow from its sender at the start of
/// its step to its receiver at the end, and shows its blocks on hover. Inter-cluster messages have
/// their own colour; signals are dashed.
std::string space_time_svg(const std::string& title, std::span<const Message> messages,
                           const Clusters& clusters);

} // namespace alltold
