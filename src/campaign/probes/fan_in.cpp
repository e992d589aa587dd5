// SPDX-License-Identifier: BSD-3-Clause
// Operations of many ranks from an agreed instant.
#include "campaign/probe.hpp"

#include "campaign/plan.hpp"
#include "campaign/probes/shared/pair.hpp"
#include "campaign/probes/shared/round_trips.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

constexpr int trips = 3;

std::vector<int> place_of(const Context& context, const std::vector<int>& ranks) {
    const auto found = std::find(ranks.begin(), ranks.end(), context.rank());
    return found == ranks.end() ? std::vector<int>()
                                : std::vector<int>{static_cast<int>(found - ranks.begin())};
}

Result<std::vector<Point>> plan_converge(const Clusters& world, const Request&) {
    std::vector<Point> points;
    const int senders = std::min(3, world.size(0) - 1);
    if (senders >= 2)
        for (const std::uint64_t size_bytes : {1 * ki / 4, 1 * ki, 4 * ki, 16 * ki})
            for (const int count : {1, size_bytes >= 16 * ki ? 3 : 8})
                points.push_back(
                    {"converge", "mpi", Clusters({senders + 1}), size_bytes, -1, -1, count});
    return points;
}

/// Two, half and all of the first cluster's hosts, even numbers of them.
Result<std::vector<Point>> plan_pairs(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    const int most = world.size(0) / 2 * 2;
    std::set<int> processes;
    if (most >= 2)
        processes = {2, std::max(2, most / 4 * 2), most};
    for (const int p : processes)
        for (const auto size_bytes : sizes_or(request, {1, 1 * ki, 4 * ki, 16 * ki, 64 * ki}))
            points.push_back({"pairs", "mpi", Clusters({p}), size_bytes, -1, -1, 0});
    return points;
}

/// The first two clusters' ranks need no names.
Point flows_point(const Clusters& world, int a, int b, int flows, std::uint64_t size_bytes,
                  int count) {
    const bool first = a == 0 && b == 1;
    return {"flows",
            "mpi",
            Clusters({flows, flows}),
            size_bytes,
            first ? -1 : world.first(a),
            first ? -1 : world.first(b),
            count};
}

/// All flows of each pair of clusters if rough, else several numbers of them between the first two.
Result<std::vector<Point>> plan_flows(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    if (request.rough) {
        for (int a = 0; a < world.count(); ++a)
            for (int b = a + 1; b < world.count(); ++b)
                for (const int count : {2, 8})
                    points.push_back(flows_point(
                        world, a, b, std::min(world.size(a), world.size(b)), 16 * ki, count));
        return points;
    }
    const int most = world.count() > 1 ? std::min(world.size(0), world.size(1)) : 0;
    std::set<int> flows;
    for (int f = 1; f < most; f *= 2)
        flows.insert(f);
    if (most > 0)
        flows.insert(most);
    for (const int f : flows)
        for (const int count : {3, 9})
            points.push_back(flows_point(world, 0, 1, f, 64 * ki, count));
    return points;
}

/// Floods from the one cluster to the other, or back, arrived.
bool flooded(const Point& point, std::span<const PointSamples> stored) {
    return std::ranges::any_of(stored, [&](const PointSamples& one) {
        const auto is = [&](int a, int b) {
            return std::max(one.point.first_rank, 0) == a && one.point.second_rank == b;
        };
        const auto gaps_s = one.series().times_s;
        return one.point.probe == "flood_gap" && one.point.clusters.count() == 2 &&
               (point.first_rank < 0 || is(point.first_rank, point.second_rank) ||
                is(point.second_rank, point.first_rank)) &&
               std::ranges::any_of(gaps_s, [](double gap_s) { return gap_s > 0; });
    });
}

Status measure_converge(Context& context) {
    const auto ranks = ranks_of(context.point(), context.ranks.clusters());
    const auto& traffic = context.ranks.traffic();
    std::vector<std::byte> message(context.point().size_bytes);
    const int receiver = ranks.front();
    return repeat(context, {[&]() -> Status {
                      if (context.rank() != receiver)
                          return Burst(traffic, context.point().size_bytes, context.point().count)
                              .send(receiver);
                      const int all = static_cast<int>(ranks.size() - 1) * context.point().count;
                      for (int i = 0; i < all; ++i)
                          ALLTOLD_TRY_DONE(traffic.receive(message, MPI_ANY_SOURCE, tag_pingpong));
                      return Done{};
                  }});
}

Status measure_flows(Context& context) {
    const auto ranks = ranks_of(context.point(), context.ranks.clusters());
    const auto place = place_of(context, ranks);
    const std::size_t pairs = ranks.size() / 2;
    Burst burst(context.ranks.traffic(), context.point().size_bytes,
                place.empty() ? 0 : context.point().count);
    return repeat(context, {[&]() -> Status {
                      if (place.empty())
                          return Done{};
                      const auto here = static_cast<std::size_t>(place.front());
                      return here < pairs ? burst.send(ranks[here + pairs])
                                          : burst.receive(ranks[here - pairs]);
                  }});
}

Status measure_pairs(Context& context) {
    const auto ranks = ranks_of(context.point(), context.ranks.clusters());
    const auto place = place_of(context, ranks);
    std::vector<std::byte> ball(context.point().size_bytes);
    double mean_s = 0;
    if (place.empty())
        return repeat_outside(context, true);
    ALLTOLD_TRY(over, context.ranks.subset(context.point()));
    return repeat(
        context, {[&]() -> Status {
                      const int here = place.front();
                      ALLTOLD_TRY(half_trip,
                                  half_trip_with(context, ranks[static_cast<std::size_t>(here ^ 1)],
                                                 here % 2 == 0, ball, trips));
                      mean_s = here % 2 == 0 ? *half_trip / (context.point().n() / 2) : 0;
                      return ALLTOLD_PMPI(Allreduce, MPI_IN_PLACE, &mean_s, 1, MPI_DOUBLE, MPI_SUM,
                                          (*over)->handle());
                  },
                  [&] { return mean_s; }});
}

} // namespace

std::vector<Probe> fan_in_probes() {
    return {
        // g_r(m), TW99 section 3: "converge multiple streams of data to a single receiver". All
        // ranks of the point but the first send `count` messages each to the first from an agreed
        // instant on; a sample is the time until it has them all. Two counts a size, whose
        // difference leaves the gap between receptions. Up to 16 KiB and three senders, since more
        // bytes at once would measure loss.
        {"converge", "cluster", "seconds until the receiver has all messages", plan_converge,
         measure_converge},
        // L(m, p), TW99 section 3: ping-pongs of p/2 pairs at once. A sample is the mean over the
        // pairs of half a round trip; the fit takes O_s, O_r and U_r off.
        {"pairs", "cluster", "seconds, half a round trip, mean of the pairs", plan_pairs,
         measure_pairs, [](const Point&, double value) { return 2 * trips * value; }},
        // The rate of the backbone: hosts of one cluster send `count` messages of m bytes each to
        // their partners in another, all pairs of the point at once; seconds until the last has
        // them. Two counts for each number of flows: their difference gives the rate. If it falls
        // with more flows, the backbone degrades.
        {.name = "flows",
         .kind = "links",
         .help = "seconds until the last partner has all messages",
         .plan = plan_flows,
         .measure = measure_flows,
         .urgency = urgency_of_all<6>,
         .needless = flooded},
    };
}

} // namespace alltold::campaign
