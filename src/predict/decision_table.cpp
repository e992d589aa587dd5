// SPDX-License-Identifier: BSD-3-Clause
// A grid of rankings; bands of n, and in each the fewest intervals of m.
#include "predict/decision_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "predict/library_prediction.hpp"
#include "predict/library_ranking.hpp"
#include "predict/rank.hpp"
#include "predict/resolve.hpp"
#include "predict/safe_choice.hpp"
#include "predict/segment_search.hpp"

namespace alltold {
namespace {

/// Of more clusters only all of them get rules: each number of clusters takes a table.
constexpr int most_subsets_of_clusters = 8;
constexpr int size_doublings = 22; ///< up to 4 MiB; the last rule covers all larger sizes

/// One collective on one number of clusters.
class Table {
  public:
    Table(const Network& network, const TableRequest& request, const Clusters& hosts,
          Collective collective)
        : network_(network), request_(request), hosts_(hosts), collective_(collective),
          second_(from_second_start(network, collective, hosts)) {
        std::set<int> ranks;
        for (int n = std::max(2, hosts.count()); n <= request.most_ranks; n = next(n))
            ranks.insert(n);
        // Where calls were measured most is known.
        if (const auto* library = correction_of(network, collective, hosts, true))
            for (const auto& call : library->calls())
                if (call.clusters.count() == hosts.count() &&
                    call.clusters.ranks() <= request.most_ranks)
                    ranks.insert(call.clusters.ranks());
        ranks_.assign(ranks.begin(), ranks.end());
        for (int i = 0; i <= size_doublings; ++i)
            sizes_.push_back(std::uint64_t{1} << i);
    }

