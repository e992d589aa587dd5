// SPDX-License-Identifier: BSD-3-Clause
// Links: hosts on switches, a backbone between the switches, bytes queueing where ways meet.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "network/links/link_network.hpp"
#include "simulate/event_loop.hpp"
#include "simulate/fluid_queue.hpp"
#include "simulate/tcp_windows.hpp"
#include "topology/clusters.hpp"

namespace alltold::simulate {

/// A host's processor takes start_up_s for each message sent and each received, one at a time; its
/// link carries one outgoing message after the other, and so many bytes at once after a pause as
/// its burst says; a port does likewise. Behind the switch messages are flows of
/// bytes into first-in-first-out queues: that of the way from the cluster to the backbone, of the
/// way from the backbone (where there are more than two clusters), and of the receiver's port. So
/// messages that meet at a port share it, and the last byte of all comes when the port has passed
/// all on. From a queue to the next one a message flows at one rate. When its first byte comes to
/// the next queue before its last one has come to the queue before, that rate is what the message's
/// share is just then; what was estimated too high stops when all bytes are counted, what was
/// estimated too low is made up for when the last one comes. What a queue of
/// finite size would lose is counted; lost bytes are taken to come in time, and which messages may
/// wait for a time-out is reported. Request and answer take 2 (latency + 2 start_up_s).
///
/// Between clusters connections begin with the links' initial window, if any: what does not fit
/// goes when the first byte of what went before is acknowledged, since from then on
/// acknowledgements come as fast as the bytes passed.
class SwitchedNetwork {
  public:
    SwitchedNetwork(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters,
                    const Options& options);

    double begin(Agenda& agenda, std::int32_t send, double now_s);
    void handle(Agenda& agenda, const Event& event);
    double handshake_s(std::int32_t send) const;
    void report(Times& times) const;

  private:
    static constexpr int max_hops = 3;
    /// The first byte enters hop h; all bytes have been counted there; the last byte has entered.
    enum Step : int { head, counted, tail, steps };
    static constexpr What at_hop(int hop, Step step) { return network_event(steps * hop + step); }
    /// The message is at the receiver's processor.
    static constexpr What landed = network_event(steps * max_hops);
    /// The sender knows that the first byte has come.
    static constexpr What acknowledged = network_event(steps * max_hops + 1);

    struct Host {
        double processor_free_s = 0, sent_s = 0;
    };
    /// A queue on the way of a piece, and the piece's flow into it.
    struct Hop {
        FluidQueue* queue = nullptr;
        double latency_s = 0; ///< behind the queue, to the next one or the receiver
        double head_s = 0;
        double tail_s = -1; ///< once it is known
        double bytes_per_s = 0;
        bool flows = false; ///< bytes are coming in, or are taken to
        double dropped_before = 0, arrived_before = 0;
        int most_flows = 0; ///< into the queue when it entered
    };
    /// A message under way, or a piece of one. Pieces are numbered: the first of a message as its
    /// send, others from the number of operations on.
    struct Trip {
        std::array<Hop, max_hops> hops;
        int count = 0;
        std::int32_t send = -1;
        double bytes = 0;
        bool last = true; ///< of its message
    };

    int cluster_of(std::int32_t i) const { return cluster_[rank_index(i)]; }
    std::size_t rank_index(std::int32_t i) const {
        return static_cast<std::size_t>(graph_[i].rank);
    }
    bool crosses(std::int32_t send) const {
        return cluster_of(send) != cluster_of(graph_[send].partner);
    }
    bool has_windows(std::int32_t send) const { return windows_.matter() && crosses(send); }
    double packet_s(const Trip& trip, double rate) const;
    void depart_what_may(Agenda& agenda, std::int32_t send, double now_s);
    double depart(Agenda& agenda, const TcpWindows::Piece& piece, double now_s);
    Trip& new_trip(const TcpWindows::Piece& piece, std::int32_t number);
    void expect(Agenda& agenda, std::int32_t piece, Trip& trip, int number);
    void enter(Agenda& agenda, std::int32_t piece, Trip& trip, int number, double now_s);
    void leave(Agenda& agenda, std::int32_t piece, Trip& trip, int number, double now_s);
    void expect_acknowledgement(Agenda& agenda, std::int32_t piece, const Trip& trip,
                                double there_s);
    void count_loss(const Trip& trip, const Hop& hop, double now_s);
    void land(Agenda& agenda, std::int32_t send, double now_s);

    const EventGraph& graph_;
    const LinkNetwork& links_;
    const Options& options_;
    std::vector<Timeout> timeouts_;
    std::vector<int> cluster_; ///< per rank
    bool has_downlinks_;
    std::vector<Host> hosts_;
    std::vector<FluidQueue> ports_, uplinks_, downlinks_;
    std::vector<Trip> trips_;
    std::vector<std::int32_t> idle_trips_;
    std::vector<std::int32_t> trip_of_; ///< per piece; -1 when all of it has been counted
    TcpWindows windows_;
    struct Acknowledged {
        std::int32_t send;
        double bytes;
    };
    std::unordered_map<std::int32_t, Acknowledged> unacknowledged_; ///< by piece
};

} // namespace alltold::simulate
