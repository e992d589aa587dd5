// SPDX-License-Identifier: BSD-3-Clause
// Degrees, weights and claims of a message exchange digraph.
#include "predict/bounds/digraph.hpp"

#include <algorithm>
#include <cassert>

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

} // namespace alltold
