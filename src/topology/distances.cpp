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
    std::ranges::stable_sort(sorted, {}, [](const auto& edge) { return edge.time_s; });
    Sets sets(hosts);
    std::erase_if(sorted, [&](const auto& edge) { return !sets.join(edge); });
    return sorted;
}

/// The share of edges that noise may put into a gap during a search.
constexpr double stray_share = 0.05;

/// Whether the gap between the ascending edges i - 1 and i counts; with `stray` edges in it.
bool gap_below(const Edges& edges, std::size_t i, std::size_t stray, const Separation& rule) {
    const double below_s = edges[i - 1].time_s;
    const double above_s = edges[std::min(i + stray, edges.size() - 1)].time_s;
    return above_s >= rule.ratio * below_s && above_s - below_s >= rule.least_s;
}

/// Returns hosts that a cut must not leave alone to their nearest group: first hosts next to a
/// group, then those behind other lone hosts.
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

/// The subtrees that remain of a tree, given by its ascending edges, when only the edges before
/// `below` are kept; subtrees without edges are omitted.
std::vector<Edges> subtrees_of(int hosts, const Edges& edges, std::size_t below,
                               const Separation& rule, Stage stage) {
    Sets sets(hosts);
    for (std::size_t i = 0; i < below; ++i)
        sets.join(edges[i]);
    if (stage == Stage::answer)
        take_lone_hosts_back(edges, below, rule, sets);
    std::vector<Edges> subtrees(static_cast<std::size_t>(hosts));
    for (const auto& edge : edges)
        if (const int subtree = sets.find(edge.first); subtree == sets.find(edge.second))
            subtrees[static_cast<std::size_t>(subtree)].push_back(edge);
    std::erase_if(subtrees, [](const auto& subtree) { return subtree.empty(); });
    return subtrees;
}

/// Cuts a tree at the highest gap allowed, then its subtrees likewise.
void cut(int hosts, const Edges& edges, const Separation& rule, Stage stage, Sets& groups) {
    const auto stray =
        stage == Stage::answer
            ? std::size_t{0}
            : static_cast<std::size_t>(stray_share * static_cast<double>(edges.size()));
    for (auto below = edges.size(); below-- > 1;) {
        if (!gap_below(edges, below, stray, rule))
            continue;
        const auto subtrees = subtrees_of(hosts, edges, below, rule, stage);
        std::size_t with_neighbour = subtrees.size(); // a tree has one host more than edges
        for (const auto& subtree : subtrees)
            with_neighbour += subtree.size();
        const bool whole = subtrees.size() == 1 && subtrees.front().size() == edges.size();
        if (whole || (stage == Stage::answer && 2 * with_neighbour < edges.size() + 1))
            continue;
        for (const auto& subtree : subtrees)
            cut(hosts, subtree, rule, stage, groups);
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
