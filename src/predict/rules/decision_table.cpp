// SPDX-License-Identifier: BSD-3-Clause
#include "predict/rules/decision_table.hpp"

#include <iterator>

#include "core/parallel.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/parameters/segment_search.hpp"
#include "predict/rules/layouts.hpp"
#include "topology/places.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

/// Of more clusters only all of them get rules: each number of clusters takes a table.
constexpr int most_subsets_of_clusters = 8;
/// Sizes at which calls are decided: every power of two, and halfway between those where algorithms
/// cut messages and buffers overflow.
constexpr std::uint64_t most_decided_bytes = 4 << 20, least_halved_bytes = 256,
                        most_halved_bytes = 64 << 10;

/// Calls are predicted at every third one: each takes some 20 ms, and what is tried need not be the
/// best.
constexpr std::uint64_t least_predicted_bytes = 64, predicted_step = 8;

/// In ascending order: powers of two, halfway between some of them, just over one packet, where
/// cutting a message gains most, on both sides of the library's eager limit and, between clusters,
/// of the size from which idle connections wait for an acknowledgement.
std::vector<std::uint64_t> sizes_of(const Network& network, const Clusters& hosts) {
    std::set<std::uint64_t> sizes{0};
    for (std::uint64_t size = 1; size <= most_decided_bytes; size *= 2) {
        sizes.insert(size);
        if (size >= least_halved_bytes && size <= most_halved_bytes)
            sizes.insert(size + size / 2);
    }
    const auto on_both_sides = [&](double limit_bytes) {
        if (limit_bytes >= 1)
            for (const std::uint64_t beyond : {0, 1})
                sizes.insert(static_cast<std::uint64_t>(limit_bytes) + beyond);
    };
    if (network.eager_limit_bytes)
        on_both_sides(network.eager_limit_bytes->value);
    if (network.links && network.links->mss_bytes > 0)
        sizes.insert(packet_payload_bytes(network) * 11 / 10);
    if (hosts.count() > 1 && network.links)
        on_both_sides(network.links->initial_window_bytes);
    return {sizes.begin(), sizes.end()};
}

class Ranges {
  public:
    Ranges(const Network& network, const Decider& decider, const Layout& layout, bool trials)
        : network_(network), decider_(decider), layout_(layout), trials_(trials) {}

    std::vector<Rule> all() && {
        const bool has_data = traits_of(layout_.rule.collective).has_data;
        std::vector<std::uint64_t> sizes{0};
        if (has_data)
            sizes = sizes_of(network_, layout_.spreads.front());
        if (trials_) // what is larger than measured is predicted
            while (!sizes.empty() && !decider_.knows(layout_.spreads, sizes.back()))
                sizes.pop_back();
        const auto measured_bytes = sizes.empty() ? 0 : sizes.back();
        for (const auto size : sizes)
            add(decider_.at(layout_.spreads, size));
        if (sizes.empty() && !has_data)
            add(decider_.predicted_at(layout_.spreads, 0));
        if (trials_ && has_data)
            for (auto size = least_predicted_bytes; size <= most_decided_bytes;
                 size *= predicted_step)
                if (size > measured_bytes)
                    add(decider_.predicted_at(layout_.spreads, size));
        end(Span::endless);
        return std::move(rules_);
    }

  private:
    /// The winner over all starts, and from each of several.
    using Winners = std::vector<Choice>;

    std::vector<Odds> odds_of_view(const DecidedCall& call, std::size_t view) const {
        return view == 0 ? call.odds : decider_.odds_from(call, view - 1);
    }
    /// Programs try in loops what is likely quicker there, and of predicted calls all; else from a
    /// single start what is chosen runs.
    bool is_tried(std::size_t view, const DecidedCall& call) const {
        return view > 0 && (call.predicted || decider_.starts()[view - 1] == StartMode::loop);
    }
    std::size_t best_of_view(std::size_t view, const DecidedCall& call,
                             std::span<const Odds> odds) const {
        if (is_tried(view, call))
            return worth_trying(odds, decider_.terms());
        return call.predicted ? 0 : decide(odds, decider_.terms());
    }
    std::size_t views(const DecidedCall& call) const {
        return call.predicted || decider_.starts().size() > 1 ? decider_.starts().size() + 1 : 1;
    }

