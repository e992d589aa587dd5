// SPDX-License-Identifier: BSD-3-Clause
// A grid of rankings; bands of n, and in each the fewest intervals of m.
#include "predict/decision_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "predict/rank.hpp"
#include "predict/resolve.hpp"
#include "predict/segment_search.hpp"

namespace alltold {
namespace {

constexpr int size_doublings = 22; ///< up to 4 MiB; the last rule covers all larger sizes

/// One collective on one number of clusters.
class Table {
  public:
    Table(const Network& network, const TableRequest& request, const Clusters& hosts,
          Collective collective)
        : network_(network), request_(request), hosts_(hosts), collective_(collective) {
        for (int n = std::max(2, hosts.count()); n <= request.most_ranks; n = next(n))
            ranks_.push_back(n);
        for (int i = 0; i <= size_doublings; ++i)
            sizes_.push_back(std::uint64_t{1} << i);
    }

    std::vector<Rule> rules() {
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            rank_all(i);
        drop_rankless();
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            score_all(i);
        std::vector<Rule> rules;
        for (std::size_t first = 0; first < ranks_.size();) {
            auto last = first;
            while (last + 1 < ranks_.size() && worth_merging(first, last))
                ++last;
            write(rules, first, last);
            first = last + 1;
        }
        return rules;
    }

  private:
    /// Choices for neighbouring sizes, from sizes_[first] on.
    struct Piece {
        std::size_t first;
        std::size_t choice;
    };

    /// 2, 3, 4, 6, 8, 11, 16, 21, 32, ...: between powers of two, where several trees are equally
    /// good, numbers where they are not.
    static int next(int n) {
        return n < 4                                           ? n + 1
               : std::has_single_bit(static_cast<unsigned>(n)) ? n * 5 / 4 + 1
                                                               : (n - 1) * 8 / 5;
    }

