// SPDX-License-Identifier: BSD-3-Clause
// A queue's size from floods of several lengths and the share that arrives.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/estimate.hpp"
#include "core/result.hpp"

namespace alltold {

/// All floods of one length.
struct Flood {
    double packets = 0;         ///< k of TW99 equation 4: of all senders together, at least 1
    std::vector<double> shares; ///< one per repetition: arrived over sent, 0 to 1
};

struct BufferFit {
    Estimate packets;            ///< B of TW99 equation 4
    Estimate drained_share;      ///< D/A: how fast the queue drains over how fast it fills
    double longest_clean = 0;    ///< packets of the longest flood that arrived whole
    double shortest_lossy = 0;   ///< packets of the shortest one that did not
    double residual_packets = 0; ///< root mean square about equation 4
};

/// B and D/A of TW99 equation 4, share = min(1, D/A + B/k), by least squares of the packets that
/// arrive, k D/A + B, over the floods that lose some. Medians of the repetitions count; intervals
/// are from the bootstrap over them, the scatter of the medians about the line, and half a packet
/// on each count. Refuses (status `no`), naming `what` and the reason: fewer than four lengths or
/// three repetitions, shares outside 0 to 1, floods of which nothing arrives, floods that all
/// arrive (the queue is not the bottleneck, or larger: no value, but said), floods that all lose,
/// fewer than two lengths that lose, shares that do not fall as equation 4 makes them.
Result<BufferFit> fit_buffer(std::span<const Flood> floods, std::string_view what,
                             std::uint64_t seed = 1);

} // namespace alltold
