// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/probes/shared/bend_points.hpp"

#include "campaign/probe.hpp"

namespace alltold::campaign {
namespace {

constexpr double tolerance = 0.1;
constexpr std::size_t fewest_samples = 3;
constexpr std::size_t planned_at_most = 15; // the usual sizes
constexpr std::size_t most_added = 12;
constexpr std::size_t at_a_time = 4;
constexpr double narrowest = 1.1;
constexpr std::uint64_t narrowest_bytes = 128;

/// The curve at one of its sizes.
struct CurvePoint {
    double size_bytes;
    double time_s;
    double error_s; ///< standard error of time_s
};

/// The error of the line between the neighbours beyond tolerance and noise, relative to the time.
double bend(const CurvePoint& before, const CurvePoint& at, const CurvePoint& after) {
    const double weight =
        (at.size_bytes - before.size_bytes) / (after.size_bytes - before.size_bytes);
    const double line_s = (1 - weight) * before.time_s + weight * after.time_s;
    const double error_s =
        std::hypot(at.error_s, (1 - weight) * before.error_s, weight * after.error_s);
    const double miss_s = std::abs(line_s - at.time_s);
    return miss_s > tolerance * at.time_s + 3 * error_s ? miss_s / at.time_s : 0;
}

/// Sizes to add to a curve, in order of priority.
std::vector<std::uint64_t> middles(const std::vector<CurvePoint>& curve) {
    std::map<std::size_t, double> wanted; // by the index of an interval's lower end
    for (std::size_t i = 1; i + 1 < curve.size(); ++i)
        if (const double by = bend(curve[i - 1], curve[i], curve[i + 1]); by > 0)
            for (const std::size_t interval : {i - 1, i})
                wanted[interval] = std::max(wanted[interval], by);
    std::vector<std::pair<double, std::uint64_t>> sizes;
    for (const auto& [interval, by] : wanted) {
        const auto low = static_cast<std::uint64_t>(curve[interval].size_bytes);
        const auto high = static_cast<std::uint64_t>(curve[interval + 1].size_bytes);
        if (static_cast<double>(high) > narrowest * static_cast<double>(low) &&
            high - low >= narrowest_bytes)
            sizes.emplace_back(-by, low + (high - low) / 2);
    }
    std::sort(sizes.begin(), sizes.end());
    std::vector<std::uint64_t> best;
    for (const auto& [by, size_bytes] : sizes)
        best.push_back(size_bytes);
    return best;
}

constexpr int factor = 4;
constexpr std::uint64_t most_message_bytes = 256 << 10;
constexpr double most_message_s = 0.05;
constexpr double most_train_bytes = 4 << 20;
constexpr double most_train_s = 0.25;

/// The longest measured point of each pair; a pair with a longer one that was not is left out.
std::vector<const PointProgress*> longest_of_pairs(std::span<const PointProgress> known) {
    std::map<std::pair<int, int>, const PointProgress*> longest;
    for (const auto& progress : known) {
        const auto& point = progress.point;
        const auto*& so_far = longest[{point.first_rank, point.second_rank}];
        if (!so_far || std::pair(point.size_bytes, point.count) >
                           std::pair(so_far->point.size_bytes, so_far->point.count))
            so_far = &progress;
    }
    std::vector<const PointProgress*> all;
    for (const auto& [pair, progress] : longest)
        if (!progress->times_s.empty())
            all.push_back(progress);
    return all;
}

double taken_s(const PointProgress& progress) {
    const double value = median(progress.times_s);
    auto* const cost_s = probe_of(progress.point).cost_s;
    return cost_s ? cost_s(progress.point, value) : value;
}

} // namespace

std::vector<Point> bend_points(std::span<const PointProgress> known) {
    std::map<std::pair<int, int>, std::vector<const PointProgress*>> pairs;
    for (const auto& progress : known)
        pairs[{progress.point.first_rank, progress.point.second_rank}].push_back(&progress);
    std::vector<Point> wanted;
    for (auto& [pair, points] : pairs) {
        const std::size_t allowance =
            planned_at_most + most_added - std::min(points.size(), planned_at_most + most_added);
        if (std::any_of(points.begin(), points.end(), [](const PointProgress* progress) {
                return progress->times_s.size() < fewest_samples && progress->why != Why::large;
            }))
            continue;
        std::vector<CurvePoint> curve;
        for (const auto* progress : points)
            if (!progress->times_s.empty())
                curve.push_back({static_cast<double>(progress->point.size_bytes),
                                 median(progress->times_s),
                                 median_standard_error(progress->times_s)});
        std::ranges::sort(curve, {}, &CurvePoint::size_bytes);
        auto sizes = middles(curve);
        sizes.resize(std::min({sizes.size(), at_a_time, allowance}));
        for (const auto size_bytes : sizes) {
            wanted.push_back(points.front()->point);
            wanted.back().size_bytes = size_bytes;
        }
    }
    return wanted;
}

std::vector<Point> longer_messages(std::span<const PointProgress> known) {
    std::vector<Point> wanted;
    for (const auto* progress : longest_of_pairs(known))
        if (factor * progress->point.size_bytes <= most_message_bytes &&
            factor * taken_s(*progress) <= most_message_s) {
            wanted.push_back(progress->point);
            wanted.back().size_bytes *= factor;
        }
    return wanted;
}

std::vector<Point> longer_trains(std::span<const PointProgress> known) {
    std::vector<Point> wanted;
    for (const auto* progress : longest_of_pairs(known)) {
        const Point& point = progress->point;
        if (factor * static_cast<double>(point.size_bytes) * point.count <= most_train_bytes &&
            factor * taken_s(*progress) <= most_train_s) {
            wanted.push_back(point);
            wanted.back().count *= factor;
        }
    }
    return wanted;
}

} // namespace alltold::campaign
