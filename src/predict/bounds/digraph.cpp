// SPDX-License-Identifier: BSD-3-Clause
#include "predict/bounds/digraph.hpp"

namespace alltold {

MessageDigraph::MessageDigraph(int n)
    : sent_(static_cast<std::size_t>(n)), received_(static_cast<std::size_t>(n)) {
    assert(n >= 1);
}

void MessageDigraph::add(Arc arc) {
    assert(arc.from != arc.to && arc.from >= 0 && arc.to >= 0);
    assert(arc.from < n() && arc.to < n() && arc.size_bytes >= 0);
    for (Load* load : {&sent_[static_cast<std::size_t>(arc.from)],
                       &received_[static_cast<std::size_t>(arc.to)]}) {
        ++load->messages;
        load->size_bytes += arc.size_bytes;
    }
    arcs_.push_back(arc);
}

int MessageDigraph::out_degree() const {
    return std::ranges::max(sent_, {}, &Load::messages).messages;
}

int MessageDigraph::in_degree() const {
    return std::ranges::max(received_, {}, &Load::messages).messages;
}

double MessageDigraph::most_sent_bytes() const {
    return std::ranges::max(sent_, {}, &Load::size_bytes).size_bytes;
}

double MessageDigraph::most_received_bytes() const {
    return std::ranges::max(received_, {}, &Load::size_bytes).size_bytes;
}

int MessageDigraph::startups() const {
    return std::max(out_degree(), in_degree());
}

double MessageDigraph::bandwidth_bound_s(const Hockney& network) const {
    return std::max(most_sent_bytes(), most_received_bytes()) * network.beta_s_per_byte;
}

double MessageDigraph::bound_s(const Hockney& network) const {
    return startups() * network.alpha_s + bandwidth_bound_s(network);
}

ExchangeBounds exchange_bounds(const MessageDigraph& messages, const Hockney& network) {
    const auto n = static_cast<std::size_t>(messages.n());
    std::vector<double> sending_s(n), receiving_s(n);
    for (const auto& arc : messages.arcs()) {
        sending_s[static_cast<std::size_t>(arc.from)] += network.time_s(arc.size_bytes);
        receiving_s[static_cast<std::size_t>(arc.to)] += network.time_s(arc.size_bytes);
    }
    return {messages.startups(), messages.bandwidth_bound_s(network), messages.bound_s(network),
            std::max(std::ranges::max(sending_s), std::ranges::max(receiving_s))};
}

} // namespace alltold
