// SPDX-License-Identifier: BSD-3-Clause
// Four times the longest where the time allows it.
#include "campaign/probes/shared/longer.hpp"

#include <algorithm>
#include <map>

#include "campaign/probe.hpp"
#include "core/median.hpp"

namespace alltold::campaign {
namespace {

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
