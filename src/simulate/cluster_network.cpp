// SPDX-License-Identifier: BSD-3-Clause
// The stages a message passes under the cluster model.
#include "simulate/cluster_network.hpp"

#include <algorithm>

namespace alltold::simulate {

ClusterNetwork::ClusterNetwork(const EventGraph& graph, const ClusterModel& model)
    : graph_(graph), model_(model), O_s_(model.O_s), g_s_(model.g_s), g_r_(model.g_r),
      O_r_(model.O_r),
      hosts_(static_cast<std::size_t>(graph.ranks()), {0, 0, 0, 0, {1, model.buffer_bytes}}),
      flows_(static_cast<std::size_t>(graph.size())) {}

double ClusterNetwork::begin(Agenda& agenda, std::int32_t send, double now_s) {
    auto& host = host_of(send);
    const double size = graph_[send].weight_bytes();
    const double gap_s = g_s_(size);
    host.processor_free_s = std::max(now_s, host.processor_free_s) + O_s_(size);
    const double enters_s = std::max(host.processor_free_s, host.sender_free_s);
    host.sender_free_s = enters_s + gap_s;
    const double transfer_s = model_.L_s(size, graph_.ranks());
    // A short message does not overtake the long one before it on the same link.
    const double last_byte_s = std::max(enters_s + transfer_s, host.last_byte_s);
    host.last_byte_s = last_byte_s;
    // A message sent over a gap also arrives over a gap, as far as it fits into the transfer.
    const double inflow_s = std::min(gap_s, transfer_s);
    flows_[static_cast<std::size_t>(send)].bytes_per_s = inflow_s > 0 ? size / inflow_s : 0;
    agenda.add(last_byte_s - inflow_s, head, send);
    agenda.add(last_byte_s, tail, send);
    // From then on it is in the send queue: the caller may go on, and the next send's processor
    // time overlaps this one's gap.
    agenda.add(enters_s, What::left, send);
    return enters_s;
}

void ClusterNetwork::handle(Agenda& agenda, const Event& event) {
    const auto send = event.index;
    auto& host = host_of(graph_[send].partner);
    auto& flow = flows_[static_cast<std::size_t>(send)];
    const double size = graph_[send].weight_bytes();
    if (event.what == head) {
        if (const double gap_s = g_r_(size); gap_s > 0)
            host.port.set_drain(event.time_s, size / gap_s);
        host.port.begin_flow(event.time_s, flow.bytes_per_s);
        flow.dropped_before = host.port.dropped_bytes();
    } else if (event.what == tail) {
        host.port.end_flow(event.time_s, flow.bytes_per_s, flow.bytes_per_s > 0 ? 0 : size);
        if (host.port.dropped_bytes() > flow.dropped_before)
            host.port.hit();
        host.receiver_free_s = std::max(event.time_s, host.receiver_free_s + g_r_(size));
        agenda.add(host.receiver_free_s, landed, send);
    } else {
        host.processor_free_s =
            std::max(event.time_s, host.processor_free_s) + O_r_(size) + model_.U_r_s;
        agenda.add(host.processor_free_s, What::delivered, send);
    }
}

double ClusterNetwork::handshake_s(std::int32_t) const {
    return 2 * (model_.O_s(1) + model_.L_s(1, graph_.ranks()) + model_.O_r(1) + model_.U_r_s);
}

void ClusterNetwork::report(Times& times) const {
    for (const auto& host : hosts_)
        times.ports.push_back(host.port.load());
}

} // namespace alltold::simulate
