// SPDX-License-Identifier: BSD-3-Clause
// Bands of n, and in each the fewest intervals of m.
#include "predict/rules/rules_of_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "core/parallel.hpp"
#include "predict/choice/safe_choice.hpp"
#include "topology/spread.hpp"

namespace alltold {
namespace {

/// The rules of one grid in the making.
class GridRules {
  public:
    GridRules(const TableRequest& request, const WinnerGrid& grid)
        : request_(request), grid_(grid) {}

    std::vector<Rule> rules() {
        good_ = in_parallel(grid_.ranks().size(), [&](std::size_t i) { return acceptable(i); });
        std::vector<Rule> rules;
        for (std::size_t first = 0; first < grid_.ranks().size();) {
            auto last = first;
            while (last + 1 < grid_.ranks().size() && worth_merging(first, last))
                ++last;
            write(rules, first, last);
            first = last + 1;
        }
        return rules;
    }

  private:
    /// Choices for neighbouring sizes, from sizes()[first] on.
    struct SizeRange {
        std::size_t first;
        std::size_t choice;
    };

    /// The same from a size between the grid's on.
    struct Piece {
        std::uint64_t from_bytes;
        std::size_t choice;
    };

    /// Within the tolerance of the least loss, or half as much again where the predictions cannot
    /// tell the two apart: a border between such choices would be noise. But not far less certain
    /// than the winner.
    bool as_good(const Loss& loss, double least) const {
        constexpr double noise = 1.5, not_known = 0.9, most_spread = 1.3;
        const double share = (1 + loss.share) / (1 + least) - 1;
        return loss.spread <= most_spread &&
               (share <= request_.tolerance ||
                (share <= noise * request_.tolerance && loss.chance < not_known));
    }

    /// The acceptable choices at ranks()[i]: within the tolerance, or else the best. Where one of
    /// ours was measured to win only those that were measured: a prediction to be a little quicker
    /// is no reason to run another.
    std::vector<std::vector<bool>> acceptable(std::size_t i) const {
        std::vector good(grid_.choices().size(), std::vector<bool>(grid_.sizes().size()));
        for (std::size_t j = 0; j < grid_.sizes().size(); ++j) {
            std::vector<Loss> losses;
            for (std::size_t c = 0; c < grid_.choices().size(); ++c)
                losses.push_back(grid_.loss(c, i, j));
            if (grid_.won(i, j))
                for (auto& loss : losses)
                    if (!loss.measured)
                        loss = {};
            const double least = std::ranges::min(losses, {}, &Loss::share).share;
            for (std::size_t c = 0; c < grid_.choices().size(); ++c)
                good[c][j] = losses[c].share <= least || as_good(losses[c], least);
        }
        return good;
    }

