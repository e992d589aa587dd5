// SPDX-License-Identifier: BSD-3-Clause
// Odds over both starts, TCP's windows and spreads.
#include "predict/choice/odds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/normal.hpp"
#include "predict/bounds/bounded_time.hpp"

namespace alltold {
namespace {

/// The logarithm of the mean of a log-normal time, which exceeds its median if the time is
/// uncertain; at most twice the median.
double log_mean(const Estimate& time_s) {
    const double deviation = log_deviation(time_s);
    return std::log(time_s.value) + std::min(deviation * deviation / 2, std::log(2.));
}

/// The deviation of the log ratio of two times, as a share of what it is if their errors are
/// independent. Those of two predictions rest on the same links and measurements: of 681 pairs in
/// nine random labs half erred by at most a third of it (docs/results/blind.md).
constexpr double independent = 1, alike = 0.41;

/// What a loss costs was learned from other calls.
bool loses_unmeasured(const StartTimes& ours) {
    return ours.may_lose && !ours.measured;
}

/// The share if the second time is the library's own: it pays for none of our losses.
double share_of(const StartTimes& ours) {
    return loses_unmeasured(ours) ? independent : alike;
}

/// The same where TCP's windows are small.
StartTimes with_small_windows(const StartTimes& times) {
    auto after = scaled(times, times.small_windows);
    after.small_windows = 1;
    return after;
}

/// The times of both on each spread on which `other` is known, and on the usual one.
std::vector<std::pair<const StartTimes*, const StartTimes*>>
on_each_spread(const StartTimes& one, const StartTimes& other) {
    std::vector<std::pair<const StartTimes*, const StartTimes*>> pairs{{&one, &other}};
    for (std::size_t i = 0; i < std::min(one.elsewhere.size(), other.elsewhere.size()); ++i)
        if (std::isfinite(other.elsewhere[i].usual.time_s.value))
            pairs.emplace_back(&one.elsewhere[i], &other.elsewhere[i]);
    return pairs;
}

/// The mean of what `of` says of both times on each spread.
template <class Of>
double mean(const StartTimes& one, const StartTimes& other, Of of) {
    const auto pairs = on_each_spread(one, other);
    double sum = 0;
    for (const auto& [here, other_here] : pairs)
        sum += of(*here, *other_here);
    return sum / static_cast<double>(pairs.size());
}

/// From one start. A time that may include losses is at least that without any: the smaller chance
/// holds.
double chance_from(const StartTimes& one, const KnownTime& start, const StartTimes& other,
                   const KnownTime& other_start, double share) {
    const auto chance = [&](const Estimate& other_s) {
        return BoundedTime(start.time_s, one.bound_s, share)
            .chance_of_more({other_s, other.bound_s, share});
    };
    const double by_time = chance(other_start.time_s);
    return other_start.lossless_s ? std::min(by_time, chance(*other_start.lossless_s)) : by_time;
}

double chance_from_usual(const StartTimes& one, const StartTimes& other, double share) {
    return chance_from(one, one.usual, other, other.usual, share);
}

/// From the usual start where the times from the second one are not known.
double chance_from_second(const StartTimes& one, const StartTimes& other, double share) {
    return one.second && other.second ? chance_from(one, *one.second, other, *other.second, share)
                                      : chance_from_usual(one, other, share);
}

/// How likely `one` is slower than `other` on one spread, over starts and windows.
double chance_here(const StartTimes& one, const StartTimes& other, double share) {
    if (one.small_windows != 1 || other.small_windows != 1) {
        auto [before, other_before] = std::pair(one, other);
        before.small_windows = other_before.small_windows = 1;
        return (chance_here(before, other_before, share) +
                chance_here(with_small_windows(one), with_small_windows(other), share)) /
               2;
    }
    const double usual = chance_from_usual(one, other, share);
    return one.second && other.second ? (usual + chance_from_second(one, other, share)) / 2 : usual;
}

/// What ours may take on one spread without being a loss.
StartTimes allowed(const StartTimes& ours, const StartTimes& library) {
    constexpr double much = 1.3, little = 1.1;
    auto times = scaled(library, worth_gaining);
    if (!ours.second || !library.second)
        return times;
    const auto surely_gains = [&](const KnownTime& one, const KnownTime& own) {
        return chance_from(ours, one, library, scaled(own, 1 / much), share_of(ours)) <
               most_chance_of_loss;
    };
    const auto is_no_loss = [](const KnownTime& one, const KnownTime& own) {
        return one.time_s.value <= worth_gaining * own.time_s.value;
    };
    if (is_no_loss(ours.usual, library.usual) && surely_gains(*ours.second, *library.second))
        times.usual = scaled(library.usual, little);
    if (is_no_loss(*ours.second, *library.second) && surely_gains(ours.usual, library.usual))
        times.second = scaled(*library.second, little);
    return times;
}

double loss_here(const StartTimes& ours, const StartTimes& library) {
    return chance_here(ours, allowed(ours, library), share_of(ours));
}

} // namespace

KnownTime scaled(KnownTime known, double factor) {
    const auto scale = [&](Estimate& time_s) {
        time_s = {time_s.value * factor, time_s.low * factor, time_s.high * factor};
    };
    scale(known.time_s);
    known.lower_quartile_s *= factor;
    known.wait_s *= factor;
    if (known.lossless_s)
        scale(*known.lossless_s);
    return known;
}

StartTimes scaled(StartTimes times, double factor) {
    times.usual = scaled(times.usual, factor);
    if (times.second)
        times.second = scaled(*times.second, factor);
    times.bound_s *= factor;
    for (auto& there : times.elsewhere)
        there = scaled(std::move(there), factor);
    return times;
}

double StartTimes::over(const StartTimes& other) const {
    return std::exp(mean(*this, other, [](const StartTimes& one, const StartTimes& two) {
        const double by_usual = log_mean(one.usual.time_s) - log_mean(two.usual.time_s),
                     windows = std::log(one.small_windows / two.small_windows);
        return (windows + by_usual +
                (one.second && two.second
                     ? log_mean(one.second->time_s) - log_mean(two.second->time_s)
                     : by_usual)) /
               2;
    }));
}

bool may_lose_packets(const StartTimes& ours, const StartTimes& library) {
    constexpr double far_more = 4;
    if (ours.loses_packets &&
        (library.overflow_bytes <= 0 || library.overflow_bytes < far_more * ours.overflow_bytes))
        return true;
    assert(ours.elsewhere.size() <= library.elsewhere.size());
    for (std::size_t i = 0; i < ours.elsewhere.size(); ++i)
        if (may_lose_packets(ours.elsewhere[i], library.elsewhere[i]))
            return true;
    return false;
}

double chance_of_slower(const StartTimes& one, const StartTimes& other) {
    return mean(one, other, [](const StartTimes& here, const StartTimes& other_here) {
        return chance_here(here, other_here, independent);
    });
}

double expected_loss(const Estimate& chosen, const Estimate& other) {
    constexpr double most = 2;
    const double mean = std::log(chosen.value / other.value);
    const double sd = std::hypot(log_deviation(chosen), log_deviation(other));
    if (!std::isfinite(sd))
        return most;
    // Of a log-normal ratio, what exceeds 1.
    const double loss = std::exp(mean + sd * sd / 2) * normal_probability(mean / sd + sd) -
                        normal_probability(mean / sd);
    return std::clamp(loss, 0., most);
}

double chance_of_loss(const StartTimes& ours, const StartTimes& library) {
    return mean(ours, library, loss_here);
}

bool likely_loses_with_small_windows(const StartTimes& ours, const StartTimes& library) {
    return std::ranges::any_of(on_each_spread(ours, library), [](const auto& here) {
        return here.first->small_windows > 1 &&
               loss_here(with_small_windows(*here.first), with_small_windows(*here.second)) >=
                   most_likely_chance;
    });
}

bool slower_than_quick_ones(const StartTimes& ours, const StartTimes& library) {
    const auto slower = [](const KnownTime& one, const KnownTime& own) {
        return one.time_s.value > worth_gaining * own.lower_quartile_s;
    };
    return slower(ours.usual, library.usual) ||
           (ours.second && library.second && slower(*ours.second, *library.second));
}

bool likely_faster(const StartTimes& ours, const StartTimes& library, double limit) {
    // A few repetitions do not show how often losses wait for time-outs.
    constexpr double worth_losses = 1.1;
    const double least_gain = ours.may_lose && !library.may_lose ? worth_losses : worth_gaining;
    if (loses_unmeasured(ours)) // calls nearby do not show when time-outs come
        limit = std::min(limit, most_chance_of_loss);
    // No comparison holds of an unknown time.
    return !may_lose_packets(ours, library) && !likely_loses_with_small_windows(ours, library) &&
           !slower_than_quick_ones(ours, library) && ours.over(library) < 1 / least_gain &&
           chance_of_loss(ours, library) < limit &&
           std::ranges::all_of(on_each_spread(ours, library), [](const auto& here) {
               return loss_here(*here.first, *here.second) < most_likely_chance;
           });
}

bool is_safe(const StartTimes& ours, const StartTimes& library) {
    if (!likely_faster(ours, library, most_chance_of_loss))
        return false;
    const auto over_spreads = [&](auto chance) {
        return mean(ours, library, [&](const StartTimes& one, const StartTimes& own) {
            return chance(one, own, share_of(one));
        });
    };
    return !ours.second || !library.second ||
           std::min(over_spreads(chance_from_usual), over_spreads(chance_from_second)) <
               most_chance_of_loss;
}

} // namespace alltold
