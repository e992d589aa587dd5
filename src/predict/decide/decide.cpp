// SPDX-License-Identifier: BSD-3-Clause
// Worlds drawn with common random numbers.
#include "predict/decide/decide.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>

#include "core/random.hpp"
#include "core/statistics.hpp"
#include "network/growth/growth.hpp"
#include "predict/timing/timeout_chance.hpp"

namespace alltold {
namespace {

/// Worlds of one setting: a probability of 5 % is then known to 1.4 % (binomial), less than the
/// models' own error.
constexpr int worlds = Growth::worlds;

/// One number for each world.
using Draws = Eigen::ArrayXd;

/// The quantiles in the middles of as many equal shares of a standard normal distribution.
const Draws& normal_strata() {
    static const Draws strata = [] {
        Draws quantiles(worlds);
        for (int world = 0; world < worlds; ++world)
            quantiles(world) = normal_quantile((world + 0.5) / worlds);
        return quantiles;
    }();
    return strata;
}

/// Standard normal numbers, stratified and in random order: those of `stream` are always the same.
/// A thread keeps them, 2 KiB for each stream: two for each candidate of a call, and two more.
const Draws& normal_draws(std::uint64_t stream) {
    thread_local std::map<std::uint64_t, Draws> known;
    const auto [place, added] = known.try_emplace(stream);
    auto& draws = place->second;
    if (!added)
        return draws;
    Random random(stream);
    draws = normal_strata();
    for (std::size_t i = worlds - 1; i > 0; --i)
        std::swap(draws(static_cast<Eigen::Index>(i)),
                  draws(static_cast<Eigen::Index>(random.index(i + 1))));
    return draws;
}

/// Streams of random numbers: what a stream stands for is the same in every setting.
enum Stream : std::uint64_t {
    of_rates,
    of_loops,
    of_errors = 100,
    of_timeouts = 200,
    of_quartiles = 300
};

/// The share of single calls' errors that loops keep (Correction::for_loops).
const Draws& loop_shares() {
    static const Draws shares = normal_draws(of_loops).unaryExpr(&normal_probability);
    return shares;
}

double log_sd(const Estimate& time_s) {
    if (!(time_s.low > 0) || !std::isfinite(time_s.high))
        return INFINITY;
    return std::log(time_s.high / time_s.low) / (2 * normal_reach);
}

/// Repetitions at which a call such as this took a time-out, and at which it took none.
struct TimeoutCounts {
    double with = 0, without = 0;
};

/// The model's chance counts as one repetition; then those of measured calls by the same algorithm
/// that fill queues as far.
TimeoutCounts timeout_counts(const CallTime& call) {
    const double chance = chance_of_timeout(call.modelled);
    TimeoutCounts counts{chance, 1 - chance};
    if (chance <= 0 || !call.correction)
        return counts;
    for (const auto& measured : call.correction->calls())
        if (measured.algorithm == call.choice.algorithm &&
            measured.modelled.may_lose == call.modelled.may_lose &&
            chance_of_timeout(measured.modelled) > 0) {
            counts.with += measured.timed_out;
            counts.without += measured.repetitions - measured.timed_out;
        }
    return counts;
}

/// The share of repetitions with a time-out in each world: Beta with these counts, from sums of
/// exponential numbers by Johnk's method.
Draws timeout_shares(const TimeoutCounts& counts, std::uint64_t stream) {
    Draws shares = Draws::Zero(worlds);
    if (!(counts.with > 0))
        return shares;
    Random random(stream);
    // Many counts are as good as known.
    constexpr double most = 20;
    const double scale = std::min(1., most / (counts.with + counts.without));
    const double a = scale * counts.with, b = scale * counts.without;
    const auto gamma = [&](double shape) {
        double sum = 0;
        for (; shape >= 1; --shape)
            sum -= std::log(1 - random.uniform());
        if (shape <= 0)
            return sum;
        for (;;) {
            const double x = std::pow(random.uniform(), 1 / shape),
                         y = std::pow(random.uniform(), 1 / (1 - shape));
            if (x + y > 0 && x + y <= 1)
                return sum - std::log(1 - random.uniform()) * x / (x + y);
        }
    };
    for (auto& share : shares) {
        const double x = gamma(a), y = gamma(b);
        share = x + y > 0 ? x / (x + y) : 0;
    }
    return shares;
}

/// The log times of one setting's candidates in each world, before bounds and time-outs; a
/// candidate that is not known has none.
class LogTimes {
  public:
    explicit LogTimes(const Setting& setting) : setting_(setting), of_(setting.times.size()) {
        std::map<const Residual*, std::vector<std::size_t>> by_process;
        for (std::size_t i = 0; i < of_.size(); ++i)
            if (setting.times[i] && setting.times[i]->correction)
                by_process[&setting.times[i]->correction->residual()].push_back(i);
            else if (setting.times[i])
                draw_alone(i);
        for (const auto& [process, members] : by_process)
            draw_together(*setting.times[members.front()]->correction, members);
    }
    const Draws& of(std::size_t candidate) const { return of_[candidate]; }

  private:
    /// Times that grew are all in the same worlds; others are independent, since nothing is known
    /// of how their errors go with others'.
    void draw_alone(std::size_t i) {
        const auto& time = *setting_.times[i];
        if (time.log_draws.empty())
            of_[i] =
                std::log(time.time_s.value) + log_sd(time.time_s) * normal_draws(of_errors + i);
        else
            of_[i] = Eigen::Map<const Draws>(time.log_draws.data(), worlds);
    }