    /// The fewest intervals of sizes with an acceptable choice at all of ranks()[first..last];
    /// empty if there are none.
    std::vector<SizeRange> pieces(std::size_t first, std::size_t last) const {
        const auto reach = [&](std::size_t choice, std::size_t from) {
            for (std::size_t j = from; j < grid_.sizes().size(); ++j)
                for (auto i = first; i <= last; ++i)
                    if (!good_[i][choice][j])
                        return j;
            return grid_.sizes().size();
        };
        std::vector<SizeRange> found;
        for (std::size_t from = 0; from < grid_.sizes().size();) {
            SizeRange piece{from, 0};
            auto end = from;
            for (std::size_t c = 0; c < grid_.choices().size(); ++c)
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

    /// Whether the choice was measured at a call that ours won, of a size within an eighth: losses
    /// there cost what they cost here.
    bool measured_close_by(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const {
        for (std::size_t j = 0; j < grid_.sizes().size(); ++j) {
            const auto size = grid_.sizes()[j], eighth = size / 8;
            if (size_bytes >= size - eighth && size_bytes <= size + eighth && grid_.won(i, j) &&
                grid_.loss(choice, i, j).measured)
                return true;
        }
        return false;
    }

    /// The times of a choice at a size between the grid's.
    StartTimes times(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const {
        auto times = grid_.times(choice, i, size_bytes);
        times.measured = times.measured || measured_close_by(choice, i, size_bytes);
        return times;
    }

    /// Whether the choice runs one of ours that is not likely quicker than the library's own.
    bool loses(std::size_t choice, std::uint64_t size_bytes, const StartTimes& own,
               const StartTimes& library) const {
        return !grid_.is_library(choice, size_bytes) && !likely_faster(own, library);
    }

    /// Whether the choice is risky or, `near` calls at which ours was measured to win, loses.
    bool bad(std::size_t choice, std::uint64_t size_bytes, const StartTimes& own,
             const StartTimes& library, bool near) const {
        return near ? loses(choice, size_bytes, own, library) : grid_.risky(choice, own, library);
    }

    /// Whether the choice is bad for one of ranks()[first..last].
    bool bad_in_band(std::size_t first, std::size_t last, std::size_t choice,
                     std::uint64_t size_bytes, bool near) const {
        for (auto i = first; i <= last && !request_.ours_only; ++i)
            if (bad(choice, size_bytes, times(choice, i, size_bytes),
                    grid_.library_times(i, size_bytes), near))
                return true;
        return false;
    }

    enum class Runs { before, after, library };

    /// What runs at this size between two choices: the one that is quicker over the band, unless it
    /// is bad there; the library's own where both are.
    Runs runs_at(std::size_t first, std::size_t last, std::size_t before, std::size_t after,
                 std::uint64_t size_bytes, bool near) const {
        double gain = 0;
        bool bad_before = false, bad_after = false;
        for (auto i = first; i <= last; ++i) {
            const auto one = times(before, i, size_bytes), other = times(after, i, size_bytes);
            gain += std::log(one.over(other));
            if (request_.ours_only)
                continue;
            const auto library = grid_.library_times(i, size_bytes);
            bad_before = bad_before || bad(before, size_bytes, one, library, near);
            bad_after = bad_after || bad(after, size_bytes, other, library, near);
        }
        if (bad_before || bad_after)
            return !bad_after ? Runs::after : !bad_before ? Runs::before : Runs::library;
        // Where the library's own time is not known, it keeps what lies between.
        const bool changes = std::isnan(gain) ? grid_.choices()[after].is_default() : gain > 0;
        return changes ? Runs::after : Runs::before;
    }

    /// Whether ours was measured to win at an end of the whole interval that holds the one below
    /// sizes()[j].
    bool is_near(std::size_t first, std::size_t last, std::size_t j) const {
        const auto [before, after] = grid_.whole_interval(j - 1, j);
        for (auto i = first; i <= last; ++i)
            if (!grid_.won(i, before) && !grid_.won(i, after))
                return false;
        return true;
    }

    /// Where one choice ends and the next begins; between, neither may run.
    struct Border {
        std::uint64_t end_bytes, start_bytes;
    };

    /// Whether one of the two choices takes much longer than the other where that begins, as where
    /// its packets begin to be lost.
    bool is_steep(std::size_t first, std::size_t last, std::size_t from, std::size_t to,
                  std::uint64_t low, std::uint64_t high) const {
        constexpr double much = 1.15;
        for (auto i = first; i <= last; ++i)
            for (const double ratio : {times(from, i, high).over(times(to, i, high)),
                                       times(to, i, low).over(times(from, i, low))})
                if (std::isfinite(ratio) && ratio > much)
                    return true;
        return false;
    }

    /// WinnerGrid::library_switch of the first of ranks()[first..last] that has one.
    std::optional<std::uint64_t> library_switch(std::size_t first, std::size_t last,
                                                std::uint64_t low, std::uint64_t high) const {
        for (auto i = first; i <= last; ++i)
            if (const auto at = grid_.library_switch(i, low, high))
                return at;
        return std::nullopt;
    }

    /// Between the grid's two sizes, to an eighth of the power of two below, for more digits would
    /// be noise; to an eighth of that where it is steep, and exactly where the library is known to
    /// switch there. In what is left the library's own runs if it is one of the two, since ours may
    /// overflow buffers there.
    Border border(std::size_t first, std::size_t last, std::size_t from, std::size_t to,
                  std::size_t j) const {
        auto low = grid_.sizes()[j - 1], high = grid_.sizes()[j];
        const bool near = is_near(first, last, j);
        const auto eighth = std::bit_floor(low) / 8;
        const auto width = is_steep(first, last, from, to, low, high) ? eighth / 8 : eighth;
        while (high - low > 1) {
            auto middle = std::midpoint(low, high);
            if (high - low <= width) {
                const auto at = library_switch(first, last, low, high);
                if (!at)
                    break;
                middle = *at - 1 > low ? *at - 1 : *at; // first just below it, then at it
            }
            const auto runs = runs_at(first, last, from, to, middle, near);
            if (runs == Runs::library)
                return {last_good(first, last, from, low, middle, near) + 1,
                        last_good(first, last, to, high, middle, near)};
            (runs == Runs::after ? high : low) = middle;
        }
        const auto at = grid_.choices()[to].is_default() ? low + 1 : high;
        return {at, at};
    }

    /// The size next to `bad_bytes`, coming from `good_bytes`, at which the choice is not bad, to a
    /// quarter.
    std::uint64_t last_good(std::size_t first, std::size_t last, std::size_t choice,
                            std::uint64_t good_bytes, std::uint64_t bad_bytes, bool near) const {
        for (int step = 0; step < 2; ++step) {
            const auto middle = std::midpoint(good_bytes, bad_bytes);
            const bool is_bad = bad_in_band(first, last, choice, middle, near);
            (is_bad ? bad_bytes : good_bytes) = middle;
        }
        return good_bytes;
    }

    /// The least n that ranks()[i] stands for. What follows a power of two is like the n after it:
    /// trees have a round more.
    std::uint64_t from_ranks(std::size_t i) const {
        const auto& ranks = grid_.ranks();
        if (i == 0)
            return 1;
        const auto before = static_cast<unsigned>(ranks[i - 1]);
        return std::has_single_bit(before) ? before + 1 : static_cast<unsigned>(ranks[i]);
    }

    void write(std::vector<Rule>& rules, std::size_t first, std::size_t last) const {
        const bool is_last = last + 1 == grid_.ranks().size();
        Rule rule;
        rule.collective = grid_.collective();
        rule.ranks = {from_ranks(first), !is_last ? from_ranks(last + 1) - 1
                                         : request_.ours_only
                                             ? Span::endless
                                             : static_cast<std::uint64_t>(grid_.most_ranks())};
        const RankCounts counts(grid_.hosts());
        rule.clusters = {counts.clusters, counts.clusters};
        rule.per_host = {counts.per_host, counts.per_host};
        if (counts.per_host > 1) // one host alone uses no network
            rule.hosts.least = 2;
        if (grid_.of_one_spread()) {
            rule.ranks = {counts.ranks, counts.ranks};
            rule.spread = counts.spread;
        }
        const auto found = borders(first, last);
        for (std::size_t p = 0; p < found.size(); ++p) {
            rule.size_bytes = {found[p].from_bytes,
                               p + 1 < found.size() ? found[p + 1].from_bytes - 1 : Span::endless};
            rule.choice = grid_.choices()[found[p].choice];
            if (!grid_.is_usual(found[p].choice))
                rules.push_back(rule);
        }
    }

    /// The pieces with the sizes between the grid's from which they run, without slivers.
    std::vector<Piece> borders(std::size_t first, std::size_t last) const {
        std::vector<Piece> found;
        for (const auto& [j, choice] : pieces(first, last)) {
            if (found.empty()) {
                found.push_back({0, choice});
                continue;
            }
            const auto between = border(first, last, found.back().choice, choice, j);
            if (between.end_bytes < between.start_bytes)
                fill(found, first, last, between, choice, is_near(first, last, j));
            found.push_back({between.start_bytes, choice});
        }
        for (std::size_t p = 1; p + 1 < found.size();)
            if (!give_away(found, p, first, last))
                ++p;
            else if (p > 1) // a sliver before it may go to its new neighbour
                --p;
        return found;
    }

    /// Adds what runs between the last piece and `after`, neither of which may run there: the
    /// algorithm of either with parameters found at each size where it is not bad, the library's
    /// own elsewhere.
    void fill(std::vector<Piece>& found, std::size_t first, std::size_t last, const Border& between,
              std::size_t after, bool near) const {
        const auto [from, end] = between;
        const auto runs = [&](std::size_t choice, std::uint64_t size_bytes) {
            return !bad_in_band(first, last, choice, size_bytes, near);
        };
        const auto middle = std::midpoint(from, end);
        auto choice = grid_.resolved_at_each_call(found.back().choice);
        if (!runs(choice, middle))
            choice = grid_.resolved_at_each_call(after);
        if (!runs(choice, middle)) {
            found.push_back({from, grid_.library_number()});
            return;
        }
        const auto starts =
            runs(choice, from) ? from : last_good(first, last, choice, middle, from, near);
        const auto ends =
            runs(choice, end - 1) ? end : last_good(first, last, choice, middle, end - 1, near) + 1;
        if (from < starts)
            found.push_back({from, grid_.library_number()});
        found.push_back({starts, choice});
        if (ends < end)
            found.push_back({ends, grid_.library_number()});
    }

    /// Whether a call of these sizes was measured that ours won.
    bool holds_win(std::size_t first, std::size_t last, std::uint64_t from,
                   std::uint64_t end) const {
        for (auto i = first; i <= last; ++i)
            for (std::size_t j = 0; j < grid_.sizes().size(); ++j)
                if (const auto size = grid_.sizes()[j];
                    size >= from && size < end && grid_.won(i, j))
                    return true;
        return false;
    }

    /// Whether a choice may have a sliver: it is likely no loss at its ends, nor at the grid's
    /// sizes in it where the library's own was measured. What rules for all spreads run is none at
    /// any of them: that it was one may be why the sliver exists.
    bool may_have(std::size_t choice, std::size_t first, std::size_t last, std::uint64_t from,
                  std::uint64_t end) const {
        const bool usual = grid_.is_usual(choice);
        const auto loses_at = [&](std::size_t i, std::uint64_t size_bytes) {
            return loses(choice, size_bytes, times(choice, i, size_bytes),
                         grid_.library_times(i, size_bytes));
        };
        for (auto i = first; i <= last && !request_.ours_only; ++i) {
            if (loses_at(i, from) || loses_at(i, end - 1))
                return false;
            for (const auto size_bytes : grid_.sizes())
                if (size_bytes > from && size_bytes < end &&
                    (usual || grid_.library_times(i, size_bytes).measured) &&
                    loses_at(i, size_bytes))
                    return false;
        }
        return true;
    }

    /// Whether sizes are so near that what differs between the ends and beyond is chance, because
    /// the library's own was measured at none.
    bool is_by_chance(std::size_t first, std::size_t last, std::uint64_t from,
                      std::uint64_t end) const {
        constexpr double near = 1.1;
        if (static_cast<double>(end) > near * static_cast<double>(from))
            return false;
        for (auto i = first; i <= last; ++i)
            for (const auto size_bytes : grid_.sizes())
                if (size_bytes >= from && size_bytes < end &&
                    grid_.library_times(i, size_bytes).measured)
                    return false;
        return true;
    }

    /// Gives a sliver between two other pieces to one of them, the quicker one that may have it;
    /// false if neither may, or it holds a call that was measured and won. What lies around a
    /// sliver that is there by chance may have it.
    bool give_away(std::vector<Piece>& found, std::size_t p, std::size_t first,
                   std::size_t last) const {
        const auto from = found[p].from_bytes, end = found[p + 1].from_bytes;
        if (static_cast<double>(end) >= least_width * static_cast<double>(from) ||
            holds_win(first, last, from, end))
            return false;
        const auto before = found[p - 1].choice, after = found[p + 1].choice;
        const bool alike = before == after && is_by_chance(first, last, from, end);
        const bool may_before = alike || may_have(before, first, last, from, end),
                   may_after = alike || may_have(after, first, last, from, end);
        if (!may_before && !may_after)
            return false;
        if (!may_before ||
            (may_after && runs_at(first, last, before, after, from, true) == Runs::after))
            found[p + 1].from_bytes = from;
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(p));
        if (before == after)
            found.erase(found.begin() + static_cast<std::ptrdiff_t>(p));
        return true;
    }

    const TableRequest& request_;
    const WinnerGrid& grid_;
    std::vector<std::vector<std::vector<bool>>> good_; ///< [ranks][choice][size]
};

} // namespace

std::vector<Rule> rules_of_grid(const TableRequest& request, const WinnerGrid& grid) {
    return GridRules(request, grid).rules();
}

} // namespace alltold
