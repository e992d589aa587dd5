// SPDX-License-Identifier: BSD-3-Clause
// The network of the cluster model: processors, send gaps, a loaded switch, receive gaps.
#pragma once

#include <vector>

#include "network/cluster/cluster_model.hpp"
#include "simulate/event_loop.hpp"
#include "simulate/fluid_queue.hpp"
#include "simulate/size_cache.hpp"

namespace alltold::simulate {

/// Tam and Wang 1999, section 3. A rank's processor does one thing at a time: O_s(m) for each
/// send, O_r(m) + U_r for each message that has come. What it sends enters the network at least
/// g_s(m) after the message before, is L(m, p) later at the receiver, p being all ranks, and at
/// least g_r(m) after the message that came before; messages of one sender keep their order. Bytes
/// flow towards a port at m / g_s(m) per sender and leave its buffer of B_L at m / g_r(m); what
/// does not fit is counted. A handshake is two messages of one byte and occupies no rank.
class ClusterNetwork {
  public:
    ClusterNetwork(const EventGraph& graph, const ClusterModel& model);

    double begin(Agenda& agenda, std::int32_t send, double now_s);
    void handle(Agenda& agenda, const Event& event);
    double handshake_s(std::int32_t send) const;
    void report(Times& times) const;

  private:
    /// The first byte enters the port's queue; the last one has; the message is in memory.
    static constexpr What head = network_event(0), tail = network_event(1),
                          landed = network_event(2);
    struct Host {
        double processor_free_s = 0, sender_free_s = 0, receiver_free_s = 0;
        double last_byte_s = 0; ///< of what it sent, at the receiver
        FluidQueue port;
    };
    /// A message on its way into a port.
    struct Flow {
        double bytes_per_s = 0;
        double dropped_before = 0;
    };
    Host& host_of(std::int32_t i) { return hosts_[static_cast<std::size_t>(graph_[i].rank)]; }

    const EventGraph& graph_;
    const ClusterModel& model_;
    CachedCurve O_s_, g_s_, g_r_, O_r_;
    std::vector<Host> hosts_;
    std::vector<Flow> flows_; ///< per operation; that of a send
};

} // namespace alltold::simulate
