// SPDX-License-Identifier: BSD-3-Clause
// The result of a simulation: times, and statistics of the network's queues.
#pragma once

#include <limits>

#include "network/hockney/hockney_fit.hpp"
#include "network/links/timeouts.hpp"

namespace alltold::simulate {

/// Options of the ranks and of the models.
struct Options {
    /// Sends of more bytes wait for a handshake, as synchronous ones do.
    std::uint64_t eager_limit_bytes = std::numeric_limits<std::uint64_t>::max();
    /// On links, sends of at most so many bytes are complete when they are handed over, as MPI
    /// libraries' eager ones are, or acknowledged, if they are synchronous; others when their last
    /// byte has left.
    std::uint64_t buffered_bytes = 0;
    Hockney copy = {};                 ///< time of copies
    double combine_s_per_byte = 0;     ///< of combinations, a rank's one after another
    double work_s = 0;                 ///< of a repeated graph: computed after each call
    bool operations = false;           ///< keep when each operation ends
    std::vector<double> starts_s = {}; ///< when each rank starts; empty: all at 0
};

/// Bytes and losses at one queue: in front of a host's port or of the backbone.
struct QueueLoad {
    double busy_s = 0;             ///< time spent forwarding bytes
    double capacity_bytes = 0;     ///< what fits; 0: not known, or unlimited
    double peak_bytes = 0;         ///< the most that waited, in a queue without limit
    double dropped_bytes = 0;      ///< what did not fit (Tam and Wang 1999, equations 3 and 4)
    std::int64_t messages_hit = 0; ///< messages that were entering while it overflowed
};

/// Seconds from the common start. Losses are counted but add no time; see with_timeouts for what
/// they may cost.
struct Times {
    double time_s = 0;                ///< when the last rank has finished
    std::vector<double> finish_s;     ///< when each rank has finished
    std::vector<double> ended_s = {}; ///< of operations, by EventGraph number, if asked for
    /// Queues of each host's port, from the switch to the host, in order of hosts; empty where the
    /// model has no queues.
    std::vector<QueueLoad> ports;
    /// Queues of each cluster's path to and from the backbone (the latter idle with two clusters,
    /// since bytes have queued on their way out); empty without a backbone.
    std::vector<QueueLoad> uplinks, downlinks;
    /// Messages of which a queue could not hold all, those likely enough to be reported.
    std::vector<Timeout> timeouts;
    /// A TCP window had no room for all that was ready; else larger windows change nothing.
    bool windows_delay = false;

    double dropped_bytes() const;
    std::int64_t messages_hit() const;
};

} // namespace alltold::simulate
