// SPDX-License-Identifier: BSD-3-Clause
// A probe: its points, and what the ranks of a point do. One file for each.
#pragma once

#include "campaign/engine/context.hpp"
#include "campaign/policies/point_progress.hpp"

namespace alltold::campaign {

struct Request;

/// For Probe::urgency: of all points alike.
template <int place>
int urgency_of_all(const Point&) {
    return place;
}

struct SampleUnit {
    std::string_view probe, unit; ///< "eager", "B"
};

/// A row of the table of probes.
struct Probe {
    std::string_view name; ///< Point::probe
    std::string_view kind; ///< a name of kinds(): when it is measured, and what --only calls it
    std::string_view help; ///< one line: what a sample is, and in which unit
    /// Points on `world`, which has one rank per host unless the probe looks within hosts.
    /// make_plan has checked the request.
    std::function<Result<std::vector<Point>>(const Clusters& world, const Request& request)> plan;
    /// Takes part in a measurement; rank 0 passes the samples to the recorder. Collective over rank
    /// 0 and the ranks of the point; engine/samples.hpp has the two usual implementations.
    Status (*measure)(Context& context);
    /// Seconds of a repetition whose sample is `value`; null: the value itself.
    double (*cost_s)(const Point& point, double value) = nullptr;
    /// Bytes of buffers on each rank; points that need more than 1 GiB are left out. Null: one
    /// message.
    double (*buffer_bytes)(const Point& point) = nullptr;
    /// Further points to measure, once all known ones of this probe have been measured or given up:
    /// each is one of `known` with another size or count. Must depend on `known` alone, so that a
    /// resumed campaign continues where it stopped.
    std::vector<Point> (*refine)(std::span<const PointProgress> known) = nullptr;
    /// Further points in a rough measurement, which takes longer messages only where they are
    /// quick.
    std::vector<Point> (*refine_rough)(std::span<const PointProgress> known) = nullptr;
    bool warm = false;         ///< needs no warm-up
    bool within_hosts = false; ///< all ranks of hosts take part, not one of each
    /// Place of a point in a rough measurement: first what models cannot do without. Null: last.
    int (*urgency)(const Point& point) = nullptr;
    /// Units other than seconds, by the Point::probe of the samples that have them.
    std::vector<SampleUnit> units = {};
    /// Whether a rough measurement may leave out a point because `stored` holds better data.
    bool (*needless)(const Point& point, std::span<const PointSamples> stored) = nullptr;
};

/// A stage of the campaign, as --only names it, with the weight of its share of the budget.
struct Kind {
    std::string_view name;
    double weight;
    std::string_view help;
    bool rough = false; ///< part of a rough measurement
};

/// All kinds in order of measurement: the most disturbing come last. A collective that loses
/// packets leaves TCP connections slow for a long time.
std::span<const Kind> kinds();
std::span<const Probe> probes();
/// The row of that name; it must exist.
const Probe& probe_of(const Point& point);

} // namespace alltold::campaign
