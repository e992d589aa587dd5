// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/unknown.hpp"

#include <fmt/format.h>

#include "campaign/plan.hpp"

namespace alltold::campaign {
namespace {

/// A study's plan for the network, and the measurements.
class NetworkPlan {
  public:
    NetworkPlan(const Clusters& hosts, std::span<const PointSamples> measured)
        : hosts_(hosts), measured_(measured) {
        if (auto plan = rough_network_plan(hosts))
            plan_ = std::move(*plan);
    }

    /// Whether every planned point of this probe was measured, as it is where none is planned.
    bool done(std::string_view probe) const {
        return std::ranges::all_of(
            plan_, [&](const Point& point) { return point.probe != probe || is_measured(point); });
    }
    /// As above, for those within a cluster.
    bool done_within(std::string_view probe) const {
        return std::ranges::all_of(plan_, [&](const Point& point) {
            return point.probe != probe || crosses(point) || is_measured(point);
        });
    }

  private:
    /// Whether it is of a pair in two clusters.
    bool crosses(const Point& point) const {
        return point.first_rank >= 0 && point.second_rank >= 0 &&
               hosts_.cluster_of(point.first_rank) != hosts_.cluster_of(point.second_rank);
    }

    /// Often enough for fits, to which a single flood tells enough.
    bool is_measured(const Point& point) const {
        const std::size_t least = point.probe.ends_with("_floods") ? 1 : fewest_repetitions;
        return std::ranges::any_of(measured_, [&](const PointSamples& samples) {
            return samples.point == point && samples.series().times_s.size() >= least;
        });
    }

    const Clusters& hosts_;
    std::span<const PointSamples> measured_;
    std::vector<Point> plan_;
};

} // namespace

std::vector<std::string> unknown_of(const Network& network, const Clusters& hosts,
                                    std::span<const PointSamples> measured,
                                    std::span<const Collective> collectives) {
    std::vector<std::string> unknown;
    const NetworkPlan plan(hosts, measured);
    const auto& links = network.links;
    if (!links ||
        (links->port.at_least && !(plan.done_within("train") && plan.done("port_floods"))))
        unknown.emplace_back("the rate of the hosts' links");
    if (links && links->port.queue_bytes <= 0 && !plan.done("port_floods"))
        unknown.emplace_back("the buffers of switch ports");
    if (hosts.count() > 1 && (!links || !links->backbone)) {
        unknown.emplace_back("the paths between clusters");
    } else if (hosts.count() > 1) {
        const auto& paths = *links->backbone;
        if (paths.at_least && !plan.done("path_floods") && !plan.done("flows"))
            unknown.emplace_back("the rate of paths between clusters");
        if (!paths.latency_known && !plan.done("pingpong"))
            unknown.emplace_back("the delay of paths between clusters");
        if (paths.queue_bytes <= 0 && !plan.done("path_floods"))
            unknown.emplace_back("the queues of paths between clusters");
    }
    for (const auto collective : collectives)
        if (!correction_of(network, collective, hosts, true))
            unknown.push_back(fmt::format("the time of the MPI library's {} on {}",
                                          name_of(collective), hosts.text()));
    return unknown;
}

} // namespace alltold::campaign
