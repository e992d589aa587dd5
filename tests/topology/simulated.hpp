// SPDX-License-Identifier: BSD-3-Clause
// A network to probe that knows the truth.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "topology/find_clusters.hpp"

namespace alltold::topology_tests {

/// Hosts in clusters, with distances that noise makes longer.
class Simulated {
  public:
    Simulated(std::vector<int> cluster_of, double intra_cluster_s, double inter_cluster_s,
              double noise, std::uint64_t seed)
        : cluster_of_(std::move(cluster_of)), intra_cluster_s_(intra_cluster_s),
          inter_cluster_s_(inter_cluster_s), noise_(noise), random_(seed) {}

    int hosts() const { return static_cast<int>(cluster_of_.size()); }
    const std::vector<int>& truth() const { return cluster_of_; }

    /// One round; a host in two pairs, or a host with itself, fails the test.
    std::vector<double> probe(std::span<const HostPair> pairs) {
        std::vector<double> times_s;
        std::set<int> busy;
        for (const auto& [a, b] : pairs) {
            EXPECT_TRUE(busy.insert(a).second && busy.insert(b).second) << a << " " << b;
            const bool intra_cluster = cluster(a) == cluster(b);
            // The least of several round trips: mostly little above the truth, at times a lot.
            const double spread = random_.uniform() < 0.02 ? 20 * noise_ : noise_;
            times_s.push_back((intra_cluster ? intra_cluster_s_ : inter_cluster_s_) *
                              (1 + spread * random_.uniform()));
        }
        return times_s;
    }

    Result<Grouping> find(const SearchOptions& options = {}) {
        return find_clusters(
            hosts(), [this](auto pairs) { return Result<std::vector<double>>(probe(pairs)); },
            options);
    }

  private:
    int cluster(int host) const { return cluster_of_[static_cast<std::size_t>(host)]; }

    std::vector<int> cluster_of_;
    double intra_cluster_s_;
    double inter_cluster_s_;
    double noise_;
    Random random_;
};

/// Hosts of clusters of these sizes: one after the other, or dealt out in turn like cards.
inline std::vector<int> hosts_of(std::vector<int> sizes, bool in_turn) {
    std::vector<int> cluster_of;
    if (!in_turn)
        for (std::size_t c = 0; c < sizes.size(); ++c)
            cluster_of.insert(cluster_of.end(), static_cast<std::size_t>(sizes[c]),
                              static_cast<int>(c));
    else
        for (bool dealt = true; dealt;) {
            dealt = false;
            for (std::size_t c = 0; c < sizes.size(); ++c)
                if (sizes[c]-- > 0) {
                    cluster_of.push_back(static_cast<int>(c));
                    dealt = true;
                }
        }
    return cluster_of;
}

} // namespace alltold::topology_tests