    std::vector<Rule> rules() {
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            if (!rank_all(i))
                ranks_.resize(i);
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

    StartTimes times(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const {
        return times_of(choices_[choice], i, size_bytes);
    }

    StartTimes library_times(std::size_t i, std::uint64_t size_bytes) const {
        return times_of({}, i, size_bytes);
    }

    /// Unknown times are infinite.
    StartTimes times_of(Choice what, std::size_t i, std::uint64_t size_bytes) const {
        constexpr Estimate unknown{INFINITY, INFINITY, INFINITY};
        // A segment is at most the message; the rule states it nevertheless.
        if (what.parameters.segment_bytes > size_bytes)
            what.parameters.segment_bytes = size_bytes;
        const auto clusters = spread(hosts_, ranks_[i]);
        // `resolve` completes the rule at each call.
        const auto resolved = request_.library
                                  ? Result<Choice>(what)
                                  : resolve({collective_, clusters, size_bytes}, &network_,
                                            {.choice = what, .simulations = &simulations_});
        if (!resolved)
            return {unknown};
        const auto time_s = [&](const Network& network) {
            const auto evaluated = evaluated_on(network, clusters, size_bytes, *resolved);
            return evaluated ? evaluated->known_s() : unknown;
        };
        return {time_s(network_),
                second_ ? std::optional(time_s(*second_)) : std::optional<Estimate>()};
    }

    Result<RankedAlgorithm> evaluated_on(const Network& network, const Clusters& clusters,
                                         std::uint64_t size_bytes, const Choice& choice) const {
        if (!request_.library)
            return evaluate(network, collective_, clusters, size_bytes, choice, &simulations_);
        auto evaluated = evaluate_library(network, *request_.library, collective_, clusters,
                                          size_bytes, choice, &simulations_);
        if (evaluated && evaluated->uncharged_loss_bytes > 0)
            return refused("overflows buffers at a cost that is not known");
        return evaluated;
    }

    /// What the rule of a call is to be, with its time; without one no other rule may run there.
    struct Winner {
        std::size_t choice = 0;
        std::optional<StartTimes> times = {};
        std::optional<StartTimes> library = {}; ///< what the rule must beat
        bool measured = false;                  ///< at this very call
    };

    std::size_t number_of(const Choice& choice) {
        const auto known = std::ranges::find(choices_, choice);
        if (known != choices_.end())
            return static_cast<std::size_t>(known - choices_.begin());
        choices_.push_back(choice);
        return choices_.size() - 1;
    }

    /// Empty if only ours are wanted and none can be ranked.
    std::optional<Winner> winner_at(const Clusters& clusters, std::uint64_t size_bytes) {
        if (!request_.ours_only && !library_known(network_, collective_, clusters, size_bytes))
            return Winner{number_of({})};
        const auto ranking = ranking_of(clusters, size_bytes);
        const auto* first = ranking ? first_runnable(*ranking) : nullptr;
        if (!first)
            return request_.ours_only ? std::nullopt : std::optional(Winner{number_of({})});
        if (request_.ours_only)
            return Winner{number_of(rounded(network_, first->choice)), StartTimes{first->time_s}};
        const auto safe = quickest_safe(*ranking, second_times(clusters, size_bytes),
                                        request_.library.has_value());
        if (!safe)
            return Winner{number_of({})};
        const auto choice = safe->measured ? safe->choice : rounded(network_, safe->choice);
        return Winner{number_of(choice), safe->times, safe->library, safe->measured};
    }

    Result<Ranking> ranking_of(const Clusters& clusters, std::uint64_t size_bytes) const {
        return request_.library ? rank_library(network_, *request_.library, collective_, clusters,
                                               size_bytes, &simulations_)
                                : rank(network_, collective_, clusters, size_bytes, &simulations_);
    }

    /// Empty where the second start is not known.
    SecondTime second_times(const Clusters& clusters, std::uint64_t size_bytes) const {
        if (!second_ || !library_known(*second_, collective_, clusters, size_bytes))
            return {};
        return [this, clusters, size_bytes](const Choice& choice) -> std::optional<Estimate> {
            const auto evaluated = evaluated_on(*second_, clusters, size_bytes, choice);
            return evaluated ? std::optional(evaluated->known_s()) : std::nullopt;
        };
    }

    /// False if the number of ranks gets no rules.
    bool rank_all(std::size_t i) {
        auto& row = winners_.emplace_back();
        for (const auto size_bytes : sizes_) {
            const auto winner = winner_at(spread(hosts_, ranks_[i]), size_bytes);
            if (!winner)
                return false;
            row.push_back(*winner);
        }
        reach_out(i);
        return true;
    }

    /// Next to a size at which one of our algorithms was measured to win, it runs where it is
    /// likely quicker.
    void reach_out(std::size_t i) {
        auto& row = winners_[i];
        for (std::size_t j = 0; j < row.size(); ++j)
            for (const auto next : {j - 1, j + 1})
                if (won(i, j) && next < row.size() && !row[next].measured)
                    take_over(row[next], row[j].choice, times(row[j].choice, i, sizes_[next]));
    }

    /// Whether one of ours was measured to be the best of this call.
    bool won(std::size_t i, std::size_t j) const {
        const auto& winner = winners_[i][j];
        return winner.measured && !choices_[winner.choice].is_default();
    }

    void take_over(Winner& winner, std::size_t choice, const StartTimes& times) const {
        if (winner.library && times.value() < winner.times->value() &&
            likely_quicker(times, *winner.library))
            winner = {choice, times, winner.library};
    }

    /// Enough near calls at which ours was measured to win.
    static bool likely_quicker(const StartTimes& ours, const StartTimes& library) {
        constexpr double most_chance = 0.4;
        return ours.value() < library.value() && chance_of_loss(ours, library) < most_chance;
    }

    /// Whether the choice was the best for a similar number of ranks and size. Others hardly
    /// qualify, and checking them costs simulations.
    bool won_nearby(std::size_t choice, std::size_t i, std::size_t j) const {
        constexpr std::size_t ranks_away = 1, sizes_away = 3;
        const auto last_i = std::min(i + ranks_away, ranks_.size() - 1);
        const auto last_j = std::min(j + sizes_away, sizes_.size() - 1);
        for (auto near_i = i - std::min(i, ranks_away); near_i <= last_i; ++near_i)
            for (auto near_j = j - std::min(j, sizes_away); near_j <= last_j; ++near_j)
                if (winners_[near_i][near_j].choice == choice)
                    return true;
        return false;
    }

    /// What a choice loses against the winner where it may run.
    struct Loss {
        double share = INFINITY; ///< how much slower it is; infinite if it may not run there
        double chance = 1;       ///< how likely it is slower at all
    };

    Loss loss(std::size_t choice, std::size_t i, std::size_t j) const {
        const auto& winner = winners_[i][j];
        if (!winner.times)
            return choice == winner.choice ? Loss{0, 0} : Loss{};
        if (!won_nearby(choice, i, j))
            return {};
        auto own = times(choice, i, sizes_[j]);
        if (!winner.times->second_s)
            own.second_s.reset();
        if (choice != winner.choice && winner.library && risky(choice, own, *winner.library))
            return {};
        // Predictions without intervals cannot say that they cannot tell.
        const bool uncertain = std::isfinite(own.usual_s.high);
        return {own.value() / winner.times->value() - 1,
                uncertain ? chance_of_slower(own, *winner.times) : 1};
    }

    /// Whether the odds that one of ours is slower than the library's own are too high.
    bool risky(std::size_t choice, const StartTimes& ours, const StartTimes& library) const {
        return !choices_[choice].is_default() && !is_safe(ours, library);
    }

    /// Within the tolerance, or half as much again where the predictions cannot tell the two apart:
    /// a border between such choices would be noise.
    bool as_good(const Loss& loss) const {
        constexpr double noise = 1.5, not_known = 0.9;
        return loss.share <= request_.tolerance ||
               (loss.share <= noise * request_.tolerance && loss.chance < not_known);
    }

    /// The acceptable choices at ranks_[i]: within the tolerance, or else the best.
    void score_all(std::size_t i) {
        auto& good = good_.emplace_back(choices_.size(), std::vector<bool>(sizes_.size()));
        for (std::size_t j = 0; j < sizes_.size(); ++j) {
            std::vector<Loss> losses;
            for (std::size_t c = 0; c < choices_.size(); ++c)
                losses.push_back(loss(c, i, j));
            const double least = std::ranges::min(losses, {}, &Loss::share).share;
            for (std::size_t c = 0; c < choices_.size(); ++c)
                good[c][j] = losses[c].share <= least || as_good(losses[c]);
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

    /// Whether `to` shall run at this size rather than `from`: it is quicker over the band, unless
    /// one of them is risky there or, `near` calls at which ours was measured to win, not likely
    /// quicker than the library's own.
    bool crossed(std::size_t first, std::size_t last, std::size_t from, std::size_t to,
                 std::uint64_t size_bytes, bool near) const {
        const auto bad = [&](std::size_t choice, const StartTimes& own, const StartTimes& library) {
            return near ? !choices_[choice].is_default() && !likely_quicker(own, library)
                        : risky(choice, own, library);
        };
        double gain = 0;
        for (auto i = first; i <= last; ++i) {
            const auto before = times(from, i, size_bytes), after = times(to, i, size_bytes);
            gain += std::log(before.value() / after.value());
            if (request_.ours_only)
                continue;
            const auto library = library_times(i, size_bytes);
            if (bad(to, after, library))
                return false;
            if (bad(from, before, library))
                return true;
        }
        // Where the library's own time is not known, it keeps what lies between.
        return std::isnan(gain) ? choices_[to].is_default() : gain > 0;
    }

    /// The size, between the grid's two, from which `to` runs instead of `from`: to an eighth of
    /// the interval, for more digits would be noise.
    std::uint64_t crossover(std::size_t first, std::size_t last, std::size_t from, std::size_t to,
                            std::size_t j) const {
        auto low = sizes_[j - 1], high = sizes_[j];
        bool near = true;
        for (auto i = first; i <= last; ++i)
            near = near && (won(i, j - 1) || won(i, j));
        for (int step = 0; step < 3 && high - low > 1; ++step) {
            const auto middle = low + (high - low) / 2;
            (crossed(first, last, from, to, middle, near) ? high : low) = middle;
        }
        return high;
    }

    void write(std::vector<Rule>& rules, std::size_t first, std::size_t last) const {
        const bool is_last = last + 1 == ranks_.size();
        Rule rule;
        rule.collective = collective_;
        rule.ranks = {first == 0 ? 1 : static_cast<std::uint64_t>(ranks_[first]),
                      !is_last             ? static_cast<std::uint64_t>(ranks_[last + 1]) - 1
                      : request_.ours_only ? Span::endless
                                           : static_cast<std::uint64_t>(request_.most_ranks)};
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
    std::optional<Network> second_; ///< as calls from the second start find it
    std::vector<int> ranks_;
    std::vector<std::uint64_t> sizes_;
    std::vector<Choice> choices_;
    mutable SimulationCache simulations_;              ///< mutable: a cache
    std::vector<std::vector<Winner>> winners_;         ///< [ranks][size]
    std::vector<std::vector<std::vector<bool>>> good_; ///< [ranks][choice][size]
};

/// The `count` largest clusters.
Clusters largest(const Clusters& clusters, int count) {
    std::vector<int> kept(static_cast<std::size_t>(clusters.count()));
    std::iota(kept.begin(), kept.end(), 0);
    std::ranges::sort(kept, std::ranges::greater(),
                      [&](int cluster) { return std::pair(clusters.size(cluster), cluster); });
    kept.resize(std::min(kept.size(), static_cast<std::size_t>(count)));
    std::ranges::sort(kept);
    std::vector<int> sizes;
    for (const int cluster : kept)
        sizes.push_back(clusters.size(cluster));
    return Clusters(std::move(sizes));
}

} // namespace

Choice rounded(const Network& network, Choice choice) {
    if (!choice.algorithm)
        return choice;
    auto& parameters = choice.parameters;
    if (auto& segment_bytes = parameters.segment_bytes; segment_bytes > 0) {
        const auto payload_bytes = packet_payload_bytes(network);
        const auto packets = in_whole_packets(segment_bytes, payload_bytes) / payload_bytes;
        segment_bytes = payload_bytes << std::lround(std::log2(packets));
    }
    if (choice.algorithm->name == "alltoall.lg_small")
        return choice; // whose window is the size of a cluster
    for (auto* window : {&parameters.window, &parameters.inter_cluster_window})
        *window = static_cast<int>(std::bit_floor(static_cast<unsigned>(*window)));
    return choice;
}

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
    for (int count = 2; count <= request.clusters.count(); ++count)
        if (count <= most_subsets_of_clusters || count == request.clusters.count())
            shapes.push_back(largest(request.clusters, count));
    for (const auto collective : uniform_collectives)
        for (const auto& shape : shapes) {
            const auto more = Table(network, request, shape, collective).rules();
            rules.insert(rules.end(), more.begin(), more.end());
        }
    return rules;
}

} // namespace alltold
