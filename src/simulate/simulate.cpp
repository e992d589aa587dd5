// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/simulate.hpp"

#include <fmt/format.h>

#include "simulate/switched_network.hpp"

namespace alltold::simulate {
namespace {

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

/// pLogP: gaps at both ends, a latency between them, no contention inside.
/// A message begun at t occupies its sender until t + g(m) and has arrived at t + L + g(m), or g(m)
/// after the receiver's previous one if that is later; the two sides of a rank are independent
/// (Kielmann et al. 2000). A handshake takes 2g(1) + 2L and occupies no rank (BM04, table 1).
class PLogPNetwork {
  public:
    PLogPNetwork(const EventGraph& graph, const PLogP& model)
        : graph_(graph), model_(model), gap_s_(model.g_s),
          receiver_free_s_(static_cast<std::size_t>(graph.ranks())) {}

    double begin(Agenda& agenda, std::int32_t send, double now_s) {
        const double left_s = now_s + gap_s_(graph_[send].weight_bytes());
        agenda.add(left_s, What::left, send);
        agenda.add(now_s + model_.L_s.value, head, send);
        return left_s;
    }

    void handle(Agenda& agenda, const Event& event) {
        const auto receiver = graph_[graph_[event.index].partner].rank;
        auto& free_s = receiver_free_s_[static_cast<std::size_t>(receiver)];
        free_s = std::max(free_s, event.time_s) + gap_s_(graph_[event.index].weight_bytes());
        agenda.add(free_s, What::delivered, event.index);
    }

    bool is_eager(std::int32_t) const { return false; }
    double handshake_s(std::int32_t) const { return 2 * model_.g_s(1) + 2 * model_.L_s.value; }
    void report(Times&) const {}

  private:
    static constexpr What head = network_event(0); ///< the first byte is at the receiver

    const EventGraph& graph_;
    const PLogP& model_;
    CachedCurve gap_s_;
    std::vector<double> receiver_free_s_;
};

template <typename Network>
Result<Times> simulate_on(const EventGraph& graph, Network network, const Options& options) {
    return EventLoop<Network>(graph, network, options).run();
}

} // namespace

Result<Times> run(const EventGraph& graph, const PLogP& model, const Options& options) {
    return simulate_on(graph, PLogPNetwork(graph, model), options);
}

Result<Times> run(const EventGraph& graph, const ClusterModel& model, const Options& options) {
    auto with_copies = options;
    with_copies.copy = model.copy_memory_to_memory;
    return simulate_on(graph, ClusterNetwork(graph, model), with_copies);
}

Result<Times> run(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters,
                  const Options& options) {
    const bool hosts_shared = !clusters.one_rank_per_host();
    if ((links.backbone || hosts_shared) && clusters.ranks() != graph.ranks())
        return bad_input(fmt::format("clusters {} hold {} ranks, but {} ranks are to be simulated",
                                     clusters.text(), clusters.ranks(), graph.ranks()));
    if (hosts_shared && !links.memory)
        return bad_input(std::string(memory_unknown));
    const auto placed = links.on(clusters);
    return simulate_on(graph, SwitchedNetwork(graph, placed, clusters, options), options);
}

bool may_fill_windows(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters) {
    if (links.initial_window_bytes <= 0 || clusters.count() == 1)
        return false;
    const double packet_bytes = links.initial_window_bytes / segments_at_first;
    const double window_bytes = links.window_bytes > 0
                                    ? std::min(links.initial_window_bytes, links.window_bytes)
                                    : links.initial_window_bytes;
    std::map<std::pair<int, int>, double> carried_bytes;
    for (std::int32_t i = 0; i < graph.size(); ++i)
        if (const auto& node = graph[i]; node.is_outgoing()) {
            const int to = graph[node.partner].rank;
            if (clusters.cluster_of(node.rank) != clusters.cluster_of(to) &&
                (carried_bytes[{node.rank, to}] += std::max(node.weight_bytes(), packet_bytes)) >
                    window_bytes)
                return true;
        }
    return false;
}

} // namespace alltold::simulate