    double time_s(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const {
        auto what = choices_[choice];
        // A segment is at most the message; the rule states it nevertheless.
        if (what.parameters.segment_bytes > size_bytes)
            what.parameters.segment_bytes = size_bytes;
        // `resolve` completes the rule at each call.
        const auto clusters = spread(hosts_, ranks_[i]);
        const auto resolved = resolve({collective_, clusters, size_bytes}, &network_,
                                      {.choice = what, .simulations = &simulations_});
        if (!resolved)
            return std::numeric_limits<double>::infinity();
        const auto evaluated =
            evaluate(network_, collective_, clusters, size_bytes, *resolved, &simulations_);
        return evaluated ? evaluated->time_s.value : std::numeric_limits<double>::infinity();
    }

    /// Rounds to few distinct values: 1, 2, 4, ... packets per segment. Windows are rounded down,
    /// since buffers limit them.
    Choice rounded(Choice choice) const {
        auto& parameters = choice.parameters;
        if (auto& segment_bytes = parameters.segment_bytes; segment_bytes > 0) {
            const auto payload_bytes = packet_payload_bytes(network_);
            const auto packets = in_whole_packets(segment_bytes, payload_bytes) / payload_bytes;
            segment_bytes = payload_bytes << std::lround(std::log2(packets));
        }
        if (choice.algorithm && choice.algorithm->name == "alltoall.lg_small")
            return choice; // whose window is the size of a cluster
        for (auto* window : {&parameters.window, &parameters.inter_cluster_window})
            *window = static_cast<int>(std::bit_floor(static_cast<unsigned>(*window)));
        return choice;
    }

    void rank_all(std::size_t i) {
        best_s_.emplace_back();
        winners_.emplace_back();
        for (const auto size_bytes : sizes_) {
            auto ranking =
                rank(network_, collective_, spread(hosts_, ranks_[i]), size_bytes, &simulations_);
            const auto* first = ranking ? first_runnable(*ranking) : nullptr;
            if (!first) {
                best_s_.back().clear();
                return;
            }
            best_s_.back().push_back(first->time_s.value);
            const auto choice = rounded(first->choice);
            auto known = std::find(choices_.begin(), choices_.end(), choice);
            if (known == choices_.end())
                known = choices_.insert(known, choice);
            winners_.back().push_back(static_cast<std::size_t>(known - choices_.begin()));
        }
    }

    /// Drops the numbers of ranks from the first one that cannot be ranked.
    void drop_rankless() {
        const auto bad = std::find_if(best_s_.begin(), best_s_.end(),
                                      [](const auto& row) { return row.empty(); });
        best_s_.erase(bad, best_s_.end());
        ranks_.resize(best_s_.size());
    }

    /// Whether the choice was the best for a similar number of ranks and size. Others hardly
    /// qualify, and checking them costs simulations.
    bool won_nearby(std::size_t choice, std::size_t i, std::size_t j) const {
        constexpr std::size_t ranks_away = 1, sizes_away = 3;
        const auto last_i = std::min(i + ranks_away, ranks_.size() - 1);
        const auto last_j = std::min(j + sizes_away, sizes_.size() - 1);
        for (auto near_i = i - std::min(i, ranks_away); near_i <= last_i; ++near_i)
            for (auto near_j = j - std::min(j, sizes_away); near_j <= last_j; ++near_j)
                if (winners_[near_i][near_j] == choice)
                    return true;
        return false;
    }

    /// The acceptable choices at ranks_[i]: within the tolerance, or else the best.
    void score_all(std::size_t i) {
        auto& good = good_.emplace_back(choices_.size(), std::vector<bool>(sizes_.size()));
        for (std::size_t j = 0; j < sizes_.size(); ++j) {
            std::vector<double> losses;
            for (std::size_t c = 0; c < choices_.size(); ++c)
                losses.push_back(won_nearby(c, i, j) ? time_s(c, i, sizes_[j]) / best_s_[i][j] - 1
                                                     : std::numeric_limits<double>::infinity());
            const double least = *std::min_element(losses.begin(), losses.end());
            for (std::size_t c = 0; c < choices_.size(); ++c)
                good[c][j] = losses[c] <= std::max(request_.tolerance, least);
        }
    }

    /// The fewest intervals of sizes with an acceptable choice at all of ranks_[first..last]; empty
    /// if there are none.
    std::vector<Piece> pieces(std::size_t first, std::size_t last) const {
        const auto reach = [&](std::size_t choice, std::size_t from) {
            for (std::size_t j = from; j < sizes_.size(); ++j)
                for (auto i = first; i <= last; ++i)
                    if (!good_[i][choice][j])
                        return j;
            return sizes_.size();
        };
        std::vector<Piece> found;
        for (std::size_t from = 0; from < sizes_.size();) {
            Piece piece{from, 0};
            auto end = from;
            for (std::size_t c = 0; c < choices_.size(); ++c)
                if (const auto reached = reach(c, from); reached > end) {
                    end = reached;
                    piece.choice = c;
                }
            if (end == from)
                return {};
            found.push_back(piece);
            from = end;
        }
        return found;
    }

    /// Whether extending the band by one number of ranks reduces the number of rules.
    bool worth_merging(std::size_t first, std::size_t last) const {
        const auto merged = pieces(first, last + 1);
        return !merged.empty() &&
               merged.size() < pieces(first, last).size() + pieces(last + 1, last + 1).size();
    }

    /// The size, between the grid's two, from which `to` is quicker than `from` over the band.
    std::uint64_t crossover(std::size_t first, std::size_t last, std::size_t from, std::size_t to,
                            std::size_t j) const {
        auto low = sizes_[j - 1], high = sizes_[j];
        for (int step = 0; step < 4 && high - low > 1; ++step) {
            const auto middle = low + (high - low) / 2;
            double gain = 0;
            for (auto i = first; i <= last; ++i)
                gain += std::log(time_s(from, i, middle) / time_s(to, i, middle));
            (gain > 0 ? high : low) = middle;
        }
        return high;
    }

    void write(std::vector<Rule>& rules, std::size_t first, std::size_t last) const {
        const bool open = last + 1 == ranks_.size();
        Rule rule;
        rule.collective = collective_;
        rule.ranks = {first == 0 ? 1 : static_cast<std::uint64_t>(ranks_[first]),
                      open ? Span::endless : static_cast<std::uint64_t>(ranks_[last + 1]) - 1};
        rule.clusters = {static_cast<std::uint64_t>(hosts_.count()),
                         static_cast<std::uint64_t>(hosts_.count())};
        std::uint64_t from_bytes = 0;
        const auto found = pieces(first, last);
        for (std::size_t p = 0; p < found.size(); ++p) {
            const bool ends = p + 1 < found.size();
            const auto next_bytes = ends ? crossover(first, last, found[p].choice,
                                                     found[p + 1].choice, found[p + 1].first)
                                         : 0;
            rule.size_bytes = {from_bytes, ends ? next_bytes - 1 : Span::endless};
            rule.choice = choices_[found[p].choice];
            rules.push_back(rule);
            from_bytes = next_bytes;
        }
    }

    const Network& network_;
    const TableRequest& request_;
    const Clusters& hosts_;
    Collective collective_;
    std::vector<int> ranks_;
    std::vector<std::uint64_t> sizes_;
    std::vector<Choice> choices_;
    mutable SimulationCache simulations_;              ///< mutable: a cache
    std::vector<std::vector<double>> best_s_;          ///< [ranks][size]
    std::vector<std::vector<std::size_t>> winners_;    ///< [ranks][size], a choice
    std::vector<std::vector<std::vector<bool>>> good_; ///< [ranks][choice][size]
};

} // namespace

Clusters spread(const Clusters& clusters, int n) {
    std::vector<int> sizes;
    int left = n, hosts_left = clusters.ranks();
    for (int c = 0; c < clusters.count(); ++c) {
        const int after = clusters.count() - c - 1; // each of them gets one at least
        const auto share = std::lround(static_cast<double>(left) * clusters.size(c) / hosts_left);
        sizes.push_back(std::clamp(static_cast<int>(share), 1, std::max(1, left - after)));
        left -= sizes.back();
        hosts_left -= clusters.size(c);
    }
    return Clusters(std::move(sizes));
}

std::vector<Rule> decision_table(const Network& network, const TableRequest& request) {
    std::vector<Rule> rules;
    std::vector<Clusters> shapes{Clusters({request.clusters.ranks()})};
    if (request.clusters.count() > 1)
        shapes.push_back(request.clusters);
    for (const auto collective :
         {Collective::bcast, Collective::scatter, Collective::gather, Collective::alltoall})
        for (const auto& shape : shapes) {
            const auto more = Table(network, request, shape, collective).rules();
            rules.insert(rules.end(), more.begin(), more.end());
        }
    return rules;
}

} // namespace alltold
