// SPDX-License-Identifier: BSD-3-Clause
// Intervals from few times, elimination, and the choice of the winner.
#include "predict/design/elimination.hpp"

#include "network/samples.hpp"
#include "predict/call_time.hpp"

namespace alltold {
namespace {

/// Assumed relative standard error of a single time, which says no more than rates do.
constexpr double least_spread = bounds_known - 1;
/// What a call loses by Linux's least retransmission time-out, 200 ms, and by small windows after
/// it: measured calls took up to 0.37 s longer, most no more than this (docs/results/blind.md).
constexpr double time_out_s = 0.3;
/// So many times of that error know a median to 0.9 %, within a tie.
constexpr std::size_t usual_times = 12;
constexpr double endless = std::numeric_limits<double>::infinity();

} // namespace

Estimate known_s(const EliminationCandidate& candidate) {
    const auto& times_s = candidate.times_s;
    if (times_s.empty())
        return candidate.predicted_s.value_or(Estimate{0, 0, endless});
    const double middle_s = median(times_s);
    const auto count = static_cast<double>(times_s.size());
    const double error_s = clear_errors * std::max(least_spread * middle_s / std::sqrt(count),
                                                   median_standard_error(times_s));
    double low_s = middle_s - error_s;
    if (times_s.size() == 1)
        low_s -= time_out_s;
    else if (times_s.size() <= times_of_short)
        low_s = *std::min_element(times_s.begin(), times_s.end()) - error_s;
    return {middle_s, std::max(0., low_s), middle_s + error_s};
}

Elimination::Elimination(std::vector<EliminationCandidate> candidates, double floor_s)
    : candidates_(std::move(candidates)), floor_s_(floor_s) {
    assert(!candidates_.empty());
}

void Elimination::add(std::size_t candidate, double time_s) {
    candidates_[candidate].times_s.push_back(time_s);
    floor_s_ = bounds_known * time_s < floor_s_ ? 0 : std::min(floor_s_, time_s);
}

Estimate Elimination::known(std::size_t candidate) const {
    auto known = known_s(candidates_[candidate]);
    if (candidates_[candidate].times_s.empty()) {
        const double share = optimism();
        known = {share * known.value, share * known.low, known.high};
    }
    known.low = std::max(known.low, floor_s_);
    return known;
}

double Elimination::optimism() const {
    const auto best = quickest();
    double share = 1;
    double least_s = endless;
    for (const auto& one : candidates_) {
        if (!one.predicted_s || one.predicted_s->value <= 0)
            continue;
        least_s = std::min(least_s, one.predicted_s->value);
        if (!one.times_s.empty())
            share = std::min(share, known_s(one).value / one.predicted_s->value);
    }
    return best ? std::min(share, known_s(candidates_[*best]).value / least_s) : share;
}

std::size_t Elimination::most_times() const {
    const auto best = quickest();
    return best && known(*best).value < short_call_s ? times_of_short * usual_times : usual_times;
}

std::optional<std::size_t> Elimination::quickest() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (!candidates_[i].times_s.empty() &&
            (!best || known_s(candidates_[i]).value < known_s(candidates_[*best]).value))
            best = i;
    return best;
}

std::vector<std::size_t> Elimination::running() const {
    const auto best = quickest();
    const auto at_best = best ? known(*best) : Estimate{0, 0, endless};
    std::vector<std::size_t> left;
    bool may_gain = !best;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const auto own = known(i);
        if (own.low > at_best.high || candidates_[i].times_s.size() >= most_times())
            continue;
        left.push_back(i);
        may_gain = may_gain || (i != best && own.low < at_best.value / tied);
    }
    // Replace the default only if it is known to be slower, not merely not quicker.
    for (const auto i : left)
        may_gain = may_gain ||
                   (candidates_[i].is_default && i != best && known(i).value * tied < at_best.high);
    if (!may_gain || (left.size() == 1 && left.front() == best))
        left.clear();
    if (left.empty() && best && candidates_.size() > 1 &&
        candidates_[*best].times_s.size() < fewest_repetitions)
        left.push_back(*best);
    return left;
}

double Elimination::doubt() const {
    const auto left = running();
    const auto best = quickest();
    if (left.empty() || !best)
        return left.empty() ? 0 : 1;
    const double best_s = known(*best).value;
    double most = tied - 1;
    for (const auto i : left)
        if (i != *best)
            most = std::max(most, 1 - known(i).low / best_s);
    return most;
}

std::optional<std::size_t> Elimination::winner() const {
    const auto best = quickest();
    if (!best)
        return std::nullopt;
    const double best_s = known_s(candidates_[*best]).value;
    auto chosen = *best;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (!candidates_[i].is_default && !candidates_[i].times_s.empty() &&
            known_s(candidates_[i]).value <= tied * best_s &&
            (candidates_[chosen].is_default || candidates_[i].care < candidates_[chosen].care))
            chosen = i;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const auto& own = candidates_[i];
        if (!own.is_default || own.times_s.empty())
            continue;
        const auto known = known_s(own), other = known_s(candidates_[chosen]);
        if (known.value <= tied * other.value || other.high > tied * known.value)
            return i;
    }
    return chosen;
}

} // namespace alltold
