// SPDX-License-Identifier: BSD-3-Clause
// Adaptive repetition.
#include "campaign/pacing.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "campaign/probe.hpp"
#include "core/median.hpp"
#include "core/random.hpp"

namespace alltold::measure {
namespace {

/// The fewest from which a 95 % interval of the median exists.
constexpr int interval_needs = 6;
/// A point with fewer repetitions is left out of fits.
constexpr std::size_t fit_needs = 3;
constexpr int later_visit = 5;
/// A visit is over soon, so that a signal is heard and its samples are stored.
constexpr int most_a_visit = 10;

/// By point: how many before it are the same but for the pair of ranks.
std::vector<int> pairs_before(const std::vector<Pace>& paces) {
    std::map<std::tuple<std::string, std::string, std::string, std::uint64_t, int>, int> seen;
    std::vector<int> before;
    for (const auto& [point, like, times_s, warmup_s, why] : paces)
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
    case Why::active:
        break;
    }
    return "budget used up";
}

void Pace::judge(const Goal& goal) {
    const auto taken = static_cast<int>(times_s.size());
    if (goal.exactly)
        why = taken >= *goal.exactly ? Why::exactly : Why::active;
    else if (taken >= interval_needs &&
             median_interval(times_s).relative_half_width() <= goal.half_width)
        why = Why::tight;
    else if (taken >= goal.most)
        why = Why::most;
}

int Pace::wanted(const Goal& goal) const {
    const auto taken = static_cast<int>(times_s.size());
    if (goal.exactly)
        return std::min(*goal.exactly - taken, most_a_visit);
    return std::min(taken < interval_needs ? interval_needs - taken : later_visit,
                    goal.most - taken);
}

double expected_s(const Pace& pace, const std::vector<Pace>& all) {
    auto* const cost_s = probe_of(pace.point).cost_s;
    const auto cost = [&](const Point& point, double value) {
        return cost_s == nullptr ? value : cost_s(point, value);
    };
    if (!pace.times_s.empty())
        return cost(pace.point, median(pace.times_s));
    if (pace.warmup_s > 0)
        return cost(pace.point, pace.warmup_s);
    const Pace* nearest = nullptr;
    for (const auto& other : all) {
        auto same = other.point;
        same.size_bytes = pace.point.size_bytes;
        if (same == pace.point && !other.times_s.empty() &&
            other.point.size_bytes < pace.point.size_bytes &&
            (nearest == nullptr || other.point.size_bytes > nearest->point.size_bytes))
            nearest = &other;
    }
    if (nearest == nullptr)
        return 0;
    // Start-up rules below a packet: time does not grow with size there.
    const double grown = static_cast<double>(pace.point.size_bytes) /
                         std::max(1500., static_cast<double>(nearest->point.size_bytes));
    return cost(nearest->point, median(nearest->times_s)) * std::max(1., grown);
}

std::vector<std::size_t> shuffled(const std::vector<Pace>& paces, std::string_view kind,
                                  std::uint64_t seed, int pass) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < paces.size(); ++i)
        if (paces[i].why == Why::active && (kind.empty() || probe_of(paces[i].point).kind == kind))
            order.push_back(i);
    Random random(seed + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(pass));
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.index(i)]);
    const auto measured = std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
        return paces[i].times_s.size() < fit_needs;
    });
    const auto before = pairs_before(paces);
    std::stable_sort(order.begin(), measured,
                     [&](std::size_t a, std::size_t b) { return before[a] < before[b]; });
    return order;
}

} // namespace alltold::measure