    void draw_together(const Correction& correction, const std::vector<std::size_t>& members) {
        std::vector<CallTraits> traits;
        for (const auto i : members)
            traits.push_back(setting_.times[i]->traits);
        const auto joint = correction.residual().together(traits);
        const auto count = static_cast<Eigen::Index>(members.size());
        Eigen::MatrixXd covariances =
            Eigen::Map<const Eigen::MatrixXd>(joint.covariances.data(), count, count);
        covariances.diagonal().array() += 1e-10; // equal candidates have one error
        const Eigen::MatrixXd root = covariances.llt().matrixL();
        for (Eigen::Index row = 0; row < count; ++row) {
            const auto place = static_cast<std::size_t>(row);
            Draws error = Draws::Constant(worlds, joint.log_ratios[place]);
            for (Eigen::Index column = 0; column <= row; ++column)
                error += root(row, column) *
                         normal_draws(of_errors + members[static_cast<std::size_t>(column)]);
            if (correction.of_loops())
                error *= loop_shares();
            of_[members[place]] = std::log(traits[place].modelled_s) + error;
        }
    }

    const Setting& setting_;
    std::vector<Draws> of_;
};

/// The mean time of a candidate's calls in each world.
Draws times_of(const CallTime& call, std::size_t candidate, const Draws& log_time,
               double timeout_s) {
    Draws time_s = log_time.exp();
    // A quarter of the repetitions of such a call are quick: a program may see those alone.
    if (std::isfinite(call.lower_quartile_s)) {
        const auto& draws = normal_draws(of_quartiles + candidate);
        const double quarter = normal_quantile(0.25);
        for (int world = 0; world < worlds; ++world)
            if (draws(world) < quarter)
                time_s(world) = std::min(time_s(world), call.lower_quartile_s);
    }
    if (call.lossless_s)
        time_s = time_s.max(call.lossless_s->value);
    // Connections of half of the programs are idle between calls, or had losses.
    if (call.modelled.small_windows > 1)
        for (int world = 0; world < worlds; world += 2)
            time_s(world) *= call.modelled.small_windows;
    if (call.bound_s > 0) {
        const double rates_sd = std::log(bounds_known) / normal_reach;
        time_s = time_s.max(call.certain_bound_s() * (rates_sd * normal_draws(of_rates)).exp());
    }
    return time_s + timeout_s * timeout_shares(timeout_counts(call), of_timeouts + candidate);
}

/// Times of each candidate in each world of one setting.
class Worlds {
  public:
    explicit Worlds(const Setting& setting) : setting_(setting), log_times_(setting) {}

    bool knows(std::size_t candidate) const {
        const auto& time = setting_.times[candidate];
        return time && std::isfinite(time->time_s.high);
    }
    Draws operator[](std::size_t candidate) const {
        return setting_.work_s + times_of(*setting_.times[candidate], candidate,
                                          log_times_.of(candidate), setting_.timeout_s);
    }

  private:
    const Setting& setting_;
    LogTimes log_times_;
};

} // namespace

std::vector<Odds> odds_in(const Setting& setting, const Terms& terms) {
    const Worlds times(setting);
    if (!times.knows(0))
        return {};
    std::vector<Odds> odds(setting.times.size());
    odds.front() = {1, 0};
    const Draws library_s = times[0];
    for (std::size_t i = 1; i < odds.size(); ++i)
        if (times.knows(i)) {
            const Draws time_s = times[i];
            odds[i] = {time_s.mean() / library_s.mean(),
                       (time_s > (1 + terms.worth) * library_s).cast<double>().mean()};
        }
    return odds;
}

std::vector<Odds> mean_of(std::span<const std::vector<Odds>> settings, std::size_t candidates) {
    std::vector<Odds> odds(candidates, Odds{0, 0});
    int known = 0;
    for (const auto& setting : settings) {
        if (setting.empty())
            continue;
        ++known;
        for (std::size_t i = 0; i < candidates; ++i)
            odds[i] = {odds[i].ratio + setting[i].ratio,
                       odds[i].chance_of_loss + setting[i].chance_of_loss};
    }
    for (auto& of : odds)
        of = known > 0 && std::isfinite(of.ratio)
                 ? Odds{of.ratio / known, std::min(1., of.chance_of_loss / known)}
                 : Odds{};
    return odds;
}

std::vector<Odds> odds_of(std::span<const Setting> settings, const Terms& terms) {
    std::vector<std::vector<Odds>> of_settings;
    for (const auto& setting : settings)
        of_settings.push_back(odds_in(setting, terms));
    return mean_of(of_settings, settings.empty() ? 0 : settings.front().times.size());
}

double regret_of(std::span<const Setting> settings, std::size_t chosen) {
    constexpr double most = 2;
    double sum = 0;
    int known = 0;
    for (const auto& setting : settings) {
        const Worlds times(setting);
        if (!times.knows(chosen))
            continue;
        ++known;
        const Draws chosen_s = times[chosen];
        Draws least_s = chosen_s;
        for (std::size_t i = 0; i < setting.times.size(); ++i)
            if (times.knows(i))
                least_s = least_s.min(times[i]);
        sum += (chosen_s / least_s - 1).min(most).mean();
    }
    return known > 0 ? sum / known : most;
}

std::size_t decide(std::span<const Odds> odds, const Terms& terms) {
    std::size_t least = 0;
    for (std::size_t i = 1; i < odds.size(); ++i)
        if (odds[i].may_run(terms) && (least == 0 || odds[i].ratio < odds[least].ratio))
            least = i;
    return least;
}

std::size_t worth_trying(std::span<const Odds> odds, const Terms& terms) {
    return decide(odds, {.worth = terms.worth, .risk = 1});
}

} // namespace alltold