    Winners winners_of(const DecidedCall& call) const {
        Winners winners{call.choice()};
        for (std::size_t view = 1; view < views(call); ++view)
            winners.push_back(winner_of(view, call, call.chosen));
        return winners;
    }

    /// From one start, if it is worth naming beside that of all.
    const Choice& winner_of(std::size_t view, const DecidedCall& call, std::size_t of_all) const {
        const auto odds = odds_of_view(call, view);
        const auto best = best_of_view(view, call, odds);
        const bool worth = odds[best].ratio * (1 + decider_.terms().worth) <= odds[of_all].ratio;
        return call.choices[worth ? best : of_all];
    }

    enum class Change : std::uint8_t { none, tried, chosen };
    /// Whether what runs below may run here, and nothing is worth changing to, or else whether only
    /// what is tried changes. What runs from one start because it runs from all need not be the
    /// choice of that start.
    Change change_of(const Winners& below, DecidedCall& call) const {
        std::vector<std::size_t> places;
        for (const auto& winner : below) // each of which may win in any view
            places.push_back(decider_.add(call, layout_.spreads, winner));
        auto change = Change::none;
        for (std::size_t view = 0; view < views(call); ++view) {
            const auto place = places[view];
            const auto odds = odds_of_view(call, view);
            const auto& best = odds[best_of_view(view, call, odds)];
            const bool chosen = !is_tried(view, call) && (view == 0 || below[view] != below[0]);
            const bool changes = (place != 0 && chosen && !odds[place].may_run(decider_.terms())) ||
                                 odds[place].ratio > (1 + decider_.terms().worth) * best.ratio;
            if (changes && !is_tried(view, call))
                return Change::chosen;
            if (changes)
                change = Change::tried;
        }
        return change;
    }

    void add(DecidedCall call) {
        if (!in_range_.empty() && in_range_.back().predicted != call.predicted) {
            const auto last = in_range_.back().size_bytes;
            end(last);
            least_bytes_ = last + 1;
        }
        if (in_range_.empty())
            winners_ = winners_of(call);
        for (Change change; (change = change_of(winners_, call)) != Change::none;)
            begin_next(call, change);
        in_range_.push_back(std::move(call));
    }

    /// Ends the range before `call` and begins the next one, with what runs there: that may be
    /// neither what runs below nor what runs in `call`.
    void begin_next(DecidedCall& call, Change change) {
        if (change == Change::tried) { // whose border may be anywhere
            const auto border = call.predicted ? call.size_bytes / 2 : call.size_bytes;
            end(border - 1);
            least_bytes_ = border;
            for (std::size_t view = 1; view < views(call); ++view)
                if (is_tried(view, call))
                    winners_[view] = winner_of(
                        view, call, decider_.add(call, layout_.spreads, winners_.front()));
            return;
        }
        auto rivals = winners_;
        for (auto& winner : winners_of(call))
            rivals.push_back(std::move(winner));
        const auto border = border_of(in_range_.back().size_bytes, call.size_bytes, rivals);
        end(border - 1);
        least_bytes_ = border;
        if (border == call.size_bytes) {
            winners_ = winners_of(call);
            return;
        }
        in_range_.push_back(decider_.at(layout_.spreads, border, rivals));
        winners_ = winners_of(in_range_.back());
    }

