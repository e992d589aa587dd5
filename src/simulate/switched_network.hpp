// SPDX-License-Identifier: BSD-3-Clause
// Links: hosts on switches, a backbone between the switches, and queues where paths meet.
#pragma once

#include "simulate/event_loop.hpp"
#include "simulate/fluid_queue.hpp"
#include "simulate/link_turns.hpp"

namespace alltold::simulate {

/// Bytes by connection. Counted when first asked for, since few calls lose bytes.
class FlowBytes {
  public:
    explicit FlowBytes(const EventGraph& graph) : graph_(graph) {}

    /// All that the sender of `send` sends to its receiver.
    double with(std::int32_t send) {
        if (bytes_.empty()) {
            bytes_.resize(static_cast<std::size_t>(graph_.connections()));
            for (std::int32_t i = 0; i < graph_.size(); ++i)
                if (graph_[i].is_outgoing())
                    of_connection(i) += graph_[i].weight_bytes();
        }
        return of_connection(send);
    }

  private:
    double& of_connection(std::int32_t send) {
        return bytes_[static_cast<std::size_t>(graph_[send].connection)];
    }

    const EventGraph& graph_;
    std::vector<double> bytes_;
};

/// A rank's processor takes start_up_s for each message sent and each received, one at a time. The
/// link of its host carries messages in turns, part by part (LinkTurns); after a pause, it carries
/// as many bytes at once as its burst allows. Ports do likewise. Behind the switch, parts of
/// messages are flows of bytes into first-in-first-out queues: from the cluster to the backbone,
/// from the backbone to the cluster (with more than two clusters), and at the receiver's port. A
/// pair of clusters with a link of its own (LinkNetwork::has_own_link) has one queue each way
/// instead of the backbone's. Messages that meet at a port therefore share it, and the last byte of
/// all arrives when the port has forwarded everything. But one packet leaves as a whole before
/// those that come after it.
///
/// Messages between ranks of one host are copies and take neither link nor port. Each of both
/// processors takes half of the memory's latency. A rank copies one message after another out, and
/// one after another in, at the memory's rate of one pair, and all copies of a host share a queue
/// of the rate of all pairs, which loses nothing.
///
/// From one queue to the next a message flows at a single rate. If its first byte reaches the next
/// queue before its last byte has reached the previous one, that rate is the message's current
/// share: too high an estimate ends when all bytes are counted, too low a one is corrected when the
/// last byte arrives. Bytes that a finite queue would lose are counted but assumed to arrive in
/// time; messages that may wait for a time-out are reported. A handshake takes 2 (latency + 2
/// start_up_s).
///
/// Connections between clusters have the links' windows, if any: bytes beyond them are
/// sent when the first byte of the previous segment is acknowledged, because from then on
/// acknowledgements arrive as fast as the bytes were forwarded.
class SwitchedNetwork {
  public:
    /// `clusters` holds the graph's ranks where there is a backbone or a host with several ranks;
    /// with the latter the links' memory is known.
    SwitchedNetwork(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters,
                    const Options& options);

    double begin(Agenda& agenda, std::int32_t send, double now_s);
    void handle(Agenda& agenda, const Event& event);
    bool is_eager(std::int32_t send) const {
        return graph_[send].weight_bytes() <= static_cast<double>(options_.buffered_bytes);
    }
    double handshake_s(std::int32_t send) const;
    void report(Times& times) const;

  private:
    static constexpr int max_hops = 3;
    /// The first byte enters hop h; all bytes have been counted there; the last byte has entered.
    enum Step : int { head, counted, tail, steps };
    static constexpr What at_hop(int hop, Step step) { return network_event(steps * hop + step); }
    /// The message is at the receiver's processor.
    static constexpr What landed = network_event(steps * max_hops);
    /// The acknowledgement of the first byte has reached the sender.
    static constexpr What acknowledged = network_event(steps * max_hops + 1);
    /// The processor is done with a send.
    static constexpr What at_link = network_event(steps * max_hops + 2);
    /// The next departure from a host can begin; the index is the host.
    static constexpr What part_ends = network_event(steps * max_hops + 3);

    /// A queue on the path of a segment, and the segment's flow into it.
    struct Hop {
        FluidQueue* queue = nullptr;
        double latency_s = 0; ///< behind the queue, to the next one or the receiver
        double head_s = 0;
        double tail_s = -1; ///< once it is known; of a packet, when all of it is there
        double bytes_per_s = 0;
        bool flows = false; ///< bytes are arriving, or are assumed to
        Losses losses;
    };
    /// A message in flight, or a part of one. The first part of a message has the number of its
    /// send; others are numbered from the number of operations on.
    struct Trip {
        std::array<Hop, max_hops> hops;
        int count = 0;
        std::int32_t send = -1;
        double bytes = 0;        ///< LinkNetwork::with_headers, but for copies
        double bytes_per_s = 0;  ///< at which it leaves the sender; a packet, the queue before
        double counted_s = 0;    ///< when the queue has counted all bytes of a packet
        double window_bytes = 0; ///< what it takes of a window; 0: no window limits it
        bool last = true;        ///< of its message
        bool packet = false;     ///< it is one packet, which nothing interleaves
    };

