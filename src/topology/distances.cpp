// SPDX-License-Identifier: BSD-3-Clause
// The shortest spanning forest by Kruskal 1956, and where it is cut.
#include "topology/distances.hpp"

#include <algorithm>
#include <numeric>

#include "topology/rank_order.hpp"

namespace alltold {
namespace {

using Edges = std::vector<Distance>;

/// Disjoint sets of hosts.
class Sets {
  public:
    explicit Sets(int hosts)
        : parent_(static_cast<std::size_t>(hosts)), size_(static_cast<std::size_t>(hosts), 1) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int find(int host) {
        auto& parent = parent_[static_cast<std::size_t>(host)];
        return parent == host ? host : parent = find(parent);
    }
    int size(int host) { return size_[static_cast<std::size_t>(find(host))]; }
    /// False when both were in one set.
    bool join(int a, int b) {
        a = find(a);
        b = find(b);
        if (a == b)
            return false;
        if (size(a) < size(b))
            std::swap(a, b);
        size_[static_cast<std::size_t>(a)] += size(b);
        parent_[static_cast<std::size_t>(b)] = a;
        return true;
    }
    bool join(const Distance& edge) { return join(edge.first, edge.second); }

  private:
    std::vector<int> parent_;
    std::vector<int> size_;
};

/// Edges of the shortest spanning forest, ascending.
Edges spanning_forest(int hosts, std::span<const Distance> known) {
    Edges sorted(known.begin(), known.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.time_s < b.time_s; });
    Sets sets(hosts);
    std::erase_if(sorted, [&](const auto& edge) { return !sets.join(edge); });
    return sorted;
}

/// Edges that noise may put into a gap while the search goes on, as a share of all.
constexpr double stray_share = 0.05;

/// Whether the gap between the ascending edges i - 1 and i counts; with `stray` edges in it.
bool gap_below(const Edges& edges, std::size_t i, std::size_t stray, const Separation& rule) {
    const double near_s = edges[i - 1].time_s;
    const double far_s = edges[std::min(i + stray, edges.size() - 1)].time_s;
    return far_s >= rule.ratio * near_s && far_s - near_s >= rule.least_s;
}

/// Hosts that a cut leaves alone and that must not be: they go back to the group they are nearest
/// to, those next to groups before those behind other lone hosts.
void take_lone_hosts_back(const Edges& edges, std::size_t below, const Separation& rule,
                          Sets& sets) {
    const double alone_from_s =
        rule.smallest > 1 ? edges.back().time_s * 2 : rule.lone_ratio * edges[below - 1].time_s;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto i = below; i < edges.size() && edges[i].time_s < alone_from_s; ++i) {
            const bool one_is_lone =
                (sets.size(edges[i].first) == 1) != (sets.size(edges[i].second) == 1);
            changed = (one_is_lone && sets.join(edges[i])) || changed;
        }
    }
}

/// The parts of a tree, given by its ascending edges, that are left with those before `below`, each
/// by its own edges; parts without any are not among them.
std::vector<Edges> parts_of(int hosts, const Edges& edges, std::size_t below,
                            const Separation& rule, Stage stage) {
    Sets sets(hosts);
    for (std::size_t i = 0; i < below; ++i)
        sets.join(edges[i]);
    if (stage == Stage::answer)
        take_lone_hosts_back(edges, below, rule, sets);
    std::vector<Edges> parts(static_cast<std::size_t>(hosts));
    for (const auto& edge : edges)
        if (const int part = sets.find(edge.first); part == sets.find(edge.second))
            parts[static_cast<std::size_t>(part)].push_back(edge);
    std::erase_if(parts, [](const auto& part) { return part.empty(); });
    return parts;
}

/// Cuts a tree at the highest gap that may be, and its parts again.
void cut(int hosts, const Edges& edges, const Separation& rule, Stage stage, Sets& groups) {
    const auto stray =
        stage == Stage::answer
            ? std::size_t{0}
            : static_cast<std::size_t>(stray_share * static_cast<double>(edges.size()));
    for (auto below = edges.size(); below-- > 1;) {
        if (!gap_below(edges, below, stray, rule))
            continue;
        const auto parts = parts_of(hosts, edges, below, rule, stage);
        std::size_t with_neighbour = parts.size(); // a tree has one host more than edges
        for (const auto& part : parts)
            with_neighbour += part.size();
        const bool whole = parts.size() == 1 && parts.front().size() == edges.size();
        if (whole || (stage == Stage::answer && 2 * with_neighbour < edges.size() + 1))
            continue;
        for (const auto& part : parts)
            cut(hosts, part, rule, stage, groups);
        return;
    }
    for (const auto& edge : edges)
        groups.join(edge);
}

} // namespace

std::vector<int> group_by_distance(int hosts, std::span<const Distance> known,
                                   const Separation& rule, Stage stage) {
    const auto forest = spanning_forest(hosts, known);
    Sets trees(hosts);
    for (const auto& edge : forest)
        trees.join(edge);
    std::vector<Edges> within(static_cast<std::size_t>(hosts));
    for (const auto& edge : forest)
        within[static_cast<std::size_t>(trees.find(edge.first))].push_back(edge);
    Sets groups(hosts);
    for (const auto& tree : within)
        if (!tree.empty())
            cut(hosts, tree, rule, stage, groups);
    std::vector<int> group_of;
    for (int host = 0; host < hosts; ++host)
        group_of.push_back(groups.find(host));
    return numbered_by_appearance(group_of);
}

} // namespace alltold
