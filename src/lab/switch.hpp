// SPDX-License-Identifier: BSD-3-Clause
// Computes when packets leave the links of a lab: hosts' links, switch ports, backbone.
#pragma once

#include "lab/frames.hpp"
#include "lab/state.hpp"

namespace alltold::lab {

/// Computes when packets leave a link of a given rate. Times are the caller's, in nanoseconds. The
/// result depends on when a packet arrived, not on when it was noticed, so a late wake-up does not
/// reduce the rate.
class LinkQueue {
  public:
    /// `bit_per_s` above 0; `queue_bytes` includes the packet being sent.
    LinkQueue(double bit_per_s, std::uint64_t queue_bytes)
        : ns_per_byte_(8e9 / bit_per_s),
          queue_ns_(static_cast<double>(queue_bytes) * ns_per_byte_) {}

    /// When its last bit leaves, or -1 if the queue is full and it is dropped. Arrival times must
    /// not decrease.
    double offer(double arrival_ns, int bytes) {
        const double own_ns = bytes * ns_per_byte_;
        const double start = free_ns_ > arrival_ns ? free_ns_ : arrival_ns;
        if (start - arrival_ns + own_ns > queue_ns_)
            return -1;
        return free_ns_ = start + own_ns;
    }

    /// As `offer`, for a packet whose last bit arrives at `arrival_ns` from a link of the same
    /// rate: an idle link forwards each bit as it arrives, so that the packet is not delayed twice.
    double offer_passing(double arrival_ns, int bytes) {
        const double own_ns = bytes * ns_per_byte_;
        const double first_bit = arrival_ns - own_ns;
        const double start = free_ns_ > first_bit ? free_ns_ : first_bit;
        if (start - first_bit > queue_ns_)
            return -1;
        return free_ns_ = start + own_ns;
    }

  private:
    double ns_per_byte_;
    double queue_ns_;
    double free_ns_ = 0; ///< when the last accepted packet has left
};

/// Store and forward: a packet passes its host's link, then, if its target is in another cluster,
/// the uplink, the delay and the downlink, and last the port to its target. A link starts to send a
/// packet only after all of its bits have arrived from the previous link. Only the downlink, as
/// fast as the uplink, forwards bits as they arrive. Clusters with a link of their own have that
/// one and its delay between their switches instead, and count it as uplink and downlink. All times
/// are those at which a last bit leaves or arrives, in nanoseconds of the caller's clock; how late
/// the caller notices a packet or calls changes none of them.
class Switch {
  public:
    /// Counts in `shared`; packets come from `pool`, and dropped ones go back to it.
    Switch(const LabOptions& options, Shared& shared, PacketPool& pool);

    /// `packet` was ready to leave its host at `at_ns`. Times must not decrease for the same host,
    /// and none may be before what was last passed to `next`.
    void accept(double at_ns, Packet* packet);

    /// The next packet whose last bit has left its target's port by `now_ns` (due_ns says when), or
    /// nullptr if there is none.
    Packet* next(double now_ns);

    /// No packet arrives at or leaves a link before this time; infinite if there is none.
    double next_ns() const;

  private:
    enum class Place { own_switch, downlink, port, target };
    /// A packet and when its last bit arrives at a place; the number keeps ties in order.
    struct Arrival {
        double at_ns;
        std::uint64_t number;
        Place place;
        Packet* packet;
    };
    struct Later {
        bool operator()(const Arrival& a, const Arrival& b) const {
            return a.at_ns != b.at_ns ? a.at_ns > b.at_ns : a.number > b.number;
        }
    };

    void push(double at_ns, Place place, Packet* packet);
    Arrival pop();
    void to_uplink(double at_ns, Packet* packet);
    void to_downlink(double at_ns, Packet* packet);
    void to_port(double at_ns, Packet* packet);
    /// Counts a packet that a queue has taken, or dropped if `gone_ns` is below 0.
    bool taken(QueueCounts& counts, double gone_ns, Packet* packet);
    bool carried(LinkCounts& counts, double gone_ns, Packet* packet);
    std::size_t cluster(int host) const {
        return static_cast<std::size_t>(clusters_.cluster_of(host));
    }

    const Clusters clusters_; ///< of hosts
    Shared& shared_;
    PacketPool& pool_;
    /// A link of a pair of clusters, one way.
    struct PairLink {
        LinkQueue queue;
        double delay_ns;
    };
    /// That from the packet's cluster to the other one; nullptr if there is none.
    PairLink* pair_link(const Packet& packet);

    double delay_ns_;
    std::map<ClusterPair, PairLink> pairs_; ///< by the clusters it goes from and to
    std::vector<LinkQueue> hosts_, ports_;  ///< by host
    std::vector<LinkQueue> up_, down_;      ///< by cluster
    std::vector<Arrival> heap_;
    std::uint64_t number_ = 0;
};

} // namespace alltold::lab
