// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/policies/point_progress.hpp"

#include <fmt/format.h>

#include "campaign/probe.hpp"

namespace alltold::campaign {
namespace {

/// The fewest from which a 95 % interval of the median exists.
constexpr int interval_needs = 6;
/// A point with fewer repetitions is left out of fits.
constexpr std::size_t fit_needs = 3;
constexpr int later_measurement = 5;
/// Keeps measurements short, so that signals are handled and samples stored in time.
constexpr int most_a_measurement = 10;

/// For each point, the number of earlier points that differ in the pair of ranks only.
std::vector<int> pairs_before(const std::vector<PointProgress>& points) {
    std::map<std::tuple<std::string, std::string, std::string, std::uint64_t, int>, int> seen;
    std::vector<int> before;
    for (const auto& [point, times_s, warmup_s, why, derived] : points)
        before.push_back(seen[{point.probe, point.algorithm, point.clusters.text(),
                               point.size_bytes, point.count}]++);
    return before;
}

} // namespace

std::string describe(Why why, const Goal& goal) {
    switch (why) {
    case Why::tight:
        return fmt::format("95 % interval within {:g} % of the median", 100 * goal.half_width);
    case Why::most:
        return fmt::format("{} repetitions, interval still wider", goal.most);
    case Why::exactly:
        return fmt::format("{} repetitions as requested", goal.exactly.value_or(0));
    case Why::large:
        return "buffers of more than 1 GiB on each rank";
    case Why::needless:
        return "known from other measurements";
    case Why::active:
        break;
    }
    return "budget used up";
}

void PointProgress::judge(const Goal& goal) {
    const auto taken = static_cast<int>(times_s.size());
    if (goal.exactly)
        why = agrees(goal) ? Why::exactly : taken >= goal.most ? Why::most : Why::active;
    else if (taken >= interval_needs &&
             median_interval(times_s).relative_half_width() <= goal.half_width)
        why = Why::tight;
    else if (taken >= goal.most)
        why = Why::most;
}

bool PointProgress::agrees(const Goal& goal) const {
    if (static_cast<int>(times_s.size()) < *goal.exactly)
        return false;
    const auto agree = [&](const std::vector<double>& values) {
        return std::isinf(goal.agreement) ||
               median_standard_error(values) <= goal.agreement * std::abs(median(values));
    };
    return agree(times_s) &&
           std::ranges::all_of(derived, [&](const auto& one) { return agree(one.second); });
}

void PointProgress::add_derived(const Point& of, double value) {
    auto known = std::ranges::find(derived, of, &std::pair<Point, std::vector<double>>::first);
    if (known == derived.end())
        known = derived.insert(derived.end(), {of, {}});
    known->second.push_back(value);
}

int PointProgress::wanted(const Goal& goal) const {
    const auto taken = static_cast<int>(times_s.size());
    if (goal.exactly)
        return std::min(taken < *goal.exactly ? *goal.exactly - taken
                                              : std::min(*goal.exactly, goal.most - taken),
                        most_a_measurement);
    return std::min(taken < interval_needs ? interval_needs - taken : later_measurement,
                    goal.most - taken);
}

double expected_s(const PointProgress& progress, const std::vector<PointProgress>& all) {
    auto* const cost_s = probe_of(progress.point).cost_s;
    const auto cost = [&](const Point& point, double value) {
        return cost_s == nullptr ? value : cost_s(point, value);
    };
    if (!progress.times_s.empty())
        return cost(progress.point, median(progress.times_s));
    if (progress.warmup_s > 0)
        return cost(progress.point, progress.warmup_s);
    const PointProgress* nearest = nullptr;
    for (const auto& other : all) {
        auto same = other.point;
        same.size_bytes = progress.point.size_bytes;
        if (same == progress.point && !other.times_s.empty() &&
            other.point.size_bytes < progress.point.size_bytes &&
            (nearest == nullptr || other.point.size_bytes > nearest->point.size_bytes))
            nearest = &other;
    }
    if (nearest == nullptr)
        return 0;
    // Below a packet, start-up dominates and time does not grow with size.
    const double grown = static_cast<double>(progress.point.size_bytes) /
                         std::max(1500., static_cast<double>(nearest->point.size_bytes));
    return cost(nearest->point, median(nearest->times_s) * std::max(1., grown));
}

std::vector<std::size_t> shuffled(const std::vector<PointProgress>& points, std::string_view kind,
                                  std::uint64_t seed, int pass) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].why == Why::active &&
            (kind.empty() || probe_of(points[i].point).kind == kind))
            order.push_back(i);
    Random random(seed + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(pass));
    shuffle(order, random);
    const auto measured = std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
        return points[i].times_s.size() < fit_needs;
    });
    const auto before = pairs_before(points);
    std::stable_sort(order.begin(), measured,
                     [&](std::size_t a, std::size_t b) { return before[a] < before[b]; });
    return order;
}

} // namespace alltold::campaign
