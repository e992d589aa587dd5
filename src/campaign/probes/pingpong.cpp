// SPDX-License-Identifier: BSD-3-Clause
// Ping-pongs of one pair.
#include "campaign/plan.hpp"
#include "campaign/probe.hpp"
#include "campaign/probes/shared/bend_points.hpp"
#include "campaign/probes/shared/round_trips.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

constexpr std::uint64_t one_packet_bytes = 1024;

/// The sizes asked for, and one byte if none of them fits into a packet: long messages do not show
/// the latency.
std::vector<std::uint64_t> pingpong_sizes(const Request& request,
                                          std::vector<std::uint64_t> usual) {
    auto sizes = sizes_or(request, std::move(usual));
    if (std::ranges::min(sizes) > one_packet_bytes)
        sizes.insert(sizes.begin(), 1);
    return sizes;
}

Result<std::vector<Point>> plan_pingpong(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    if (request.rough) {
        for (const auto& pair : rough_pairs(world)) {
            const bool local = world.cluster_of(pair.first) == world.cluster_of(pair.second);
            // Ten segments fill TCP's first window: more would measure its growth over a long path.
            for (const auto size_bytes :
                 pingpong_sizes(request, {1, 1 * ki, 4 * ki, local ? 16 * ki : 12 * ki}))
                points.push_back(pair_point("pingpong", world, pair, size_bytes));
        }
        return points;
    }
    const auto sizes = pingpong_sizes(request, {1, 64, 1 * ki, 4 * ki, 8 * ki, 16 * ki, 32 * ki,
                                                64 * ki, 128 * ki, 256 * ki, 1024 * ki});
    for (const auto& pair : choose_pairs(world))
        for (const auto size_bytes : sizes)
            points.push_back(pair_point("pingpong", world, pair, size_bytes));
    return points;
}

/// Latency before rates.
int pingpong_urgency(const Point& point) {
    return point.size_bytes <= one_packet_bytes ? 0 : 4;
}

} // namespace

std::vector<Probe> pingpong_probes() {
    return {
        // Half a round trip of a message of m bytes both ways, in seconds. Single round trips until
        // the connection is warm, then as many repetitions as asked for and as fit into the limit,
        // each the mean of as many round trips as fit into 2 ms, at most 10.
        {.name = "pingpong",
         .kind = "p2p",
         .help = "seconds, half a round trip",
         .plan = plan_pingpong,
         .measure = measure_round_trips,
         .cost_s = [](const Point&, double value) { return 2 * value; },
         .refine_rough = longer_messages,
         .urgency = pingpong_urgency},
    };
}

} // namespace alltold::campaign
