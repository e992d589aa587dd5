// SPDX-License-Identifier: BSD-3-Clause
// Picking a probe's points out of a campaign.
#include "store/sampled.hpp"

#include <algorithm>

namespace alltold {
namespace {

constexpr std::size_t fewest_repetitions = 3;

} // namespace

std::vector<const PointSamples*> sampled(std::span<const PointSamples> points,
                                         std::string_view probe, const FitRequest& request) {
    std::vector<const PointSamples*> found;
    for (const auto& samples : points)
        if (samples.point.probe == probe && !request.held_out(samples.point))
            found.push_back(&samples);
    return found;
}

Series series_of(const PointSamples& samples) {
    Series series = samples.series();
    series.group = std::max(0, samples.point.first_rank);
    return series;
}

Result<SizeCurve> fit_sampled(std::span<const PointSamples> points, std::string_view probe,
                              std::string_view what, const FitRequest& request) {
    std::vector<Series> series;
    for (const auto* samples : sampled(points, probe, request))
        if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions)
            series.push_back(std::move(one));
    return fit_curve(series, what, request.seed);
}

} // namespace alltold
