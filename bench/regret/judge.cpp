// SPDX-License-Identifier: BSD-3-Clause
// Halves of repetitions, medians and their intervals.
#include "regret/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/statistics.hpp"

namespace alltold::regret {
namespace {

/// A choice that takes this much longer than the library's own is slower.
constexpr double no_loss = 0.03;

/// Ratio of two values of a parameter; 0, or more than `most`, is as much as there is.
double log_factor(double one, double two, double most) {
    const auto taken = [most](double value) { return value > 0 ? std::min(value, most) : most; };
    return std::abs(std::log(taken(one) / taken(two)));
}

/// The log of the factor between the parameters of two choices; infinite for other algorithms.
double log_apart(const Choice& one, const Choice& two, const TimedCall& call) {
    if (one.algorithm != two.algorithm || one.library != two.library)
        return std::numeric_limits<double>::infinity();
    const auto size = static_cast<double>(std::max<std::uint64_t>(call.size_bytes, 1));
    const auto ranks = static_cast<double>(call.clusters.ranks());
    return log_factor(static_cast<double>(one.parameters.segment_bytes),
                      static_cast<double>(two.parameters.segment_bytes), size) +
           log_factor(one.parameters.window, two.parameters.window, ranks) +
           log_factor(one.parameters.inter_cluster_window, two.parameters.inter_cluster_window,
                      ranks);
}

/// All rows of one choice: that of the rules was often timed beside the same one.
struct Candidate {
    Choice choice;
    bool by_rules = false, dropped = false;
    std::vector<double> times_s = {}, to_select_s = {}, to_judge_s = {};

    void add(const TimedChoice& row) {
        by_rules = by_rules || row.by_rules;
        dropped = dropped || row.dropped;
        times_s.insert(times_s.end(), row.times_s.begin(), row.times_s.end());
        for (std::size_t i = 0; i < row.times_s.size(); ++i)
            (i % 2 == 0 ? to_select_s : to_judge_s).push_back(row.times_s[i]);
    }
    bool has_few() const { return times_s.size() < least_times; }
};

/// Those that can be judged: timed often, or dropped, whose times all judge, since none selects
/// them as the best.
std::vector<Candidate> candidates_of(const TimedCall& call) {
    std::vector<Candidate> candidates;
    for (const auto& row : call.timed) {
        auto known = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
            return log_apart(candidate.choice, row.choice, call) == 0;
        });
        if (known == candidates.end())
            known = candidates.insert(known, Candidate{row.choice});
        known->add(row);
    }
    std::erase_if(candidates, [](const Candidate& candidate) {
        return candidate.has_few() && (!candidate.dropped || candidate.times_s.empty());
    });
    for (auto& candidate : candidates)
        if (candidate.has_few())
            candidate.to_judge_s = candidate.times_s;
    return candidates;
}

/// 95 %, by order statistics; of fewer than six values the lowest and the highest.
std::pair<double, double> interval(std::vector<double> times_s) {
    std::ranges::sort(times_s);
    const auto count = static_cast<double>(times_s.size());
    const auto outside = static_cast<std::size_t>(
        std::max(0., std::floor(count / 2 - 0.98 * std::sqrt(count) - 0.5)));
    return {times_s[outside], times_s[times_s.size() - 1 - outside]};
}

/// Standard error of the ratio of two medians, as a share.
double error_of_ratio(const Candidate& one, const Candidate& two) {
    const auto error = [](const Candidate& candidate) {
        return median_standard_error(candidate.to_judge_s) / median(candidate.to_judge_s);
    };
    return std::hypot(error(one), error(two));
}

/// That with the parameters nearest to the choice's; end if its algorithm was not timed.
auto nearest(const std::vector<Candidate>& candidates, const Choice& choice,
             const TimedCall& call) {
    const auto apart = [&](const Candidate& candidate) {
        return log_apart(candidate.choice, choice, call);
    };
    const auto found = std::ranges::min_element(candidates, {}, apart);
    return found == candidates.end() || std::isfinite(apart(*found)) ? found : candidates.end();
}

double selected_by(const Candidate& candidate) {
    return median(candidate.to_select_s);
}

bool was_timed(const TimedCall& call, const Choice& choice) {
    return std::ranges::any_of(call.timed, [&](const TimedChoice& row) {
        return std::isfinite(log_apart(row.choice, choice, call));
    });
}

} // namespace

std::string TimedCall::text() const {
    return fmt::format("{} {}, {} B{}", name_of(collective), clusters.text(), size_bytes,
                       start == StartMode::silence ? "" : fmt::format(", {}", in_words(start)));
}

Verdict judge(const TimedCall& call, std::span<const Choice> decided) {
    Verdict verdict;
    verdict.chosen = text_of(decided.front());
    const auto candidates = candidates_of(call);
    const auto chosen = nearest(candidates, decided.front(), call);
    const auto library = std::ranges::find_if(candidates, &Choice::is_default, &Candidate::choice);
    if (chosen == candidates.end() || library == candidates.end()) {
        verdict.judged = was_timed(call, decided.front()) ? Judged::too_few : Judged::not_timed;
        return verdict;
    }
    const auto best = std::ranges::min_element(candidates, {}, selected_by);
    auto tried = library;
    for (const auto& choice : decided)
        if (const auto other = nearest(candidates, choice, call);
            other != candidates.end() && selected_by(*other) < selected_by(*tried))
            tried = other;
    const auto judged_s = [](const auto& candidate) { return median(candidate->to_judge_s); };
    const double chosen_s = judged_s(chosen), best_s = judged_s(best),
                 library_s = judged_s(library);
    verdict.judged = Judged::yes;
    verdict.chosen = text_of(chosen->choice);
    verdict.apart = std::exp(log_apart(chosen->choice, decided.front(), call));
    verdict.changed = !chosen->by_rules;
    verdict.best = text_of(best->choice);
    verdict.loss = std::max(chosen_s / best_s - 1, 0.);
    verdict.loss_error = chosen == best ? 0 : error_of_ratio(*chosen, *best);
    verdict.over_library = chosen_s / library_s - 1;
    verdict.slower = verdict.over_library > no_loss &&
                     interval(chosen->times_s).first > interval(library->times_s).second;
    if (const double gain = std::log(library_s / best_s);
        best != library && gain > 2 * error_of_ratio(*library, *best)) {
        verdict.best_gain = gain;
        verdict.gain = std::max(std::log(library_s / chosen_s), 0.);
        verdict.tried_gain = std::max(std::log(library_s / judged_s(tried)), 0.);
    }
    return verdict;
}

} // namespace alltold::regret
