// SPDX-License-Identifier: BSD-3-Clause
// What a probe is: which points it has, and what the ranks of a point do. One file, one row each.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/engine/context.hpp"
#include "campaign/policies/point_progress.hpp"
#include "topology/clusters.hpp"

namespace alltold::campaign {

struct Request;

/// A row of the table of probes.
struct Probe {
    std::string_view name; ///< Point::probe
    std::string_view kind; ///< a name of kinds(): when it is measured, and what --only calls it
    std::string_view says; ///< one line: what a sample is, and in which unit
    /// Points on `world`. The request has been checked as make_plan's docstring says.
    std::function<Result<std::vector<Point>>(const Clusters& world, const Request& request)> plan;
    /// Takes part in a measurement; on rank 0 hands its samples to the recorder. Collective over
    /// rank 0 and the ranks of the point; engine/samples.hpp has the two usual ways.
    Status (*measure)(Context& context);
    /// Seconds a repetition takes whose sample is `value`; without it the value itself.
    double (*cost_s)(const Point& point, double value) = nullptr;
    /// Bytes of buffers on each rank; points that need more than 1 GiB are left out. Without it
    /// one message.
    double (*buffer_bytes)(const Point& point) = nullptr;
    /// Points to measure beside those of the plan once all known ones of this probe have been
    /// measured or given up: each one of `known` with another size or count. Must depend on
    /// `known` alone, so that a resumed campaign goes on where it ended.
    std::vector<Point> (*refine)(std::span<const PointProgress> known) = nullptr;
};

/// What --only knows: a stage of the campaign, with the weight of its share of the budget.
struct Kind {
    std::string_view name;
    double weight;
    std::string_view says;
};

/// All kinds in the order measured: what disturbs the network most comes last. A collective that
/// loses packets leaves TCP connections slow for a long while.
std::span<const Kind> kinds();
/// All probes.
std::span<const Probe> probes();
/// The row of that name; it must exist.
const Probe& probe_of(const Point& point);

} // namespace alltold::campaign
