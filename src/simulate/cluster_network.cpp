// SPDX-License-Identifier: BSD-3-Clause
// The stages a message passes under the cluster model.
#include "simulate/cluster_network.hpp"

#include <algorithm>
#include <cmath>

namespace alltold::simulate {

ClusterNetwork::ClusterNetwork(const EventGraph& graph, const ClusterModel& model)
    : graph_(graph), model_(model), O_s_(model.O_s), g_s_(model.g_s), g_r_(model.g_r),
      O_r_(model.O_r),
      hosts_(static_cast<std::size_t>(graph.ranks()), {0, 0, 0, 0, {1, model.buffer_bytes}}),
      flows_(static_cast<std::size_t>(graph.size())) {}

double ClusterNetwork::begin(Agenda& agenda, std::int32_t send, double now_s) {
    auto& host = host_of(send);
    auto& flow = flow_of(send);
    const double size = graph_[send].weight_bytes();
    flow.packets = model_.packets_of(size);
    const double packet = flow.packets.size_bytes;
    const double overhead_s = O_s_(packet), gap_s = g_s_(packet);
    const double each_s = std::max(overhead_s, gap_s);
    const int last = flow.packets.count - 1;
    const double ready_s = std::max(now_s, host.processor_free_s) + overhead_s;
    const double enters_s = std::max(ready_s, host.sender_free_s);
    const double entered_s = enters_s + last * each_s;
    host.processor_free_s = ready_s + last * overhead_s;
    host.sender_free_s = entered_s + gap_s;

    // A short message does not overtake the long one before it on the same link.
    const double transfer_s = model_.L_s(packet, graph_.ranks());
    const auto at_port_s = [&](int packets) {
        return std::max(enters_s + (packets - 1) * each_s + transfer_s, host.last_byte_s);
    };
    // A message sent over a gap also arrives over a gap, as far as it fits into the transfer.
    flow.head_s = at_port_s(1) - std::min(gap_s, transfer_s);
    agenda.add(flow.head_s, head, send);
    for (int part = 0; part < flow.parts(); ++part)
        agenda.add(at_port_s(flow.packets_until(part + 1)), tail(part), send);
    host.last_byte_s = at_port_s(flow.packets.count);
    const double inflow_s = host.last_byte_s - flow.head_s;
    flow.bytes_per_s = inflow_s > 0 ? size / inflow_s : 0;
    // From then on it is in the send queue: the caller may go on, and the next send's processor
    // time overlaps this one's gap.
    agenda.add(entered_s, What::left, send);
    return entered_s;
}

void ClusterNetwork::handle(Agenda& agenda, const Event& event) {
    const auto send = event.index;
    if (event.what == head) {
        auto& port = receiver_of(send).port;
        auto& flow = flow_of(send);
        if (const double gap_s = g_r_(flow.packets.size_bytes); gap_s > 0)
            port.set_drain(event.time_s, flow.packets.size_bytes / gap_s);
        port.begin_flow(event.time_s, flow.bytes_per_s);
        flow.losses.begin(port);
    } else if (event.what < landed(0)) {
        arrive(agenda, event, static_cast<int>(event.what) - static_cast<int>(tail(0)));
    } else {
        take_in(agenda, event, static_cast<int>(event.what) - static_cast<int>(landed(0)));
    }
}

/// All bytes of a part have come to the port.
void ClusterNetwork::arrive(Agenda& agenda, const Event& event, int part) {
    const auto send = event.index;
    auto& host = receiver_of(send);
    auto& flow = flow_of(send);
    if (part + 1 == flow.parts()) {
        const double size = graph_[send].weight_bytes();
        flow.losses.end(host.port);
        host.port.end_flow(event.time_s, flow.bytes_per_s, flow.bytes_per_s > 0 ? 0 : size);
        const double packet = flow.packets.size_bytes;
        if (const auto timeout =
                flow.losses.count(host.port, event.time_s, size, packet / g_r_(packet),
                                  model_.timeout_s, INFINITY, model_.packet_bytes))
            timeouts_.push_back(*timeout);
    }
    const int packets = flow.packets_until(part + 1) - flow.packets_until(part);
    host.receiver_free_s =
        std::max(event.time_s, host.receiver_free_s + packets * g_r_(flow.packets.size_bytes));
    agenda.add(host.receiver_free_s, landed(part), send);
}

/// A part is in memory. Its packets came one after the other, so that the processor has had time
/// for all but the last.
void ClusterNetwork::take_in(Agenda& agenda, const Event& event, int part) {
    const auto send = event.index;
    auto& host = receiver_of(send);
    const auto& flow = flow_of(send);
    const double packet = flow.packets.size_bytes;
    const int packets = flow.packets_until(part + 1) - flow.packets_until(part);
    const double each_s = O_r_(packet) + model_.U_r_s;
    const double first_s = event.time_s - (packets - 1) * g_r_(packet);
    host.processor_free_s = std::max(event.time_s + each_s,
                                     std::max(first_s, host.processor_free_s) + packets * each_s);
    if (part + 1 == flow.parts())
        agenda.add(host.processor_free_s, What::delivered, send);
}

double ClusterNetwork::handshake_s(std::int32_t) const {
    return 2 * (model_.O_s(1) + model_.L_s(1, graph_.ranks()) + model_.O_r(1) + model_.U_r_s);
}

void ClusterNetwork::report(Times& times) const {
    for (const auto& host : hosts_)
        times.ports.push_back(host.port.load());
    times.timeouts = timeouts_;
}

} // namespace alltold::simulate