    /// The queues between so many clusters.
    void join_clusters(int clusters);
    int cluster_of(std::int32_t i) const { return cluster_[rank_index(i)]; }
    std::size_t host_index(std::int32_t i) const { return host_[rank_index(i)]; }
    std::size_t rank_index(std::int32_t i) const {
        return static_cast<std::size_t>(graph_[i].rank);
    }
    bool crosses(std::int32_t send) const {
        return cluster_of(send) != cluster_of(graph_[send].partner);
    }
    bool stays_on_host(std::int32_t send) const {
        return !memories_.empty() && host_index(send) == host_index(graph_[send].partner);
    }
    /// The message in one piece.
    TcpWindows::Segment whole(std::int32_t send) const {
        return {send, graph_[send].weight_bytes(), true, true, 0};
    }
    /// Processor time that a message takes at either end.
    double processor_s(std::int32_t send) const {
        return stays_on_host(send) ? links_.memory->latency_s / 2 : links_.start_up_s;
    }
    /// For turns on the link of the sender's host.
    std::size_t flow_of(std::int32_t send) const {
        const auto& node = graph_[send];
        return static_cast<std::size_t>(has_packets() ? node.connection : node.rank);
    }
    bool has_packets() const { return links_.mss_bytes > 0; }
    bool has_windows(std::int32_t send) const { return windows_.matter() && crosses(send); }
    /// The time for which a switch waits before it forwards a trip's first packet, at this rate.
    double packet_s(const Trip& trip, double rate) const;
    const Link& port_of(std::int32_t i) const { return links_.port_of(cluster_of(i)); }
    double forwarding_s(const Trip& trip, int number, double rate) const;
    void reach_link(Agenda& agenda, std::int32_t send, double now_s);
    double copy(Agenda& agenda, std::int32_t send, double now_s);
    void depart_allowed(Agenda& agenda, std::int32_t send, double now_s);
    void depart(Agenda& agenda, const TcpWindows::Segment& segment, double now_s);
    void begin_part(Agenda& agenda, std::size_t host, double now_s);
    void end_part(Agenda& agenda, std::size_t host, double now_s);
    void leave_host(Agenda& agenda, std::size_t host);
    /// Whether the host's link would begin now with what joined.
    bool is_idle(std::size_t host, double now_s) const;
    double first_latency_s(const Trip& trip) const;
    Trip& trip_of(std::int32_t segment) {
        return trips_[static_cast<std::size_t>(trip_of_[static_cast<std::size_t>(segment)])];
    }
    Trip& new_trip(const TcpWindows::Segment& segment, std::int32_t number, double bytes);
    void enter(Agenda& agenda, std::int32_t segment, Trip& trip, int number, double now_s);
    void enter_packet(Agenda& agenda, std::int32_t segment, Trip& trip, int number, double now_s);
    void leave(Agenda& agenda, std::int32_t segment, Trip& trip, int number, double now_s);
    void leave_packet(std::int32_t segment, Trip& trip, int number, double now_s);
    void count_losses(const Trip& trip, const Hop& hop, double now_s);
    void forget(std::int32_t segment);
    void expect_acknowledgement(Agenda& agenda, std::int32_t segment, const Trip& trip,
                                double there_s);
    void land(Agenda& agenda, std::int32_t send, double now_s);
    /// The send joins its connection.
    void pace(std::int32_t send, double now_s);
    /// Before which its connection cannot have carried all bytes; 0 where that limits nothing.
    double carried_s(std::int32_t send) const {
        return carried_s_.empty() ? 0 : carried_s_[static_cast<std::size_t>(send)];
    }

    const EventGraph& graph_;
    const LinkNetwork& links_;
    const Options& options_;
    /// Latencies without the headers of a lone packet.
    double port_s(std::int32_t i) const { return port_s_[static_cast<std::size_t>(cluster_of(i))]; }
    std::vector<double> port_s_;   ///< by cluster
    std::vector<double> across_s_; ///< by pair of clusters, as LinkNetwork::path_index
    FlowBytes flow_bytes_;
    std::vector<Timeout> timeouts_;
    std::vector<std::int32_t> timeout_of_; ///< per send; empty: none yet
    std::vector<int> cluster_;             ///< per rank
    std::vector<std::size_t> host_;        ///< per rank
    bool has_downlinks_;
    std::vector<double> processor_free_s_; ///< per rank
    std::vector<double> copied_s_;         ///< per rank: when its copies out are done
    LinkTurns turns_;
    std::vector<bool> end_awaited_;     ///< per host: on the agenda
    std::vector<std::int32_t> leaving_; ///< per host: the number of its current part
    std::vector<double> connection_free_s_, carried_s_; ///< per connection, and per send
    std::vector<double> entered_s_; ///< per connection: when its last byte is in the first queue
    std::vector<FluidQueue> ports_, uplinks_, downlinks_;
    /// By pair of clusters with a link of its own, from the one to the other; in the order of
    /// path_index, the lower cluster's first.
    std::vector<std::optional<FluidQueue>> own_links_;
    std::vector<FluidQueue> memories_, copies_; ///< per host, and per receiving rank
    std::vector<Trip> trips_;
    std::vector<std::int32_t> idle_trips_;
    std::vector<std::int32_t> trip_of_; ///< per segment; -1 when all of it has been counted
    TcpWindows windows_;
    struct Acknowledged {
        std::int32_t send;
        double window_bytes;
    };
    std::vector<Acknowledged> unacknowledged_; ///< per segment, of those on their way
};

} // namespace alltold::simulate
