// SPDX-License-Identifier: BSD-3-Clause
// Predicting every measured point and summing up the errors.
#include "report/validation.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "base/units.hpp"
#include "predict/alltoall_prediction.hpp"

namespace alltold {
namespace {

bool was_fitted(const Profile& profile, const Clusters& clusters, double size_bytes) {
    if (!profile.alltoall || clusters.count() != 1)
        return false;
    const auto& fit = *profile.alltoall;
    return clusters.ranks() == fit.reference_n &&
           std::ranges::find(fit.sizes_bytes, size_bytes) != fit.sizes_bytes.end();
}

ErrorSummary summary_of(std::span<const ValidatedPoint> points, bool fitted) {
    ErrorSummary summary;
    std::vector<double> errors;
    for (const auto& point : points) {
        if (point.fitted != fitted)
            continue;
        const double error = std::abs(point.error());
        if (errors.empty() || error > summary.worst_error) {
            summary.worst_error = error;
            summary.worst_clusters = point.clusters;
            summary.worst_size_bytes = point.size_bytes;
        }
        errors.push_back(error);
        summary.covered += point.covered() ? 1 : 0;
    }
    summary.points = static_cast<int>(errors.size());
    summary.median_error = errors.empty() ? 0 : median(errors);
    return summary;
}

void add_note(Validation& validation, std::string note) {
    if (std::ranges::find(validation.notes, note) == validation.notes.end())
        validation.notes.push_back(std::move(note));
}

/// Adds the point, or a note why it cannot be compared.
void add_point(Validation& validation, const PointSamples& measured, const Profile& profile,
               const AlltoallModel& model) {
    const auto& clusters = measured.point.clusters;
    const auto series = measured.series();
    if (series.times_s.empty()) {
        add_note(validation, fmt::format("n = {}, m = {} has no repetition beside its warm-up",
                                         clusters.text(), format_size(series.size_bytes)));
        return;
    }
    auto prediction = predict_alltoall(profile.network(), clusters, series.size_bytes, model);
    if (!prediction) {
        add_note(validation,
                 fmt::format("n = {} left out: {}", clusters.text(), prediction.error().message));
        return;
    }
    validation.points.push_back({clusters, measured.point.size_bytes,
                                 static_cast<int>(series.times_s.size()),
                                 median_interval(series.times_s), std::move(*prediction),
                                 was_fitted(profile, clusters, series.size_bytes)});
}

} // namespace

Result<Validation> validate(std::span<const PointSamples> measured, const Profile& profile,
                            const AlltoallModel& model) {
    Validation validation;
    bool any = false;
    for (const auto& point : measured)
        if (point.point.probe == "alltoall" && point.point.algorithm == "mpi") {
            any = true;
            add_point(validation, point, profile, model);
        }
    if (!any)
        return bad_input("holds no all-to-all; measure some with 'alltold measure'");
    if (validation.points.empty())
        return bad_input("nothing to compare: " + validation.notes.front());
    std::ranges::stable_sort(validation.points, {}, [](const ValidatedPoint& point) {
        return std::tuple(point.clusters.count(), point.n(), point.clusters.text(),
                          point.size_bytes);
    });
    validation.held_out = summary_of(validation.points, false);
    validation.fitted = summary_of(validation.points, true);
    return validation;
}

} // namespace alltold
