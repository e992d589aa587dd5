// SPDX-License-Identifier: BSD-3-Clause
// What a play yields: seconds, and what the network's queues went through.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network/links/timeouts.hpp"

namespace alltold::simulate {

/// How ranks behave, and what a model leaves open.
struct Options {
    /// Sends of more bytes wait for request and answer as synchronous ones do.
    std::uint64_t eager_limit_bytes = std::numeric_limits<std::uint64_t>::max();
    double copy_s_per_byte = 0; ///< what copies take, 0 or more
    /// Links: a switch passes a packet on when it has all of it; 0: byte by byte.
    double packet_bytes = 0;
};

/// What happened at one queue: in front of a host's port or of the backbone.
struct QueueLoad {
    double busy_s = 0;             ///< time spent on passing bytes on
    double peak_bytes = 0;         ///< the most that waited, had the queue no end
    double dropped_bytes = 0;      ///< what did not fit (Tam and Wang 1999, equations 3 and 4)
    std::int64_t messages_hit = 0; ///< messages that were entering while it overflowed
};

/// Seconds from the common start. Losses are counted but cost no time by themselves: what they may
/// cost is for with_timeouts to say.
struct Times {
    double time_s = 0;            ///< when the last rank has finished
    std::vector<double> finish_s; ///< when each rank has finished
    /// Of each host's port, from the switch to the host; empty where the model has no queues.
    std::vector<QueueLoad> ports;
    /// Of each cluster's way to the backbone, and from it (always idle with two clusters: what
    /// arrives has queued on its way out); empty without a backbone.
    std::vector<QueueLoad> uplinks, downlinks;
    /// Of the messages of which a queue could not hold all, those whose chance is worth a word.
    std::vector<Timeout> timeouts;

    double dropped_bytes() const;
    std::int64_t messages_hit() const;
};

} // namespace alltold::simulate
