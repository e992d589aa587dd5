// SPDX-License-Identifier: BSD-3-Clause
#include "network/fitting.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"
#include "network/cost_model.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

bool is_ours(std::string_view algorithm) {
    return std::ranges::any_of(registry(), [&](const Algorithm* ours) {
        return ours->name == algorithm.substr(0, algorithm.find(' '));
    });
}

/// The usual scatter on both sides where repetitions are too few to show theirs.
Estimate time_of(const Series& series) {
    auto time_s = estimate_of(series.times_s);
    if (series.times_s.size() < fewest_repetitions) {
        const double factor = std::exp(1.96 * usual_scatter);
        time_s = {time_s.value, time_s.low / factor, time_s.high * factor};
    }
    return time_s;
}

} // namespace

std::vector<LibraryTime> library_times(const Fitting& fitting) {
    std::vector<LibraryTime> library;
    for (const auto collective : uniform_collectives)
        for (const auto* samples : fitting.sampled(name_of(collective))) {
            const auto series = samples->series();
            const auto& algorithm = samples->point.algorithm;
            // Those that are not ours are known by their times alone.
            if (!is_ours(algorithm) && series.fitted())
                library.push_back({collective, samples->point.clusters, samples->point.size_bytes,
                                   time_of(series), algorithm, samples->means_of_ranks()});
        }
    return library;
}

namespace {

std::string describe(const Point& point, std::size_t repetitions) {
    const auto ranks = point.first_rank >= 0
                           ? fmt::format("{}-{}", point.first_rank, point.second_rank)
                           : fmt::format("of {}", point.clusters.text());
    return fmt::format("{} {} at {} ({})", point.probe, ranks, format_size(point.size_bytes),
                       repetitions);
}

/// Once, and after the models whose parameters it reads.
void fit_in_order(Fitting& fitting, const CostModel& model, std::set<std::string_view>& fitted) {
    if (!fitted.insert(model.name).second)
        return;
    for (const auto* other : cost_models())
        if (std::ranges::count(model.fitted_after, other->name) > 0)
            fit_in_order(fitting, *other, fitted);
    if (model.fit)
        model.fit(fitting);
}

} // namespace

Fitting::Fitting(std::span<const PointSamples> points, Clusters measured_clusters,
                 const std::function<bool(const Point&)>& held_out, std::uint64_t bootstrap_seed)
    : clusters(std::move(measured_clusters)), seed(bootstrap_seed) {
    for (const auto& samples : points) {
        const Point& point = samples.point;
        if (held_out && held_out(point))
            continue;
        points_.push_back(&samples);
        const auto is_rank = [&](int rank) { return rank >= 0 && rank < clusters.ranks(); };
        if (is_rank(point.first_rank) && is_rank(point.second_rank))
            pairs_.try_emplace({point.first_rank, point.second_rank},
                               static_cast<int>(pairs_.size()));
    }
}

std::vector<const PointSamples*> Fitting::sampled(std::string_view probe) const {
    std::vector<const PointSamples*> found;
    for (const auto* samples : points_)
        if (samples->point.probe == probe)
            found.push_back(samples);
    return found;
}

std::vector<Series> Fitting::series(std::string_view probe,
                                    const std::function<bool(const Point&)>& wanted) const {
    std::vector<Series> found;
    for (const auto* samples : sampled(probe))
        if (!wanted || wanted(samples->point))
            if (auto series = series_of(*samples); series.fitted())
                found.push_back(std::move(series));
    return found;
}

Result<SizeCurve> Fitting::curve(std::string_view probe, std::string_view what) const {
    return fit_curve(series(probe), what, seed);
}

template <typename Wanted>
std::vector<Series> Fitting::of_pairs_where(std::string_view probe, Wanted&& wanted) {
    std::vector<Series> series;
    for (const auto* samples : sampled(probe)) {
        const auto& [first, second] =
            std::pair(samples->point.first_rank, samples->point.second_rank);
        const auto pair = pairs_.find({first, second});
        if (pair != pairs_.end() && wanted(clusters.cluster_of(first), clusters.cluster_of(second)))
            add(series, *samples, pair->second);
    }
    return series;
}

std::vector<Series> Fitting::of_pairs(std::string_view probe, bool same_cluster) {
    return of_pairs_where(probe,
                          [&](int first, int second) { return (first == second) == same_cluster; });
}

std::vector<Series> Fitting::of_pairs(std::string_view probe, int cluster) {
    return of_pairs_where(
        probe, [&](int first, int second) { return first == cluster && second == cluster; });
}

int Fitting::cluster_of(const Point& point) const {
    if (point.first_rank >= 0)
        return point.first_rank < clusters.ranks() ? clusters.cluster_of(point.first_rank) : -1;
    const auto place = place_of(point.clusters, clusters);
    return place.empty() ? -1 : place.front();
}

Fitting Fitting::within(int cluster) const {
    Fitting part = *this;
    part.refused.clear();
    part.notes.clear();
    std::erase_if(part.points_, [&](const PointSamples* samples) {
        const Point& point = samples->point;
        return point.clusters.count() > 1 || cluster_of(point) != cluster ||
               (point.second_rank >= 0 && (point.second_rank >= clusters.ranks() ||
                                           clusters.cluster_of(point.second_rank) != cluster));
    });
    return part;
}

std::vector<Series> Fitting::alltoalls(int cluster) {
    std::vector<Series> series;
    CollectiveProbe probe{Collective::alltoall};
    probe.within = cluster > 0;
    for (const auto* samples : sampled(probe.text())) {
        const auto& point = samples->point;
        if (point.algorithm == "mpi" && point.clusters.count() == 1 &&
            point.clusters.one_rank_per_host() && cluster_of(point) == cluster)
            add(series, *samples, 0);
    }
    return series;
}

void Fitting::add(std::vector<Series>& series, const PointSamples& samples, int group) {
    auto one = samples.series();
    one.group = group;
    if (one.fitted())
        return series.push_back(std::move(one));
    auto described = describe(samples.point, one.times_s.size());
    if (std::ranges::find(left_out_, described) == left_out_.end()) // several fits may read it
        left_out_.push_back(std::move(described));
}

void Fitting::note_left_out() {
    constexpr std::size_t most_named = 2;
    if (!left_out_.empty())
        note("points", fmt::format("{} with fewer than {} repetitions ignored, such as {}",
                                   left_out_.size(), fewest_repetitions,
                                   fmt::join(std::span(left_out_).first(
                                                 std::min(left_out_.size(), most_named)),
                                             ", ")));
    const auto means = std::ranges::count_if(
        points_, [](const PointSamples* samples) { return samples->means_of_ranks(); });
    if (means > 0)
        note("points", fmt::format("{} have means over the ranks, which are shorter than the "
                                   "calls: the last rank takes longer",
                                   means));
}

Series series_of(const PointSamples& samples) {
    Series series = samples.series();
    series.group = std::max(0, samples.point.first_rank);
    return series;
}

Estimate estimate_of(std::span<const double> values) {
    const auto exact = median_interval(values);
    if (std::isfinite(exact.relative_half_width()))
        return exact;
    const auto [low, high] = std::ranges::minmax(values);
    return {median(values), low, high};
}

void fit_models(Fitting& fitting) {
    std::set<std::string_view> fitted;
    for (const auto* model : cost_models())
        fit_in_order(fitting, *model, fitted);
    fitting.network.library = library_times(fitting);
}

} // namespace alltold
