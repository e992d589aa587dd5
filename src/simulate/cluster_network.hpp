// SPDX-License-Identifier: BSD-3-Clause
// The network of the cluster model: processors, send gaps, a loaded switch, receive gaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/cluster/cluster_model.hpp"
#include "simulate/event_loop.hpp"
#include "simulate/fluid_queue.hpp"
#include "simulate/losses.hpp"

namespace alltold::simulate {

/// Remembers the last answer of `curve`, which must outlive it: neighbouring messages are mostly of
/// one size.
class CachedCurve {
  public:
    explicit CachedCurve(const SizeCurve& curve) : curve_(curve) {}
    double operator()(double size_bytes) {
        if (size_bytes != size_bytes_) {
            size_bytes_ = size_bytes;
            time_s_ = curve_(size_bytes);
        }
        return time_s_;
    }

  private:
    const SizeCurve& curve_;
    double size_bytes_ = -1;
    double time_s_ = 0;
};

/// Tam and Wang 1999, section 3. A rank's processor does one thing at a time: O_s(m) for each
/// send, O_r(m) + U_r for each message that has come. What it sends enters the network at least
/// g_s(m) after the message before, is L(m, p) later at the receiver, p being all ranks, and at
/// least g_r(m) after the message that came before; messages of one sender keep their order. A long
/// message is a train of packets (ClusterModel::packets_of), each with these costs, which others'
/// packets interleave with in up to 16 places. Bytes flow towards a port at m / g_s(m) per sender
/// and leave its buffer of B_L at m / g_r(m); what does not fit is counted, and reported where
/// it may meet a time-out of known length. A handshake is two messages of one byte and occupies no
/// rank.
class ClusterNetwork {
  public:
    ClusterNetwork(const EventGraph& graph, const ClusterModel& model);

    double begin(Agenda& agenda, std::int32_t send, double now_s);
    void handle(Agenda& agenda, const Event& event);
    bool is_eager(std::int32_t) const { return false; }
    double handshake_s(std::int32_t send) const;
    void report(Times& times) const;

  private:
    /// Parts of a train that are simulated one by one.
    static constexpr int most_parts = 16;
    /// The first byte of a message enters the port's queue.
    static constexpr What head = network_event(0);
    /// The last byte of a part has entered it; the part is in memory.
    static constexpr What tail(int part) { return network_event(1 + part); }
    static constexpr What landed(int part) { return network_event(1 + most_parts + part); }
    struct Host {
        double processor_free_s = 0, sender_free_s = 0, receiver_free_s = 0;
        double last_byte_s = 0; ///< of what it sent, at the receiver
        FluidQueue port;
    };
    /// A message on its way into a port.
    struct Flow {
        Packets packets;
        double head_s = 0;
        double bytes_per_s = 0;
        Losses losses;

        int parts() const { return std::min(packets.count, most_parts); }
        /// Packets of the first parts together.
        int packets_until(int part) const {
            return static_cast<int>(std::int64_t{packets.count} * part / parts());
        }
    };
    void arrive(Agenda& agenda, const Event& event, int part);
    void take_in(Agenda& agenda, const Event& event, int part);
    Host& host_of(std::int32_t i) { return hosts_[static_cast<std::size_t>(graph_[i].rank)]; }
    Host& receiver_of(std::int32_t send) { return host_of(graph_[send].partner); }
    Flow& flow_of(std::int32_t send) { return flows_[static_cast<std::size_t>(send)]; }

    const EventGraph& graph_;
    const ClusterModel& model_;
    CachedCurve O_s_, g_s_, g_r_, O_r_;
    std::vector<Host> hosts_;
    std::vector<Flow> flows_; ///< per operation; that of a send
    std::vector<Timeout> timeouts_;
};

} // namespace alltold::simulate