    /// The least size, to an eighth of a power of two, at which what runs below gives way.
    std::uint64_t border_of(std::uint64_t below, std::uint64_t above, const Winners& rivals) const {
        constexpr double eighth = 1.0905; // 2 to the power of 1/8
        while (below + 1 < above &&
               static_cast<double>(above) > eighth * static_cast<double>(below)) {
            const auto middle = static_cast<std::uint64_t>(
                std::sqrt(static_cast<double>(std::max<std::uint64_t>(below, 1)) *
                          static_cast<double>(above)));
            const auto size = std::clamp(middle, below + 1, above - 1);
            auto call = decider_.at(layout_.spreads, size, rivals);
            (change_of(winners_, call) != Change::chosen ? below : above) = size;
        }
        return above;
    }

    void end(std::uint64_t most) {
        const bool trial = in_range_.front().predicted;
        auto rule = layout_.rule;
        rule.size_bytes = {least_bytes_, most};
        rule.choice = winners_.front();
        rule.expected = expected(rule.choice);
        for (std::size_t view = 1; view < winners_.size(); ++view) {
            const auto& winner = winners_[view];
            const auto named = [&](const Candidate& other) { return other.choice == winner; };
            if (winner != rule.choice && std::ranges::none_of(rule.others, named))
                rule.others.push_back({winner, as_winner(winner), trial});
        }
        if (trials_ && !trial)
            add_trial(rule);
        if (!trial || !rule.others.empty())
            rules_.push_back(std::move(rule));
        in_range_.clear();
    }

    /// Adds what is expected to gain most over the range beside what runs, at whatever risk, if
    /// that is worth it.
    void add_trial(Rule& rule) const {
        std::vector<std::pair<Choice, double>> gains; // logarithms, summed over the calls
        for (const auto& call : in_range_) {
            const auto place = std::ranges::find(call.choices, rule.choice) - call.choices.begin();
            const double present = call.odds[static_cast<std::size_t>(place)].ratio;
            for (std::size_t i = 1; i < call.choices.size(); ++i) {
                const auto& choice = call.choices[i];
                auto known = std::ranges::find(gains, choice, &std::pair<Choice, double>::first);
                if (known == gains.end())
                    known = gains.insert(known, {choice, 0});
                if (const double gain = std::log(present / call.odds[i].ratio); std::isfinite(gain))
                    known->second += gain;
            }
        }
        const auto best = std::ranges::max_element(gains, {}, &std::pair<Choice, double>::second);
        if (best == gains.end() || best->first == rule.choice ||
            best->second < std::log1p(decider_.terms().worth) * double(in_range_.size()) ||
            std::ranges::count(rule.others, best->first, &Candidate::choice) > 0)
            return;
        rule.others.push_back({best->first, expected(best->first), true});
    }

    /// Ratios expected of a winner from one start. Where another won although this one is expected
    /// to be quicker, as it may lose there, nothing is, so that it does not run (choice_after).
    ExpectedRatios as_winner(const Choice& choice) const {
        auto ratios = expected(choice);
        for (std::size_t start = 0; start < decider_.starts().size(); ++start) {
            const auto& winner = winners_[start + 1];
            auto& ratio = ratios.after(decider_.starts()[start]);
            const double least = winner.is_default()
                                     ? 1
                                     : expected(winner).after(decider_.starts()[start]).value_or(0);
            if (winner != choice && ratio && *ratio < least)
                ratio.reset();
        }
        return ratios;
    }

    /// The geometric mean over the calls decided in this range.
    ExpectedRatios expected(const Choice& choice) const {
        ExpectedRatios ratios;
        if (choice.is_default())
            return ratios;
        for (std::size_t start = 0; start < decider_.starts().size(); ++start) {
            double sum = 0;
            int count = 0;
            for (const auto& call : in_range_) {
                const auto place = static_cast<std::size_t>(
                    std::ranges::find(call.choices, choice) - call.choices.begin());
                const auto odds = decider_.odds_from(call, start);
                if (place < odds.size() && std::isfinite(odds[place].ratio)) {
                    sum += std::log(odds[place].ratio);
                    ++count;
                }
            }
            if (count > 0)
                ratios.after(decider_.starts()[start]) = in_three_digits(std::exp(sum / count));
        }
        return ratios;
    }

