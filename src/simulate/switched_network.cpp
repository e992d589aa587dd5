// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/switched_network.hpp"

namespace alltold::simulate {
namespace {

/// The most bytes that a host sends between a byte and its acknowledgement, without queueing.
double round_trip_bytes(const LinkNetwork& links, int clusters) {
    double most = 0;
    for (int from = 0; from < clusters; ++from)
        for (int to = 0; to < clusters; ++to)
            if (from != to)
                most = std::max(most, links.port_of(from).goodput_bytes_per_s * 2 *
                                          links.latency_between_s(from, to));
    return most;
}

/// Latency of messages between hosts of a cluster, without the headers of a lone packet, which each
/// link carries and the switch waits for.
double port_latency_s(const LinkNetwork& links, const Link& port) {
    const double headers_s = links.with_headers(0) / port.goodput_bytes_per_s;
    return std::max(0., port.latency_s - (1 + links.store_and_forward) * headers_s);
}

/// Likewise the latency that the backbone adds: one switch more.
double across_latency_s(const LinkNetwork& links, const Link& path) {
    const double headers_s = links.with_headers(0) / path.goodput_bytes_per_s;
    return std::max(0., path.latency_s - links.store_and_forward * headers_s);
}

FluidQueue queue_of(const LinkNetwork& links, const Link& link) {
    assert(link.goodput_bytes_per_s > 0);
    return {link.goodput_bytes_per_s, links.held_bytes(link), link.burst_bytes};
}

/// For turns on hosts' links.
std::size_t flows_of(const EventGraph& graph, const LinkNetwork& links) {
    return static_cast<std::size_t>(links.mss_bytes > 0 ? graph.connections() : graph.ranks());
}

std::size_t hosts_of(const EventGraph& graph, const Clusters& clusters) {
    return static_cast<std::size_t>(clusters.one_rank_per_host() ? graph.ranks()
                                                                 : clusters.hosts());
}

/// By host. Clusters matter only where there is a backbone.
std::vector<const Link*> ports_of(const EventGraph& graph, const LinkNetwork& links,
                                  const Clusters& clusters) {
    std::vector<const Link*> ports;
    for (std::size_t host = 0; host < hosts_of(graph, clusters); ++host)
        ports.push_back(
            &links.port_of(links.backbone ? clusters.cluster_of_host(static_cast<int>(host)) : 0));
    return ports;
}

} // namespace

SwitchedNetwork::SwitchedNetwork(const EventGraph& graph, const LinkNetwork& links,
                                 const Clusters& clusters, const Options& options)
    : graph_(graph), links_(links), options_(options), flow_bytes_(graph),
      has_downlinks_(clusters.count() > 2),
      processor_free_s_(static_cast<std::size_t>(graph.ranks())),
      turns_(ports_of(graph, links, clusters), flows_of(graph, links), graph.messages(), links),
      end_awaited_(hosts_of(graph, clusters)), leaving_(hosts_of(graph, clusters)),
      entered_s_(flows_of(graph, links)), trip_of_(static_cast<std::size_t>(graph.size())),
      windows_(graph.connections(), links,
               links.backbone ? round_trip_bytes(links, clusters.count()) : 0) {
    for (const Link* port : ports_of(graph, links, clusters))
        ports_.push_back(queue_of(links, *port));
    for (int rank = 0; rank < graph.ranks(); ++rank) {
        cluster_.push_back(links.backbone ? clusters.cluster_of(rank) : 0);
        const int host = clusters.one_rank_per_host() ? rank : clusters.host_of(rank);
        host_.push_back(static_cast<std::size_t>(host));
    }
    for (int c = 0; c < clusters.count(); ++c)
        port_s_.push_back(port_latency_s(links, links.port_of(c)));
    if (!clusters.one_rank_per_host()) {
        assert(links.memory);
        copied_s_.resize(processor_free_s_.size());
        copies_.resize(copied_s_.size(), {links.memory->copy_bytes_per_s, 0});
        memories_.resize(ports_.size(), {links.memory->shared_bytes_per_s, 0});
    }
    if (links.connection_bytes_per_s > 0) {
        connection_free_s_.resize(static_cast<std::size_t>(graph.connections()));
        carried_s_.resize(static_cast<std::size_t>(graph.size()));
    }
    if (links.backbone)
        join_clusters(clusters.count());
}

void SwitchedNetwork::join_clusters(int clusters) {
    for (int c = 0; c < clusters; ++c)
        uplinks_.push_back(queue_of(links_, links_.uplink(c, clusters)));
    downlinks_ = uplinks_;
    for (int high = 1; high < clusters; ++high)
        for (int low = 0; low < high; ++low) {
            const Link& path = links_.path(low, high);
            across_s_.push_back(across_latency_s(links_, path));
            for (int way = 0; way < 2; ++way)
                own_links_.push_back(links_.has_own_link(low, high, clusters)
                                         ? std::optional(queue_of(links_, path))
                                         : std::nullopt);
        }
}

double SwitchedNetwork::packet_s(const Trip& trip, double rate) const {
    return links_.store_and_forward * std::min(links_.full_segment_bytes(), trip.bytes) / rate;
}

/// How much later a packet that comes at this rate enters hop `number` since a switch waited for
/// all of it. The backbone ends in one such switch, the last one before the port.
double SwitchedNetwork::forwarding_s(const Trip& trip, int number, double rate) const {
    return number + 1 == trip.count && !stays_on_host(trip.send) ? packet_s(trip, rate) : 0;
}

double SwitchedNetwork::begin(Agenda& agenda, std::int32_t send, double now_s) {
    auto& free_s = processor_free_s_[rank_index(send)];
    free_s = std::max(now_s, free_s) + processor_s(send);
    if (stays_on_host(send))
        return copy(agenda, send, free_s);
    pace(send, free_s);
    if (is_eager(send))
        agenda.add(free_s, What::left, send);
    // Another rank's send may join the link earlier, and so may a segment that a window allows.
    if (memories_.empty() && !windows_.matter() && is_idle(host_index(send), now_s))
        depart(agenda, whole(send), free_s);
    else
        agenda.add(free_s, at_link, send);
    return free_s;
}

void SwitchedNetwork::reach_link(Agenda& agenda, std::int32_t send, double now_s) {
    const auto& node = graph_[send];
    if (!has_windows(send)) {
        depart(agenda, whole(send), now_s);
        return;
    }
    windows_.add(node.connection, send, node.weight_bytes());
    depart_allowed(agenda, send, now_s);
}

void SwitchedNetwork::pace(std::int32_t send, double now_s) {
    if (carried_s_.empty())
        return;
    auto& free_s = connection_free_s_[static_cast<std::size_t>(graph_[send].connection)];
    free_s = std::max(now_s, free_s) + graph_[send].weight_bytes() / links_.connection_bytes_per_s;
    carried_s_[static_cast<std::size_t>(send)] = free_s;
}

/// To another rank of the host. Returns when the first byte is copied.
double SwitchedNetwork::copy(Agenda& agenda, std::int32_t send, double now_s) {
    auto& copied_s = copied_s_[rank_index(send)];
    const double starts_s = std::max(now_s, copied_s);
    auto& trip = new_trip(whole(send), send, graph_[send].weight_bytes());
    trip.bytes_per_s = links_.memory->copy_bytes_per_s;
    copied_s = starts_s + trip.bytes / trip.bytes_per_s;
    agenda.add(copied_s, What::left, send);
    trip.hops[0].head_s = starts_s;
    trip.hops[0].tail_s = copied_s;
    agenda.add(starts_s, at_hop(0, head), send);
    agenda.add(copied_s, at_hop(0, tail), send);
    return starts_s;
}

/// Sends as much as the window of this send's connection allows.
void SwitchedNetwork::depart_allowed(Agenda& agenda, std::int32_t send, double now_s) {
    while (const auto segment = windows_.take_segment(graph_[send].connection))
        depart(agenda, *segment, now_s);
}

void SwitchedNetwork::depart(Agenda& agenda, const TcpWindows::Segment& segment, double now_s) {
    const auto host = host_index(segment.send);
    if (turns_.current(host) && is_idle(host, now_s))
        turns_.end(host);
    turns_.join(host, flow_of(segment.send), segment, links_.with_headers(segment.bytes));
    const auto& part = turns_.current(host);
    if (!part) {
        begin_part(agenda, host, now_s);
        return;
    }
    const bool shortened = turns_.shorten(host, now_s);
    if (shortened)
        leave_host(agenda, host);
    if (shortened || !end_awaited_[host]) {
        end_awaited_[host] = true;
        agenda.add(part->taken_s, part_ends, static_cast<std::int32_t>(host));
    }
}

bool SwitchedNetwork::is_idle(std::size_t host, double now_s) const {
    const auto& part = turns_.current(host);
    return !part || (part->taken_s <= now_s && !end_awaited_[host]);
}

/// From the host's link to the first queue.
double SwitchedNetwork::first_latency_s(const Trip& trip) const {
    const double all_s = port_s(trip.send);
    return trip.count == 1 ? all_s : all_s / 2;
}

void SwitchedNetwork::begin_part(Agenda& agenda, std::size_t host, double now_s) {
    const auto& part = turns_.begin(host, now_s);
    auto number = part.segment.send;
    if (!part.segment.first) {
        number = static_cast<std::int32_t>(trip_of_.size());
        trip_of_.push_back(-1);
    }
    leaving_[host] = number;
    auto& trip = new_trip(part.segment, number, part.bytes);
    trip.bytes_per_s = port_of(trip.send).goodput_bytes_per_s;
    auto& head_s = trip.hops[0].head_s;
    head_s = part.starts_s + first_latency_s(trip) + packet_s(trip, trip.bytes_per_s);
    if (has_packets())
        head_s = std::max(head_s, entered_s_[flow_of(part.segment.send)]);
    agenda.add(head_s, at_hop(0, head), number);
    if (part.fixed)
        leave_host(agenda, host);
    end_awaited_[host] = !part.fixed || turns_.waits(host);
    if (end_awaited_[host])
        agenda.add(part.taken_s, part_ends, static_cast<std::int32_t>(host));
}

void SwitchedNetwork::end_part(Agenda& agenda, std::size_t host, double now_s) {
    if (!turns_.current(host)->fixed)
        leave_host(agenda, host);
    turns_.end(host);
    if (turns_.waits(host))
        begin_part(agenda, host, now_s);
}

/// When it is known when the current part leaves.
void SwitchedNetwork::leave_host(Agenda& agenda, std::size_t host) {
    const auto& part = *turns_.current(host);
    auto& trip = trip_of(leaving_[host]);
    trip.bytes = part.bytes;
    trip.last = part.segment.last;
    if (trip.last && !is_eager(trip.send))
        agenda.add(std::max(part.ends_s, carried_s(trip.send)), What::left, trip.send);
    auto& hop = trip.hops[0];
    hop.tail_s = part.ends_s + first_latency_s(trip);
    if (!trip.packet) {
        hop.tail_s += packet_s(trip, port_of(trip.send).goodput_bytes_per_s);
        hop.tail_s = std::max(hop.tail_s, hop.head_s);
        agenda.add(hop.tail_s, at_hop(0, tail), leaving_[host]);
    }
    if (has_packets())
        entered_s_[flow_of(trip.send)] = std::max(hop.head_s, hop.tail_s);
}

SwitchedNetwork::Trip& SwitchedNetwork::new_trip(const TcpWindows::Segment& segment,
                                                 std::int32_t number, double bytes) {
    if (idle_trips_.empty()) {
        idle_trips_.push_back(static_cast<std::int32_t>(trips_.size()));
        trips_.emplace_back();
    }
    trip_of_[static_cast<std::size_t>(number)] = idle_trips_.back();
    auto& trip = trips_[static_cast<std::size_t>(idle_trips_.back())];
    idle_trips_.pop_back();
    const auto send = segment.send;
    trip.count = 0;
    trip.send = send;
    trip.bytes = bytes;
    trip.bytes_per_s = trip.counted_s = 0;
    trip.window_bytes = segment.window_bytes;
    trip.last = segment.last;
    trip.packet = !stays_on_host(send) && bytes <= links_.mss_bytes * (1 + LinkTurns::rounding);
    const auto add = [&](FluidQueue& queue, double latency_s) {
        trip.hops[static_cast<std::size_t>(trip.count++)] = {
            .queue = &queue, .latency_s = latency_s, .losses = {}};
    };
    const auto receive = graph_[send].partner;
    if (stays_on_host(send)) {
        add(memories_[host_index(send)], 0);
        add(copies_[rank_index(receive)], 0);
        return trip;
    }
    if (crosses(send)) {
        const double to_port_s = port_s(receive) / 2;
        const int from = cluster_of(send), to = cluster_of(receive);
        const auto path = LinkNetwork::path_index(from, to);
        auto& own = own_links_[2 * path + (from > to)];
        const bool passes_downlink = has_downlinks_ && !own;
        add(own ? *own : uplinks_[static_cast<std::size_t>(from)],
            passes_downlink ? across_s_[path] : across_s_[path] + to_port_s);
        if (passes_downlink)
            add(downlinks_[static_cast<std::size_t>(to)], to_port_s);
    }
    add(ports_[host_index(receive)], 0);
    return trip;
}

void SwitchedNetwork::handle(Agenda& agenda, const Event& event) {
    if (event.what == landed) {
        if (const double there_s = carried_s(event.index) + port_s(graph_[event.index].partner);
            !carried_s_.empty() && event.time_s < there_s)
            agenda.add(there_s, landed, event.index);
        else
            land(agenda, event.index, event.time_s);
        return;
    }
    if (event.what == at_link) {
        reach_link(agenda, event.index, event.time_s);
        return;
    }
    if (event.what == part_ends) {
        const auto host = static_cast<std::size_t>(event.index);
        // Else it was shortened, and has ended.
        if (const auto& part = turns_.current(host); part && part->taken_s == event.time_s)
            end_part(agenda, host, event.time_s);
        return;
    }
    if (event.what == acknowledged) {
        const auto [send, window_bytes] = unacknowledged_[static_cast<std::size_t>(event.index)];
        windows_.acknowledge(graph_[send].connection, window_bytes);
        depart_allowed(agenda, send, event.time_s);
        return;
    }
    const auto number = trip_of_[static_cast<std::size_t>(event.index)];
    if (number < 0)
        return; // all bytes arrived earlier and are counted
    auto& trip = trips_[static_cast<std::size_t>(number)];
    const int what = static_cast<int>(event.what) - static_cast<int>(What::network);
    const int hop_number = what / steps;
    auto& hop = trip.hops[static_cast<std::size_t>(hop_number)];
    if (what % steps == head) {
        if (trip.packet)
            enter_packet(agenda, event.index, trip, hop_number, event.time_s);
        else
            enter(agenda, event.index, trip, hop_number, event.time_s);
    } else if (what % steps == tail && trip.packet) {
        leave_packet(event.index, trip, hop_number, event.time_s);
    } else if (what % steps == tail) {
        leave(agenda, event.index, trip, hop_number, event.time_s);
    } else if (hop.flows) {
        hop.queue->end_flow(event.time_s, hop.bytes_per_s);
        hop.flows = false;
    }
}

void SwitchedNetwork::enter(Agenda& agenda, std::int32_t segment, Trip& trip, int number,
                            double now_s) {
    auto& hop = trip.hops[static_cast<std::size_t>(number)];
    if (number == 0) {
        hop.bytes_per_s = trip.bytes_per_s;
    } else if (hop.tail_s < 0) {
        const auto& before = trip.hops[static_cast<std::size_t>(number) - 1];
        hop.bytes_per_s = before.queue->rate_behind(before.bytes_per_s);
        agenda.add(hop.head_s + trip.bytes / hop.bytes_per_s, at_hop(number, counted), segment);
    } else if (hop.tail_s > hop.head_s) {
        hop.bytes_per_s = trip.bytes / (hop.tail_s - hop.head_s);
    }
    hop.queue->begin_flow(now_s, hop.bytes_per_s);
    hop.flows = true;
    hop.losses.begin(*hop.queue);
    if (number + 1 == trip.count) {
        expect_acknowledgement(agenda, segment, trip, now_s + hop.queue->wait_s(now_s));
        return;
    }
    auto& next = trip.hops[static_cast<std::size_t>(number) + 1];
    next.head_s = now_s + hop.queue->wait_s(now_s) + hop.latency_s +
                  forwarding_s(trip, number + 1, hop.queue->drain_bytes_per_s());
    agenda.add(next.head_s, at_hop(number + 1, head), segment);
}

/// Knows at once when the packet leaves: what comes later waits for it.
void SwitchedNetwork::enter_packet(Agenda& agenda, std::int32_t segment, Trip& trip, int number,
                                   double now_s) {
    auto& hop = trip.hops[static_cast<std::size_t>(number)];
    const double drain = hop.queue->drain_bytes_per_s();
    const double left_s = std::max(hop.queue->packet_leaves_s(now_s, trip.bytes), hop.tail_s);
    const double starts_s = std::max(now_s, left_s - trip.bytes / drain);
    double counted_s = now_s + trip.bytes / std::max(trip.bytes_per_s, drain);
    // Not before the previous queue has counted them, as where it forwards bits as they come.
    counted_s = std::max(counted_s, trip.counted_s);
    hop.bytes_per_s = trip.bytes / (counted_s - now_s);
    hop.queue->begin_packet(now_s, hop.bytes_per_s, trip.bytes);
    hop.losses.begin(*hop.queue);
    agenda.add(counted_s, at_hop(number, tail), segment);
    trip.bytes_per_s = drain;
    trip.counted_s = counted_s;
    if (number + 1 == trip.count) {
        expect_acknowledgement(agenda, segment, trip, starts_s);
        if (trip.last)
            agenda.add(left_s + hop.latency_s, landed, trip.send);
        return;
    }
    auto& next = trip.hops[static_cast<std::size_t>(number) + 1];
    next.head_s = starts_s + hop.latency_s + forwarding_s(trip, number + 1, drain);
    next.tail_s = left_s + hop.latency_s;
    agenda.add(next.head_s, at_hop(number + 1, head), segment);
}

/// The first byte reaches the receiver at `there_s`; its acknowledgement does not queue.
void SwitchedNetwork::expect_acknowledgement(Agenda& agenda, std::int32_t segment, const Trip& trip,
                                             double there_s) {
    if (!has_windows(trip.send))
        return;
    if (unacknowledged_.size() < trip_of_.size())
        unacknowledged_.resize(trip_of_.size());
    unacknowledged_[static_cast<std::size_t>(segment)] = {trip.send, trip.window_bytes};
    const int from = cluster_of(trip.send), to = cluster_of(graph_[trip.send].partner);
    agenda.add(there_s + links_.ports_latency_s(from, to) + links_.path(from, to).latency_s,
               acknowledged, segment);
}

void SwitchedNetwork::leave(Agenda& agenda, std::int32_t segment, Trip& trip, int number,
                            double now_s) {
    auto& hop = trip.hops[static_cast<std::size_t>(number)];
    const double counted_bytes = hop.bytes_per_s * (now_s - hop.head_s);
    hop.losses.end(*hop.queue);
    if (hop.flows)
        hop.queue->end_flow(now_s, hop.bytes_per_s, trip.bytes - counted_bytes);
    hop.flows = false;
    count_losses(trip, hop, now_s);
    const double gone_s = now_s + hop.queue->wait_s(now_s) + hop.latency_s;
    if (number + 1 < trip.count) {
        auto& next = trip.hops[static_cast<std::size_t>(number) + 1];
        // From where all of the last packet is, it leaves at the next queue's rate.
        const double rate =
            std::max(hop.queue->drain_bytes_per_s(), next.queue->drain_bytes_per_s());
        const double whole_s = gone_s + forwarding_s(trip, number + 1, rate);
        next.tail_s = std::max(whole_s, next.head_s); // equal up to rounding
        agenda.add(next.tail_s, at_hop(number + 1, tail), segment);
        return;
    }
    if (trip.last)
        agenda.add(gone_s, landed, trip.send);
    forget(segment);
}

/// All of its bytes are counted.
void SwitchedNetwork::leave_packet(std::int32_t segment, Trip& trip, int number, double now_s) {
    auto& hop = trip.hops[static_cast<std::size_t>(number)];
    hop.losses.end(*hop.queue);
    hop.queue->end_packet(now_s, hop.bytes_per_s);
    count_losses(trip, hop, now_s);
    if (number + 1 == trip.count)
        forget(segment);
}

void SwitchedNetwork::count_losses(const Trip& trip, const Hop& hop, double now_s) {
    if (!hop.losses.any(*hop.queue))
        return;
    const auto timeout = hop.losses.count(
        *hop.queue, now_s, trip.bytes,
        std::min(port_of(trip.send).goodput_bytes_per_s,
                 port_of(graph_[trip.send].partner).goodput_bytes_per_s),
        links_.timeout_s, crosses(trip.send) ? flow_bytes_.with(trip.send) : INFINITY,
        links_.packet_bytes());
    if (!timeout)
        return;
    // One of a message, whose parts may all have lost.
    if (timeout_of_.empty())
        timeout_of_.resize(static_cast<std::size_t>(graph_.size()), -1);
    auto& number = timeout_of_[static_cast<std::size_t>(trip.send)];
    if (number < 0) {
        number = static_cast<std::int32_t>(timeouts_.size());
        timeouts_.push_back(*timeout);
    } else if (auto& known = timeouts_[static_cast<std::size_t>(number)];
               timeout->chance > known.chance) {
        known = *timeout;
    }
}

void SwitchedNetwork::forget(std::int32_t segment) {
    auto& number = trip_of_[static_cast<std::size_t>(segment)];
    idle_trips_.push_back(number);
    number = -1;
}

void SwitchedNetwork::land(Agenda& agenda, std::int32_t send, double now_s) {
    auto& free_s = processor_free_s_[rank_index(graph_[send].partner)];
    free_s = std::max(now_s, free_s) + processor_s(send);
    agenda.add(free_s, What::delivered, send);
}

double SwitchedNetwork::handshake_s(std::int32_t send) const {
    if (stays_on_host(send))
        return 2 * links_.memory->latency_s;
    const double latency_s =
        links_.latency_between_s(cluster_of(send), cluster_of(graph_[send].partner));
    return 2 * (latency_s + 2 * links_.start_up_s);
}

void SwitchedNetwork::report(Times& times) const {
    const auto list = [](const std::vector<FluidQueue>& queues, std::vector<QueueLoad>& loads) {
        for (const auto& queue : queues)
            loads.push_back(queue.load());
    };
    list(ports_, times.ports);
    list(uplinks_, times.uplinks);
    list(downlinks_, times.downlinks);
    for (const auto& queue : own_links_)
        if (queue)
            times.uplinks.push_back(queue->load());
    times.timeouts = timeouts_;
    times.windows_delay = windows_.delayed();
}

} // namespace alltold::simulate
