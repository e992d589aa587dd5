// SPDX-License-Identifier: BSD-3-Clause
// The weighted message exchange digraph (MED) of SMT07, section 4, and its lower bounds on a
// network.
#pragma once

#include "network/hockney/hockney_fit.hpp"

namespace alltold {

/// Which process sends how many bytes to which; not the network's topology.
class MessageDigraph {
  public:
    /// One message; its weight w(from, to) is size_bytes >= 0. An empty message is a message: it
    /// costs a start-up.
    struct Arc {
        int from = 0;
        int to = 0;
        double size_bytes = 0;
    };

    /// A digraph of n >= 1 processes without messages.
    explicit MessageDigraph(int n);

    /// Adds a message between two different processes of 0..n-1, at most one per ordered pair.
    void add(Arc arc);

    int n() const { return static_cast<int>(sent_.size()); }
    const std::vector<Arc>& arcs() const { return arcs_; }

    /// Delta_s and Delta_r: the most messages any process sends, receives.
    int out_degree() const;
    int in_degree() const;
    /// The most bytes any process sends, receives: t_s and t_r without beta.
    double most_sent_bytes() const;
    double most_received_bytes() const;
    /// The most that this process sends, or receives.
    double most_bytes(int process) const {
        const auto i = static_cast<std::size_t>(process);
        return std::max(sent_[i].size_bytes, received_[i].size_bytes);
    }

    /// Fewest start-ups one after the other: SMT07 claim 1, max(Delta_s, Delta_r).
    int startups() const;
    /// Least time for bandwidth alone, forwarding or not: SMT07 claim 2, max(t_s, t_r).
    double bandwidth_bound_s(const Hockney& network) const;
    /// Least time without forwarding, if the model is synchronous or both maxima are of one
    /// process: SMT07 claim 3, max(Delta_s, Delta_r) alpha + max(t_s, t_r).
    double bound_s(const Hockney& network) const;

  private:
    struct Load {
        int messages = 0;
        double size_bytes = 0;
    };
    std::vector<Arc> arcs_;
    std::vector<Load> sent_;
    std::vector<Load> received_;
};

struct ExchangeBounds {
    int startups = 0;       ///< claim 1: start-ups one after the other
    double bandwidth_s = 0; ///< claim 2: with or without forwarding
    double total_s = 0;     ///< claim 3: without forwarding, and sends are synchronous
    /// total_s where sends need not be synchronous: the most that any one process must spend
    /// sending, or receiving. Equals total_s where one process reaches both maxima of claim 3.
    double total_any_s = 0;
};

/// With one rank per host.
ExchangeBounds exchange_bounds(const MessageDigraph& messages, const Hockney& network);

} // namespace alltold