    const Network& network_;
    const Decider& decider_;
    const Layout& layout_;
    const bool trials_;
    std::vector<Rule> rules_;
    std::uint64_t least_bytes_ = 0;
    Winners winners_;                   ///< of the range that is being made
    std::vector<DecidedCall> in_range_; ///< calls decided in it
};

/// Joins rules of neighbouring numbers of ranks that say the same.
void join(std::vector<Rule>& rules, std::size_t before, std::size_t first) {
    const auto alike = [](Rule a, const Rule& b) {
        a.ranks = b.ranks;
        a.expected = b.expected;
        for (std::size_t i = 0; i < std::min(a.others.size(), b.others.size()); ++i)
            a.others[i].expected = b.others[i].expected;
        return a == b;
    };
    if (!std::equal(rules.begin() + std::ptrdiff_t(before), rules.begin() + std::ptrdiff_t(first),
                    rules.begin() + std::ptrdiff_t(first), rules.end(), alike))
        return;
    const auto most = rules[first].ranks.most;
    rules.resize(first);
    for (auto i = before; i < first; ++i)
        rules[i].ranks.most = most;
}

} // namespace

std::vector<Rule> decision_table(const Network& network, const TableRequest& request) {
    std::vector<Clusters> shapes{joined(request.clusters)};
    for (int count = 2; count <= request.clusters.count(); ++count)
        if (count <= most_subsets_of_clusters || count == request.clusters.count())
            shapes.push_back(largest_clusters(request.clusters, count));
    auto collectives = request.collectives;
    if (collectives.empty())
        collectives.assign(std::begin(uniform_collectives), std::end(uniform_collectives));
    struct ShapeLayout {
        std::size_t shape;
        Layout layout;
    };
    std::vector<ShapeLayout> tasks;
    SimulationCache simulations;
    std::map<std::pair<Collective, std::size_t>, Decider> deciders;
    for (const auto collective : collectives)
        for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
            const auto& hosts = shapes[shape];
            const auto& decider = deciders
                                      .try_emplace({collective, shape}, network, request.start_mode,
                                                   collective, hosts, simulations,
                                                   Decider::Options{.terms = request.terms,
                                                                    .library = request.library})
                                      .first->second;
            auto layouts = layouts_of(collective, hosts, request.most_ranks);
            if (request.trials) {
                std::erase_if(layouts, [&](const Layout& layout) {
                    return std::ranges::none_of(
                        sizes_of(network, hosts), [&](std::uint64_t size_bytes) {
                            return decider.knows(layout.spreads, size_bytes);
                        });
                });
                if (shape == 0 || shape + 1 == shapes.size())
                    std::ranges::move(predicted_layouts(collective, hosts, layouts),
                                      std::back_inserter(layouts));
            }
            const auto is_followed = [&](const Layout& layout) {
                return request.calls.empty() ||
                       std::ranges::any_of(request.calls, [&](const Clusters& call) {
                           return layout.rule.covers(collective, 0, call);
                       });
            };
            for (auto& layout : layouts)
                if (is_followed(layout))
                    tasks.push_back({shape, std::move(layout)});
        }
    const auto tables = in_parallel(tasks.size(), [&](std::size_t i) {
        const auto& [shape, layout] = tasks[i];
        return Ranges(network, deciders.at({layout.rule.collective, shape}), layout, request.trials)
            .all();
    });
    std::vector<Rule> rules;
    std::size_t before = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const auto first = rules.size();
        rules.insert(rules.end(), tables[i].begin(), tables[i].end());
        const auto alike = [&](const ShapeLayout& task) {
            return std::tuple(task.layout.rule.collective, task.shape, task.layout.measured);
        };
        const bool next = i > 0 && alike(tasks[i]) == alike(tasks[i - 1]);
        if (next && rules.size() > first)
            join(rules, before, first);
        if (!next || rules.size() > first)
            before = first;
    }
    return rules;
}

} // namespace alltold
