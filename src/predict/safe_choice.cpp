// SPDX-License-Identifier: BSD-3-Clause
// Odds of a loss over both starts.
#include "predict/safe_choice.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/normal.hpp"
#include "predict/algorithm_time.hpp"
#include "predict/library_prediction.hpp"

namespace alltold {
namespace {

KnownTime scaled(KnownTime known, double factor) {
    const auto scale = [&](Estimate& time_s) {
        time_s = {time_s.value * factor, time_s.low * factor, time_s.high * factor};
    };
    scale(known.time_s);
    known.lower_quartile_s *= factor;
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

/// The standard deviation of the logarithm; at least a thousandth, infinite if it is unknown.
double log_deviation(const Estimate& time_s) {
    constexpr double least = 1e-3;
    if (!(time_s.low > 0) || !std::isfinite(time_s.high))
        return INFINITY;
    return std::max(least, std::log(time_s.high / time_s.low) / (2 * normal_reach));
}

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

/// A time: log-normal with a 90 % interval, cut off below a bound.
class BoundedTime {
  public:
    /// `share` of the interval's deviation is taken.
    BoundedTime(const Estimate& time_s, double bound_s, double share)
        : log_(std::log(time_s.value)), deviation_(share * log_deviation(time_s)),
          least_(bound_s > 0 ? (std::log(bound_s) - log_) / deviation_ : -INFINITY),
          cut_off_(normal_probability(least_)) {}

    double log() const { return log_; }
    double deviation() const { return deviation_; }
    /// The probability that the bound takes away.
    double cut_off() const { return cut_off_; }

    double chance_below(double log) const {
        const double below = normal_probability((log - log_) / deviation_);
        return std::max(0., (below - cut_off_) / (1 - cut_off_));
    }
    /// The mean of `of` the logarithm, by parts of equal width.
    template <class Of>
    double mean(Of of) const {
        constexpr int parts = 40;
        constexpr double reach = 5; // in deviations: the rest is one in a million
        const double least = std::max(-reach, least_), width = (reach - least) / parts;
        double sum = 0, weights = 0;
        for (int i = 0; i < parts; ++i) {
            const double z = least + (i + 0.5) * width;
            const double weight = std::exp(-z * z / 2);
            weights += weight;
            sum += weight * of(log_ + deviation_ * z);
        }
        return sum / weights;
    }

  private:
    double log_, deviation_;
    double least_; ///< the bound, in deviations from the median
    double cut_off_;
};

/// How likely one time is longer than another; one half where an interval has no end.
double chance_of_more(const BoundedTime& one, const BoundedTime& other) {
    constexpr double little = 1e-4, most = 0.999; // of a distribution beyond its bound
    const bool bounded = std::max(one.cut_off(), other.cut_off()) > little;
    const double deviation = std::hypot(one.deviation(), other.deviation());
    if (!bounded || !std::isfinite(deviation) || std::max(one.cut_off(), other.cut_off()) > most)
        return normal_probability((one.log() - other.log()) / deviation);
    // The probability of the wider is smooth in steps of the narrower.
    return one.deviation() < other.deviation()
               ? one.mean([&](double log) { return other.chance_below(log); })
               : other.mean([&](double log) { return 1 - one.chance_below(log); });
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
        return chance_of_more({start.time_s, one.bound_s, share}, {other_s, other.bound_s, share});
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

KnownTime known_time(const RankedAlgorithm& candidate) {
    const KnownTime known{candidate.known_s(), candidate.lower_quartile_s,
                          candidate.predicted.prediction.lossless_s};
    return candidate.may_wait_unmeasured() ? scaled(known, 1 + expected_wait_s / known.time_s.value)
                                           : known;
}

StartTimes times_of(const RankedAlgorithm& candidate, const SecondTime& second) {
    StartTimes times{.usual = known_time(candidate),
                     .loses_packets = candidate.overflows_unmeasured(),
                     .measured = candidate.measured_s.has_value(),
                     .overflow_bytes = candidate.predicted.prediction.overflow_bytes,
                     .may_lose = candidate.predicted.prediction.may_lose,
                     .small_windows = candidate.predicted.prediction.small_windows,
                     .bound_s = candidate.predicted.prediction.bound_s};
    if (second)
        times.second = second(candidate.choice);
    return times;
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

std::optional<SafeChoice> quickest_safe(const Ranking& usual, const SecondTime& second,
                                        const TimesElsewhere& elsewhere, bool of_library) {
    const auto* const own = library_choice(usual);
    if (!own)
        return std::nullopt;
    auto library = times_of(*own, second);
    if (elsewhere)
        library.elsewhere = elsewhere(own->choice);
    const SafeChoice none{own->choice, library, library, own->measured_s.has_value()};
    auto best = none, best_measured = none;
    bool any_measured = false;
    for (const auto& candidate : usual.candidates) {
        const bool may_run =
            of_library ? !candidate.choice.is_default() : candidate.choice.algorithm != nullptr;
        if (!may_run)
            continue;
        auto times = times_of(candidate, second);
        // Times on other spreads take as many simulations again.
        if (elsewhere && loss_here(times, library) < most_likely_chance)
            times.elsewhere = elsewhere(candidate.choice);
        if (!is_safe(times, library))
            continue;
        const bool measured = candidate.measured_s.has_value();
        const SafeChoice safe{candidate.choice, times, library, measured};
        // With one time each the ranking's order is that of preference.
        if (best.choice == own->choice || times.over(best.times) < 1 / worth_gaining)
            best = safe;
        if (measured && (!any_measured || times.over(best_measured.times) < 1))
            best_measured = safe;
        any_measured = any_measured || measured;
    }
    return any_measured && chance_of_slower(best_measured.times, best.times) < surely
               ? best_measured
               : best;
}

std::vector<Choice> promising_choices(const Ranking& usual, const SecondTime& second,
                                      std::size_t most) {
    constexpr double hopeless = 0.6;
    const auto* const own = library_choice(usual);
    const auto to_beat =
        own ? std::optional(scaled(times_of(*own, second), 1 / worth_gaining)) : std::nullopt;
    constexpr Estimate unit_s{1, 1, 1};
    const StartTimes unit{{unit_s}, KnownTime{unit_s}};
    std::vector<std::pair<double, Choice>> hopeful;
    for (const auto& candidate : usual.candidates)
        if (candidate.choice.algorithm) {
            const auto times = times_of(candidate, second);
            if (!to_beat || chance_of_slower(times, *to_beat) < hopeless)
                hopeful.emplace_back(times.over(unit), candidate.choice);
        }
    std::ranges::stable_sort(hopeful, {}, &std::pair<double, Choice>::first);
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < std::min(most, hopeful.size()); ++i)
        choices.push_back(std::move(hopeful[i].second));
    return choices;
}

std::optional<Network> from_second_start(const Network& network, Collective collective,
                                         const Clusters& hosts) {
    for (const auto start_mode : {StartMode::silence, StartMode::barrier}) {
        const CollectiveProbe probe{collective, start_mode};
        if (correction_of(network, probe, hosts, true) &&
            correction_of(network, probe, hosts, false))
            return network_after(network, start_mode);
    }
    return std::nullopt;
}

SecondTime second_times(const Network& network, const Ranking& ranking) {
    const auto [collective, clusters, size_bytes] =
        std::tuple(ranking.collective, ranking.clusters, ranking.size_bytes);
    const auto after = from_second_start(network, collective, clusters);
    if (!after || !library_known(*after, collective, clusters, size_bytes))
        return {};
    return [=](const Choice& choice) -> std::optional<KnownTime> {
        const auto time = evaluate(*after, collective, clusters, size_bytes, choice);
        return time ? std::optional(known_time(*time)) : std::nullopt;
    };
}

} // namespace alltold
