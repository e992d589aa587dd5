// SPDX-License-Identifier: BSD-3-Clause
#include "lab/switch.hpp"

#include <algorithm>
#include <limits>

namespace alltold::lab {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

/// A host's own queue holds TCP back, so its link drops nothing.
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// By host.
std::vector<LinkQueue> links(const LabOptions& options, std::uint64_t queue_bytes) {
    std::vector<LinkQueue> made;
    for (int host = 0; host < options.clusters.hosts(); ++host)
        made.emplace_back(options.nic_of(options.clusters.cluster_of_host(host)), queue_bytes);
    return made;
}

} // namespace

Switch::Switch(const LabOptions& options, Shared& shared, PacketPool& pool)
    : clusters_(options.clusters.leaders()), shared_(shared), pool_(pool),
      delay_ns_(options.wan.delay_s * 1e9), hosts_(links(options, no_limit)),
      ports_(links(options, options.buffer_bytes)),
      up_(static_cast<std::size_t>(clusters_.count()),
          {options.wan.bit_per_s, options.wan.queue_bytes}),
      down_(up_) {
    for (const auto& [pair, wan] : options.pair_wans) {
        const PairLink link{{wan.bit_per_s, wan.queue_bytes}, wan.delay_s * 1e9};
        pairs_.emplace(pair, link);
        pairs_.emplace(ClusterPair(pair.second, pair.first), link);
    }
}

Switch::PairLink* Switch::pair_link(const Packet& packet) {
    if (pairs_.empty())
        return nullptr;
    const auto found =
        pairs_.find({clusters_.cluster_of(packet.from), clusters_.cluster_of(packet.to)});
    return found == pairs_.end() ? nullptr : &found->second;
}

void Switch::accept(double at_ns, Packet* packet) {
    const auto from = static_cast<std::size_t>(packet->from);
    push(hosts_[from].offer(at_ns, packet->bytes), Place::own_switch, packet);
}

Packet* Switch::next(double now_ns) {
    while (!heap_.empty() && heap_.front().at_ns <= now_ns) {
        const Arrival arrival = pop();
        Packet* const packet = arrival.packet;
        switch (arrival.place) {
        case Place::own_switch:
            if (cluster(packet->from) == cluster(packet->to))
                to_port(arrival.at_ns, packet);
            else
                to_uplink(arrival.at_ns, packet);
            break;
        case Place::downlink:
            to_downlink(arrival.at_ns, packet);
            break;
        case Place::port:
            to_port(arrival.at_ns, packet);
            break;
        case Place::target:
            packet->due_ns = arrival.at_ns;
            return packet;
        }
    }
    return nullptr;
}

double Switch::next_ns() const {
    return heap_.empty() ? INFINITY : heap_.front().at_ns;
}

void Switch::push(double at_ns, Place place, Packet* packet) {
    heap_.push_back({at_ns, number_++, place, packet});
    std::push_heap(heap_.begin(), heap_.end(), Later{});
}

Switch::Arrival Switch::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    const Arrival first = heap_.back();
    heap_.pop_back();
    return first;
}

void Switch::to_uplink(double at_ns, Packet* packet) {
    const auto c = cluster(packet->from);
    PairLink* const own = pair_link(*packet);
    const double gone = (own ? own->queue : up_[c]).offer(at_ns, packet->bytes);
    if (carried(shared_.up[c], gone, packet))
        push(gone + (own ? own->delay_ns : delay_ns_), Place::downlink, packet);
}

void Switch::to_downlink(double at_ns, Packet* packet) {
    const auto c = cluster(packet->to);
    const double gone = pair_link(*packet) ? at_ns : down_[c].offer_passing(at_ns, packet->bytes);
    if (carried(shared_.down[c], gone, packet))
        push(gone, Place::port, packet);
}

void Switch::to_port(double at_ns, Packet* packet) {
    const auto to = static_cast<std::size_t>(packet->to);
    const double gone = ports_[to].offer(at_ns, packet->bytes);
    if (taken(shared_.ports[to], gone, packet))
        push(gone, Place::target, packet);
}

bool Switch::carried(LinkCounts& counts, double gone_ns, Packet* packet) {
    if (!taken(counts, gone_ns, packet))
        return false;
    counts.payload_bytes.fetch_add(static_cast<std::uint64_t>(packet->payload_bytes), relaxed);
    return true;
}

bool Switch::taken(QueueCounts& counts, double gone_ns, Packet* packet) {
    if (gone_ns < 0) {
        counts.drops.fetch_add(1, relaxed);
        pool_.give_back(packet);
        return false;
    }
    counts.packets.fetch_add(1, relaxed);
    counts.bytes.fetch_add(static_cast<std::uint64_t>(packet->bytes), relaxed);
    return true;
}

} // namespace alltold::lab
