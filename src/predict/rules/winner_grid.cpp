// SPDX-License-Identifier: BSD-3-Clause
// Ranks every call of the grid; next to measured wins less certainty is enough.
#include "predict/rules/winner_grid.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "network/corrections/correction.hpp"
#include "predict/library/library_defaults.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/parameters/segment_search.hpp"
#include "predict/rules/grid_of_calls.hpp"
#include "topology/spread.hpp"

namespace alltold {
namespace {

/// Of a measured call, whatever is predicted for other spreads.
bool surely_quicker(StartTimes ours, const StartTimes& library) {
    ours.elsewhere.clear();
    return ours.over(library) < 1 / worth_gaining &&
           chance_of_slower(ours, library) < most_chance_of_loss;
}

} // namespace

WinnerGrid::WinnerGrid(const Network& network, const TableRequest& request, const Clusters& hosts,
                       Collective collective, SimulationCache& simulations)
    : network_(network), request_(request), hosts_(hosts), collective_(collective),
      times_(network, request, hosts, collective, simulations) {
    ranks_ = ranks_of_grid(network, collective, hosts, most_ranks());
    for (const int n : ranks_) {
        auto& spreads = spreads_.emplace_back(1, spread(hosts_, n));
        for (const auto& other : {spread_evenly(hosts_, n), spread_unevenly(hosts_, n)})
            if (std::ranges::count(spreads, other) == 0)
                spreads.push_back(other);
    }
    rank_ranks();
}

WinnerGrid::WinnerGrid(const Network& network, const TableRequest& request, const Clusters& spread,
                       Collective collective, SimulationCache& simulations, ChoiceTable usual,
                       std::vector<Choice> candidates)
    : network_(network), request_(request), hosts_(spread), collective_(collective),
      usual_(std::move(usual)), candidates_(std::move(candidates)),
      times_(network, request, spread, collective, simulations), ranks_{spread.ranks()},
      spreads_{{spread}}, choices_(usual_number + 1) {
    rank_ranks();
}

/// All-to-alls, of which the library sends each block as it is. Rules of one spread that end there
/// would be slivers.
bool WinnerGrid::decides_eager_limit() const {
    return collective_ == Collective::alltoall && !request_.ours_only && !of_one_spread();
}

void WinnerGrid::rank_ranks() {
    if (!traits_of(collective_).has_data)
        sizes_.push_back(0);
    else
        sizes_ = sizes_of_grid(network_, hosts_, !request_.ours_only, decides_eager_limit());
    // The most ranks first, which take longest.
    auto decided = in_parallel(ranks_.size(),
                               [&](std::size_t i) { return decisions_of(ranks_.size() - 1 - i); });
    std::ranges::reverse(decided);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        if (decided[i].empty()) { // gets no rules, nor do more ranks
            ranks_.resize(i);
            break;
        }
        auto& row = winners_.emplace_back();
        for (auto& [choice, winner] : decided[i]) {
            if (choice)
                winner.choice = number_of(*choice);
            row.push_back(std::move(winner));
        }
        reach_out(i);
    }
    if (request_.ours_only)
        return;
    number_of({}); // also runs where ours may not
    for (std::size_t c = 0, winners = choices_.size(); c < winners; ++c)
        number_of(least_stated(choices_[c]));
}

