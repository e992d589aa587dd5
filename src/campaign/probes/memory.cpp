// SPDX-License-Identifier: BSD-3-Clause
// Messages between the ranks of one host, through its memory.
#include "campaign/probe.hpp"

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "campaign/probes/shared/round_trips.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

constexpr std::array<std::uint64_t, 4> sizes_in_memory{1, 4 * ki, 64 * ki, 1 * ki* ki};
/// The bytes that a pair sends in a repetition of all pairs, within these numbers of round trips.
constexpr std::uint64_t bytes_of_a_pair = 4 * ki * ki;
constexpr std::uint64_t fewest_trips = 3, most_trips_in_memory = 50;

/// The first host with the most ranks.
int fullest_host(const Clusters& world) {
    int host = 0;
    while (world.ranks_of_host(host) < world.most_ranks_of_a_host())
        ++host;
    return host;
}

std::vector<std::uint64_t> memory_sizes(const Request& request) {
    return sizes_or(request, {sizes_in_memory.begin(), sizes_in_memory.end()});
}

Result<std::vector<Point>> plan_memory(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    const int host = fullest_host(world), first = world.first_of_host(host);
    if (world.ranks_of_host(host) >= 2)
        for (const auto size_bytes : memory_sizes(request))
            points.push_back(
                {"memory", "mpi", Clusters::of_hosts({{2}}), size_bytes, first, first + 1});
    return points;
}

Result<std::vector<Point>> plan_memory_shared(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    const int host = fullest_host(world), even = world.ranks_of_host(host) / 2 * 2;
    if (even >= 2)
        for (const auto size_bytes : memory_sizes(request))
            points.push_back({"memory_shared", "mpi", Clusters::of_hosts({{even}}), size_bytes,
                              world.first_of_host(host)});
    return points;
}

int trips_of(const Point& point) {
    const auto size_bytes = std::max<std::uint64_t>(1, point.size_bytes);
    return static_cast<int>(
        std::clamp(bytes_of_a_pair / 2 / size_bytes, fewest_trips, most_trips_in_memory));
}

Status measure_memory_shared(Context& context) {
    if (!takes_part(context))
        return repeat_outside(context, true);
    ALLTOLD_TRY(over, context.ranks.subset(context.point()));
    const auto ranks = ranks_of(context.point(), context.ranks.clusters());
    const int here = (*over)->rank();
    const int other = ranks[static_cast<std::size_t>(here ^ 1)];
    std::vector<std::byte> ball(context.point().size_bytes);
    double message_s = 0;
    return repeat(context, {[&]() -> Status {
                                // Nearer to each other than the agreed start leaves them.
                                ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Barrier, (*over)->handle()));
                                ALLTOLD_TRY(half_trip,
                                            half_trip_with(context, other, here % 2 == 0, ball,
                                                           trips_of(context.point())));
                                message_s = *half_trip;
                                return Done{};
                            },
                            [&] { return message_s; }});
}

} // namespace

std::vector<Probe> memory_probes() {
    return {
        // A message of m bytes from one rank of a host to another, in seconds: half a round trip.
        // The first host that has the most ranks stands for all.
        {.name = "memory",
         .kind = "p2p",
         .help = "seconds of a message within a host, half a round trip",
         .plan = plan_memory,
         .measure = measure_round_trips,
         .cost_s = [](const Point&, double value) { return 2 * value; },
         .within_hosts = true,
         .urgency = urgency_of_all<1>},
        // As above while all ranks of the host, less an odd last one, do so in disjoint pairs:
        // seconds of the slowest pair's message. Ping-pongs keep one message of each pair under
        // way.
        {.name = "memory_shared",
         .kind = "p2p",
         .help = "seconds of a message while all ranks of a host send in pairs",
         .plan = plan_memory_shared,
         .measure = measure_memory_shared,
         .cost_s = [](const Point& point, double value) { return 2 * trips_of(point) * value; },
         .within_hosts = true,
         .urgency = urgency_of_all<1>},
    };
}

} // namespace alltold::campaign
