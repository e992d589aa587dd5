// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/link_turns.hpp"

namespace alltold::simulate {
namespace {

/// Linux, tcp_small_queue_check.
constexpr double most_queued_s = 1e-3;
constexpr double fewest_packets = 2;
/// Drivers' rings and token buckets hold some; more than two change little.
constexpr double packets_in_device = 2;
/// Calls of more messages take turns of so many packets.
constexpr int many_messages = 150;
constexpr double coarse_packets = 8;

double whole(double bytes, double packet_bytes) {
    return std::floor(bytes / packet_bytes * (1 + LinkTurns::rounding)) * packet_bytes;
}

} // namespace

LinkTurns::LinkTurns(std::span<const Link* const> ports, std::size_t flows, int messages,
                     const LinkNetwork& links)
    : packet_bytes_(links.mss_bytes), coarse_(messages > many_messages), flows_(flows) {
    for (const Link* port : ports) {
        const double rate = port->goodput_bytes_per_s;
        hosts_.push_back({.bytes_per_s = rate,
                          .burst_s = port->burst_bytes / rate,
                          .least_turn_bytes =
                              has_packets() ? std::max(fewest_packets * packet_bytes_,
                                                       whole(rate * most_queued_s, packet_bytes_))
                                            : 0,
                          .device_s = packets_in_device * packet_bytes_ / rate});
    }
}

double LinkTurns::turn_bytes(const Flow& flow, const Host& host) const {
    const double first_bytes = messages_[static_cast<std::size_t>(flow.first)].bytes;
    if (!has_packets())
        return first_bytes;
    constexpr double share = 1. / 4;
    const auto at_once = [&](double bytes, double least_bytes) {
        return std::max(least_bytes, whole(bytes * share, packet_bytes_));
    };
    if (coarse_)
        return std::min(first_bytes, at_once(first_bytes, coarse_packets * packet_bytes_));
    const double packets_bytes = whole(flow.bytes, packet_bytes_);
    return packets_bytes > 0 ? std::min(packets_bytes, at_once(flow.bytes, host.least_turn_bytes))
                             : flow.bytes;
}

void LinkTurns::join(std::size_t host, std::size_t flow, const TcpWindows::Segment& segment,
                     double bytes) {
    if (idle_messages_.empty()) {
        idle_messages_.push_back(static_cast<std::int32_t>(messages_.size()));
        messages_.emplace_back();
    }
    const auto own = idle_messages_.back();
    idle_messages_.pop_back();
    message(own) = {.segment = segment, .bytes = bytes};
    auto& of = flows_[flow];
    of.bytes += bytes;
    if (of.first == none) {
        of.first = own;
        hosts_[host].turns.push_back({flow, turn_bytes(of, hosts_[host])});
    } else {
        message(of.last).next = own;
    }
    of.last = own;
}

bool LinkTurns::waits(std::size_t host) const {
    const auto& turns = hosts_[host].turns;
    const auto& part = hosts_[host].part;
    return turns.size() > 1 || (!turns.empty() && (!part || flows_[turns.front().flow].bytes >
                                                                part->bytes * (1 + rounding)));
}

const LinkTurns::Part& LinkTurns::begin(std::size_t host, double now_s) {
    auto& [bytes_per_s, burst_s, least_turn_bytes, device_s, turns, part, sent_s] = hosts_[host];
    auto& turn = turns.front();
    auto& own = message(flows_[turn.flow].first);
    const bool beyond_turn = turns.size() == 1 && own.bytes > turn.bytes;
    const double bytes = beyond_turn ? own.bytes : std::min(own.bytes, turn.bytes);
    turn.bytes = std::max(turn.bytes, bytes);
    const double starts_s = std::max(now_s, sent_s - burst_s);
    sent_s = std::max(now_s, sent_s) + bytes / bytes_per_s;
    const double ends_s = std::max(starts_s, sent_s - burst_s);
    part = {.segment = own.segment,
            .bytes = bytes,
            .starts_s = starts_s,
            .ends_s = ends_s,
            .taken_s = std::max(now_s, ends_s - device_s),
            .fixed = !beyond_turn};
    part->segment.last = own.segment.last && bytes >= own.bytes * (1 - rounding);
    own.segment.first = false;
    own.segment.window_bytes = 0; // the first part takes all of the window
    return *part;
}

bool LinkTurns::shorten(std::size_t host, double now_s) {
    auto& [bytes_per_s, burst_s, least_turn_bytes, device_s, turns, part, sent_s] = hosts_[host];
    if (part->fixed)
        return false;
    const double taken_bytes = part->bytes - std::max(0., part->taken_s - now_s) * bytes_per_s;
    const double count = std::max(1., std::ceil(taken_bytes / least_turn_bytes * (1 - rounding)));
    double left_bytes = std::min(part->bytes, count * least_turn_bytes);
    // Less than a packet still waits for those before it.
    const bool is_all = flows_[turns.front().flow].bytes <= part->bytes * (1 + rounding);
    if (const double full_bytes = whole(part->bytes, packet_bytes_);
        is_all && taken_bytes <= full_bytes)
        left_bytes = std::min(left_bytes, full_bytes);
    const double cut_bytes = part->bytes - left_bytes;
    if (cut_bytes <= part->bytes * rounding)
        return false;
    part->bytes -= cut_bytes;
    sent_s -= cut_bytes / bytes_per_s;
    part->ends_s = std::max({part->starts_s, sent_s - burst_s, now_s});
    part->taken_s = std::max(now_s, part->ends_s - device_s);
    part->segment.last = false;
    part->fixed = true;
    turns.front().bytes = part->bytes;
    return true;
}

void LinkTurns::end(std::size_t host) {
    auto& turns = hosts_[host].turns;
    auto& part = hosts_[host].part;
    auto& turn = turns.front();
    const auto flow = turn.flow;
    auto& of = flows_[flow];
    auto& own = message(of.first);
    own.bytes -= part->bytes;
    of.bytes -= part->bytes;
    turn.bytes -= part->bytes;
    const double least_bytes = part->bytes * rounding;
    part.reset();
    if (own.bytes <= least_bytes) {
        idle_messages_.push_back(of.first);
        of.first = own.next;
        if (of.first == none)
            of = {};
    }
    if (of.first != none && turn.bytes > least_bytes)
        return; // the turn goes on with the next message
    turns.erase(turns.begin());
    if (of.first != none)
        turns.push_back({flow, turn_bytes(of, hosts_[host])});
}

} // namespace alltold::simulate
