// SPDX-License-Identifier: BSD-3-Clause
// Chooses the pairs to probe next.
#include "topology/find_clusters.hpp"

#include <algorithm>
#include <numeric>

#include "core/statistics.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

/// Probes between two groups before they count as different.
constexpr int enough_probes = 2;

class Search {
  public:
    Search(int hosts, const Probe& probe, const SearchOptions& options)
        : hosts_(hosts), probe_(probe), options_(options) {}

    Result<Grouping> run();

  private:
    using Members = std::vector<std::vector<int>>; ///< hosts of each group, largest group first
    /// How often each two groups have been probed, by their places in Members.
    class Counts {
      public:
        explicit Counts(std::size_t groups) : groups_(groups), counts_(groups * groups) {}
        int& of(std::size_t a, std::size_t b) {
            return counts_[std::min(a, b) * groups_ + std::max(a, b)];
        }

      private:
        std::size_t groups_;
        std::vector<int> counts_;
    };

    Members groups() const;
    Counts counts(const Members& members) const;
    Status meet_at_random();
    Result<bool> meet_between_groups();
    Result<bool> check_calmly();
    Status take(const Round& pairs);
    void conclude();
    bool allowed() const { return found_.pairs < most_pairs_a_host * hosts_; }

    int hosts_;
    const Probe& probe_;
    SearchOptions options_;
    std::vector<Distance> known_;
    Grouping found_;
};

Search::Members Search::groups() const {
    const auto group_of = group_by_distance(hosts_, known_, options_.rule, Stage::search);
    Members members(static_cast<std::size_t>(1 + std::ranges::max(group_of)));
    for (int host = 0; host < hosts_; ++host)
        members[static_cast<std::size_t>(group_of[static_cast<std::size_t>(host)])].push_back(host);
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return members;
}

Search::Counts Search::counts(const Members& members) const {
    std::vector<std::size_t> place(static_cast<std::size_t>(hosts_));
    for (std::size_t group = 0; group < members.size(); ++group)
        for (const int host : members[group])
            place[static_cast<std::size_t>(host)] = group;
    Counts counts(members.size());
    for (const auto& pair : known_)
        ++counts.of(place[static_cast<std::size_t>(pair.first)],
                    place[static_cast<std::size_t>(pair.second)]);
    return counts;
}

Status Search::take(const Round& pairs) {
    ALLTOLD_TRY(times_s, probe_(pairs));
    assert(times_s->size() == pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        known_.push_back({pairs[i].first, pairs[i].second, (*times_s)[i]});
    found_.pairs += static_cast<int>(pairs.size());
    ++found_.rounds;
    return Done{};
}

/// Rounds of a round-robin tournament of the hosts in random order: no pair repeats, and with up to
/// nine hosts all pairs occur.
Status Search::meet_at_random() {
    std::vector<int> order(static_cast<std::size_t>(hosts_));
    std::iota(order.begin(), order.end(), 0);
    Random random(options_.seed);
    for (auto i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.index(i)]);
    for (const auto& pairs : tournament(order, static_cast<std::size_t>(options_.first_rounds)))
        ALLTOLD_TRY_DONE(take(pairs));
    return Done{};
}

/// One round between groups that have not been probed often enough; false when there are none.
Result<bool> Search::meet_between_groups() {
    auto members = groups();
    auto counts = this->counts(members);
    std::vector<HostPair> pairs;
    // Members are taken from the back; the least recently probed come first again.
    for (auto& group : members)
        std::rotate(group.begin(), group.begin() + found_.rounds % static_cast<int>(group.size()),
                    group.end());
    for (auto small = members.size(); small-- > 1;)
        for (std::size_t large = 0; large < small && !members[small].empty(); ++large) {
            if (members[large].empty() || counts.of(large, small) >= enough_probes)
                continue;
            pairs.push_back({members[large].back(), members[small].back()});
            members[large].pop_back();
            members[small].pop_back();
            ++counts.of(large, small);
        }
    if (pairs.empty())
        return false;
    ALLTOLD_TRY_DONE(take(pairs));
    return true;
}

/// Probes each pair of groups once more, at most one pair per group at a time. True if some groups
/// joined: others may then be close to them as well.
Result<bool> Search::check_calmly() {
    const auto members = groups();
    std::vector<int> places(members.size());
    std::iota(places.begin(), places.end(), 0);
    const auto rounds = tournament(places);
    for (std::size_t round = 0; round < rounds.size(); ++round) {
        const auto member = [&](int place) {
            const auto& group = members[static_cast<std::size_t>(place)];
            return group[round % group.size()];
        };
        Round pairs;
        for (const auto& [one, other] : rounds[round])
            pairs.push_back({member(one), member(other)});
        ALLTOLD_TRY_DONE(take(pairs));
    }
    return groups().size() < members.size();
}

void Search::conclude() {
    found_.cluster_of = group_by_distance(hosts_, known_, options_.rule, Stage::answer);
    const auto cluster = [&](int host) {
        return found_.cluster_of[static_cast<std::size_t>(host)];
    };
    std::vector<double> intra_cluster_s;
    std::vector<double> inter_cluster_s;
    for (const auto& pair : known_)
        (cluster(pair.first) == cluster(pair.second) ? intra_cluster_s : inter_cluster_s)
            .push_back(pair.time_s);
    found_.intra_cluster_s = intra_cluster_s.empty() ? 0 : median(intra_cluster_s);
    found_.inter_cluster_s = inter_cluster_s.empty() ? 0 : median(inter_cluster_s);
}

Result<Grouping> Search::run() {
    if (hosts_ > 1)
        ALLTOLD_TRY_DONE(meet_at_random());
    for (bool searching = hosts_ > 2; searching;) {
        Result<bool> met = true;
        while (met && *met && allowed())
            met = meet_between_groups();
        if (!met)
            return met.error();
        const bool settled = !*met;
        ALLTOLD_TRY(joined, settled ? check_calmly() : Result<bool>(false));
        searching = *joined && allowed();
    }
    conclude();
    return found_;
}

} // namespace

int Grouping::clusters() const {
    return 1 + std::ranges::max(cluster_of);
}

Result<Grouping> find_clusters(int hosts, const Probe& probe, const SearchOptions& options) {
    assert(hosts >= 1);
    return Search(hosts, probe, options).run();
}

std::vector<Round> tournament(std::span<const int> players, std::size_t most_rounds) {
    constexpr int nobody = -1;
    std::vector<int> seats(players.begin(), players.end());
    if (seats.size() % 2 != 0)
        seats.push_back(nobody);
    std::vector<Round> rounds;
    const auto count = std::min(most_rounds, players.size() < 2 ? 0 : seats.size() - 1);
    while (rounds.size() < count) {
        auto& round = rounds.emplace_back();
        for (std::size_t i = 0; i < seats.size() / 2; ++i)
            if (const int first = seats[i], second = seats[seats.size() - 1 - i];
                first != nobody && second != nobody)
                round.push_back({first, second});
        std::rotate(seats.begin() + 1, seats.end() - 1, seats.end());
    }
    return rounds;
}

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
