// SPDX-License-Identifier: BSD-3-Clause
// When a point has been measured enough, how many repetitions to take next, and the random order of
// measurements.
#pragma once

#include <limits>

#include "store/campaign.hpp"

namespace alltold::campaign {

/// When to stop repeating.
struct Goal {
    double half_width = 0.05;   ///< of the median's 95 % interval, relative
    int most = 30;              ///< repetitions, not counting warm-ups
    std::optional<int> exactly; ///< overrides the above: a fixed number of repetitions
    /// With `exactly`: that many again, up to `most`, while the median's standard error is larger
    /// than this, relative; infinite: never.
    double agreement = std::numeric_limits<double>::infinity();
    bool refine = true; ///< probes may ask for sizes beside the plan, not only for counts
};

enum class Why { active, tight, most, exactly, large, needless };
/// "interval within 5 %", "30 repetitions" and so on, for the report.
std::string describe(Why why, const Goal& goal);

/// A point of the plan while it is being measured.
struct PointProgress {
    Point point;
    std::vector<double> times_s; ///< without warm-ups, over all sessions
    double warmup_s = 0;         ///< the last warm-up of this session
    Why why = Why::active;
    /// Times that the same repetitions give for other points, without warm-ups; this session's.
    std::vector<std::pair<Point, std::vector<double>>> derived = {};

    void add_derived(const Point& of, double value);

    /// Sets `why` from the samples so far.
    void judge(const Goal& goal);
    /// Repetitions in the next measurement: first enough for an interval, then five at a time.
    int wanted(const Goal& goal) const;
    /// Whether `exactly` repetitions, or a multiple of them, agree, also in what is derived.
    bool agrees(const Goal& goal) const;
};

/// Expected seconds of one repetition of `progress`, from its own samples or else in proportion
/// from the largest smaller size with the same hosts and count; 0 if unknown.
double expected_s(const PointProgress& progress, const std::vector<PointProgress>& all);

/// The order of the active points of `kind` (all when empty) in pass `pass`: shuffled, the same
/// for equal arguments. Points with too few repetitions for a fit come first, and among them those
/// of one pair of ranks, so that a small budget omits other pairs rather than sizes.
std::vector<std::size_t> shuffled(const std::vector<PointProgress>& points, std::string_view kind,
                                  std::uint64_t seed, int pass);

/// Fisher and Yates; the same order for the same numbers.
template <typename T>
void shuffle(std::vector<T>& values, Random& random) {
    for (auto i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[random.index(i)]);
}

} // namespace alltold::campaign