StartTimes WinnerGrid::times(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const {
    auto times = times_.of(is_usual(choice) ? usual_->at(size_bytes) : choices_[choice],
                           spreads_[i], size_bytes);
    if (times.may_lose && !times.measured && beats_library_around(choice, i, size_bytes)) {
        times.measured = true;
        times.loses_packets = false;
    }
    return times;
}

/// Whether ours was measured to be quicker at sizes()[j], surely.
bool WinnerGrid::beats_library(std::size_t choice, std::size_t i, std::size_t j) const {
    if (!any_measured(*choices_[choice].algorithm, i, j)) // which takes no simulation
        return false;
    const auto ours = times_.of(choices_[choice], spreads_[i], sizes_[j]);
    const auto& library = winners_[i][j].library;
    return ours.measured && library && surely_quicker(ours, *library);
}

/// Whether the algorithm was measured at sizes()[j], with any parameters.
bool WinnerGrid::any_measured(const Algorithm& algorithm, std::size_t i, std::size_t j) const {
    const auto& clusters = spreads_[i].front();
    const auto* correction = correction_of(network_, collective_, clusters);
    return correction && std::ranges::any_of(correction->calls(), [&](const MeasuredCall& call) {
               return call.algorithm == &algorithm && call.size_bytes == sizes_[j] &&
                      call.clusters == clusters;
           });
}

/// Whether it beats the library's own at sizes on either side, not far apart.
bool WinnerGrid::beats_library_around(std::size_t choice, std::size_t i,
                                      std::uint64_t size_bytes) const {
    constexpr std::uint64_t far_apart = 4;
    if (is_usual(choice) || !choices_[choice].algorithm || winners_[i].size() < sizes_.size())
        return false;
    const auto after =
        static_cast<std::size_t>(std::ranges::lower_bound(sizes_, size_bytes) - sizes_.begin());
    for (auto j = after; j < sizes_.size() && sizes_[j] < far_apart * size_bytes; ++j)
        for (auto before = after; before-- > 0 && sizes_[j] <= far_apart * sizes_[before];)
            if (beats_library(choice, i, before) && beats_library(choice, i, j))
                return true;
    return false;
}

std::size_t WinnerGrid::number_of(const Choice& choice) {
    if (const auto known = find(choice); known < choices_.size())
        return known;
    choices_.push_back(choice);
    return choices_.size() - 1;
}

/// choices().size() if it is none of them.
std::size_t WinnerGrid::find(const Choice& choice) const {
    const auto first = choices_.begin() + (of_one_spread() ? usual_number + 1 : 0);
    return static_cast<std::size_t>(std::find(first, choices_.end(), choice) - choices_.begin());
}

std::size_t WinnerGrid::library_number() const {
    const auto number = find({});
    assert(number < choices_.size());
    return number;
}

std::size_t WinnerGrid::resolved_at_each_call(std::size_t choice) const {
    return is_usual(choice) ? choice : find(least_stated(choices_[choice]));
}

/// What the rules for all spreads run; without times, which nothing may replace, where the
/// library's are not known, and empty where it is likely a loss.
std::optional<WinnerGrid::Decision> WinnerGrid::usual_at(std::size_t i,
                                                         std::uint64_t size_bytes) const {
    const auto& choice = usual_->at(size_bytes);
    if (!library_known(network_, collective_, spreads_[i].front(), size_bytes))
        return Decision{};
    const auto library = library_times(i, size_bytes);
    const auto times = choice.is_default() ? library : times_.of(choice, spreads_[i], size_bytes);
    if (!choice.is_default() && !likely_faster(times, library))
        return std::nullopt;
    return Decision{{}, {usual_number, times, library, times.measured}};
}

/// Empty if only ours are wanted and none can be ranked.
std::optional<WinnerGrid::Decision> WinnerGrid::decision_at(std::size_t i,
                                                            std::uint64_t size_bytes) const {
    const auto& clusters = spreads_[i].front();
    std::optional<Decision> usual;
    if (of_one_spread()) {
        usual = usual_at(i, size_bytes);
        if (usual && (!usual->winner.times || !may_gain(usual->winner)))
            return usual;
    }
    const Decision library{Choice{}};
    if (!request_.ours_only && !library_known(network_, collective_, clusters, size_bytes))
        return library;
    if (request_.one_start && (size_bytes <= packet_payload_bytes(network_) ||
                               !leaves_room(library_times(i, size_bytes))))
        return library;
    const auto ranking = candidates_.empty() ? times_.ranking(clusters, size_bytes)
                                             : times_.ranking(candidates_, clusters, size_bytes);
    const auto* first = ranking ? first_runnable(*ranking) : nullptr;
    if (!first)
        return request_.ours_only ? std::nullopt : std::optional(library);
    if (request_.ours_only)
        return Decision{times_.stated(first->choice, clusters, size_bytes),
                        {0, StartTimes{{first->time_s()}}}};
    const auto elsewhere = [&](const Choice& choice) {
        return times_.elsewhere(times_.stated(choice, clusters, size_bytes), spreads_[i],
                                size_bytes);
    };
    const auto safe = quickest_safe(*ranking, times_.second_times(clusters, size_bytes), elsewhere,
                                    request_.library.has_value());
    if (usual && (!safe || usual->winner.times->over(safe->times) < worth_a_rule_of_its_own()))
        return usual;
    if (!safe ||
        (request_.one_start && safe->library.over(safe->times) < worth_a_rule_of_its_own()))
        return library;
    return Decision{times_.stated(safe->choice, clusters, size_bytes),
                    {0, safe->times, safe->library, safe->measured}};
}

/// The ratio from which on a gain over the rules for all spreads, or from one start, counts.
double WinnerGrid::worth_a_rule_of_its_own() const {
    return request_.one_start ? 1.25 : 1.1;
}

/// Whether the bound leaves room for such a gain from one start.
bool WinnerGrid::leaves_room(const StartTimes& times) const {
    const auto has_room = [&](const Estimate& time_s) {
        return !(time_s.value <= worth_a_rule_of_its_own() * times.bound_s);
    };
    return has_room(times.usual.time_s) || (times.second && has_room(times.second->time_s));
}

/// All-to-alls in which the library's own loses no packets differ little between spreads.
bool WinnerGrid::may_gain(const Winner& usual) const {
    return (usual.library->may_lose || !candidates_.empty()) && leaves_room(*usual.times);
}

/// Of ours, what runs at the sizes before and after runs between them, too; false if it is not the
/// same or if the library's own was measured there.
bool WinnerGrid::keep_between(std::vector<Decision>& row, std::size_t i, std::size_t j) const {
    const auto& choice = row[j - 1].choice;
    if (!choice || !choice->algorithm || row[j + 1].choice != choice)
        return false;
    auto library = library_times(i, sizes_[j]);
    if (library.measured)
        return false;
    row[j] = {choice, {0, times_.of(*choice, spreads_[i], sizes_[j]), std::move(library)}};
    return true;
}

/// Empty if the number of ranks gets no rules.
std::vector<WinnerGrid::Decision> WinnerGrid::decisions_of(std::size_t i) const {
    std::vector<Decision> row(sizes_.size());
    const auto decide = [&](std::size_t j) {
        auto decision = decision_at(i, sizes_[j]);
        if (decision)
            row[j] = std::move(*decision);
        return decision.has_value();
    };
    for (std::size_t j = 0; j < sizes_.size(); ++j)
        if (!is_halfway(sizes_[j]) && !decide(j))
            return {};
    for (std::size_t j = 0; j < sizes_.size(); ++j)
        if (is_halfway(sizes_[j]) && !keep_between(row, i, j) && !decide(j))
            return {};
    return row;
}

/// Next to a size at which one of our algorithms was measured to win, it runs where it is likely
/// quicker. But the win says nothing of what the library sends otherwise, eagerly or by rendezvous.
void WinnerGrid::reach_out(std::size_t i) {
    auto& row = winners_[i];
    for (std::size_t j = 0; j < row.size(); ++j) {
        if (!won(i, j))
            continue;
        const auto [from, to] =
            whole_interval(j - std::min<std::size_t>(j, 1), std::min(j + 1, row.size() - 1));
        for (auto next = from; next <= to; ++next)
            if (!row[next].measured &&
                by_rendezvous(network_, {}, sizes_[next]) == by_rendezvous(network_, {}, sizes_[j]))
                take_over(row[next], row[j].choice, times(row[j].choice, i, sizes_[next]),
                          is_halfway(sizes_[next]));
    }
    for (std::size_t j = 0; j < row.size(); ++j)
        for (std::size_t c = 0; c < choices_.size() && !row[j].measured; ++c)
            if (beats_library_around(c, i, sizes_[j]))
                take_over(row[j], c, times(c, i, sizes_[j]), false);
}

std::pair<std::size_t, std::size_t> WinnerGrid::whole_interval(std::size_t from,
                                                               std::size_t to) const {
    return {from - (is_halfway(sizes_[from]) ? 1 : 0), to + (is_halfway(sizes_[to]) ? 1 : 0)};
}

bool WinnerGrid::won(std::size_t i, std::size_t j) const {
    const auto& winner = winners_[i][j];
    if (!winner.measured || !winner.library || choices_[winner.choice].is_default())
        return false;
    return surely_quicker(*winner.times, *winner.library);
}

/// Of ours, one that was measured `close_by` runs unless the winner is surely quicker: predictions
/// that differ a little are no reason to run something else between two sizes.
void WinnerGrid::take_over(Winner& winner, std::size_t choice, const StartTimes& times,
                           bool close_by) const {
    if (!winner.library)
        return;
    const bool replaces = close_by && !choices_[winner.choice].is_default()
                              ? chance_of_slower(times, *winner.times) < surely
                              : times.over(*winner.times) < 1;
    if (replaces && likely_faster(times, *winner.library))
        winner = {choice, times, winner.library};
}

/// Whether the choice was the best for a similar number of ranks and size. Others hardly qualify,
/// and checking them costs simulations.
bool WinnerGrid::won_nearby(std::size_t choice, std::size_t i, std::size_t j) const {
    constexpr std::size_t ranks_away = 1, sizes_away = 3;
    const auto last_i = std::min(i + ranks_away, ranks_.size() - 1);
    const auto last_j = std::min(j + sizes_away, sizes_.size() - 1);
    for (auto near_i = i - std::min(i, ranks_away); near_i <= last_i; ++near_i)
        for (auto near_j = j - std::min(j, sizes_away); near_j <= last_j; ++near_j)
            if (winners_[near_i][near_j].choice == choice)
                return true;
    return false;
}

Loss WinnerGrid::loss(std::size_t choice, std::size_t i, std::size_t j) const {
    const auto& winner = winners_[i][j];
    // What was measured with a segment longer than the message is not found again by times().
    if (choice == winner.choice)
        return {0, 0, 1, winner.measured};
    if (is_usual(choice) || is_usual(winner.choice))
        return {};
    if (!winner.times || !won_nearby(choice, i, j))
        return {};
    const auto own = times(choice, i, sizes_[j]);
    if (winner.library && risky(choice, own, *winner.library))
        return {};
    // Predictions without intervals cannot say that they cannot tell.
    const bool uncertain = std::isfinite(own.usual.time_s.high);
    const auto upper = [](const Estimate& time_s) { return time_s.high / time_s.value; };
    return {own.over(*winner.times) - 1, uncertain ? chance_of_slower(own, *winner.times) : 1,
            uncertain && !choices_[choice].is_default()
                ? upper(own.usual.time_s) / upper(winner.times->usual.time_s)
                : 1,
            own.measured};
}

std::optional<std::uint64_t> WinnerGrid::library_switch(std::size_t i, std::uint64_t low,
                                                        std::uint64_t high) const {
    const auto runs = [&](std::uint64_t bytes) {
        return default_algorithm(network_.defaults_of, collective_, ranks_[i], bytes);
    };
    const auto before = runs(low);
    if (runs(high) == before)
        return std::nullopt;
    while (high - low > 1) {
        const auto middle = std::midpoint(low, high);
        (runs(middle) == before ? low : high) = middle;
    }
    return high;
}

} // namespace alltold
