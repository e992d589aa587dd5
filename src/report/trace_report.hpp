// SPDX-License-Identifier: BSD-3-Clause
// A traced call as text and as a space-time diagram, beside its simulation.
#pragma once

#include "network/network.hpp"
#include "simulate/times.hpp"
#include "store/call_trace.hpp"

namespace alltold {

struct TracedMessage {
    int source = 0, destination = 0;
    std::uint64_t size_bytes = 0;                          ///< 0: a signal
    double sent_s = 0;                                     ///< when its sender started it
    double received_s = 0;                                 ///< when it was complete at its receiver
    double simulated_sent_s = 0, simulated_received_s = 0; ///< 0 without a simulation

    double slower_s() const { return received_s - simulated_received_s; }
};

/// In the order in which they were sent. `simulated` is null or has the operations of the same
/// call; fails if these are others, as of another version of the algorithm.
Result<std::vector<TracedMessage>> messages_of(const CallTrace& trace,
                                               const simulate::Times* simulated);

/// The traced call on `network`; nothing for an all-to-all-v, whose matrix is not in the trace.
/// Fails as simulated_operations and `accepts` do.
Result<std::optional<simulate::Times>> simulate_trace(const CallTrace& trace,
                                                      const Network& network);

/// When each rank started and finished, and the messages that arrived latest compared with the
/// simulation.
std::string trace_text(const CallTrace& trace, const std::vector<TracedMessage>& messages,
                       const simulate::Times* simulated);

/// An SVG document: ranks across, time down; every message a line from its sender's start to its
/// receiver's end, and the simulated one pale behind it.
std::string trace_svg(const CallTrace& trace, const std::vector<TracedMessage>& messages,
                      const simulate::Times* simulated);

} // namespace alltold
