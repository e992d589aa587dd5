// SPDX-License-Identifier: BSD-3-Clause
// Operations of many ranks from an agreed instant.
#include "campaign/probes/crowd.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "campaign/burst.hpp"
#include "campaign/plan.hpp"
#include "campaign/tags.hpp"
#include "campaign/visits.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;
constexpr int trips = 3;

std::vector<int> place_of(const Visit& visit, const std::vector<int>& ranks) {
    const auto found = std::find(ranks.begin(), ranks.end(), visit.rank());
    return found == ranks.end() ? std::vector<int>()
                                : std::vector<int>{static_cast<int>(found - ranks.begin())};
}

Result<std::vector<Point>> plan_converge(const Clusters& world, const Wishes&) {
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
Result<std::vector<Point>> plan_pairs(const Clusters& world, const Wishes& wishes) {
    std::vector<Point> points;
    const int most = world.size(0) / 2 * 2;
    std::set<int> processes;
    if (most >= 2)
        processes = {2, std::max(2, most / 4 * 2), most};
    for (const int p : processes)
        for (const auto size_bytes : sizes_or(wishes, {1, 1 * ki, 4 * ki, 16 * ki, 64 * ki}))
            points.push_back({"pairs", "mpi", Clusters({p}), size_bytes, -1, -1, 0});
    return points;
}

Result<std::vector<Point>> plan_flows(const Clusters& world, const Wishes&) {
    std::vector<Point> points;
    const int most = world.count() > 1 ? std::min(world.size(0), world.size(1)) : 0;
    std::set<int> flows;
    for (int f = 1; f < most; f *= 2)
        flows.insert(f);
    if (most > 0)
        flows.insert(most);
    for (const int f : flows)
        for (const int count : {3, 9})
            points.push_back({"flows", "mpi", Clusters({f, f}), 64 * ki, -1, -1, count});
    return points;
}

Status visit_converge(Visit& visit) {
    const auto ranks = ranks_of(visit.point, visit.team.clusters());
    const auto& traffic = visit.team.traffic();
    std::vector<std::byte> message(visit.point.size_bytes);
    const int receiver = ranks.front();
    return repeat(visit, [&]() -> Status {
        if (visit.rank() != receiver)
            return Burst(traffic, visit.point.size_bytes, visit.point.count).send(receiver);
        const int all = static_cast<int>(ranks.size() - 1) * visit.point.count;
        for (int i = 0; i < all; ++i)
            if (auto got = traffic.receive(message, MPI_ANY_SOURCE, tag_pingpong); !got)
                return got;
        return Done{};
    });
}

Status visit_flows(Visit& visit) {
    const auto ranks = ranks_of(visit.point, visit.team.clusters());
    const auto place = place_of(visit, ranks);
    const std::size_t pairs = ranks.size() / 2;
    Burst burst(visit.team.traffic(), visit.point.size_bytes,
                place.empty() ? 0 : visit.point.count);
    return repeat(visit, [&]() -> Status {
        if (place.empty())
            return Done{};
        const auto here = static_cast<std::size_t>(place.front());
        return here < pairs ? burst.send(ranks[here + pairs]) : burst.receive(ranks[here - pairs]);
    });
}

/// Round trips with the other of one's pair; half a trip's time.
Result<double> play(const Visit& visit, int other, bool first, std::span<std::byte> ball) {
    const auto& traffic = visit.team.traffic();
    const double started_s = Clock::true_now_s();
    for (int i = 0; i < 2 * trips; ++i) {
        const bool throws = (i % 2 == 0) == first;
        const auto done = throws ? traffic.send(ball, other, tag_pingpong)
                                 : traffic.receive(ball, other, tag_pingpong);
        if (!done)
            return done.error();
    }
    return (Clock::true_now_s() - started_s) / (2 * trips);
}

Status visit_pairs(Visit& visit) {
    const auto ranks = ranks_of(visit.point, visit.team.clusters());
    const auto place = place_of(visit, ranks);
    std::vector<std::byte> ball(visit.point.size_bytes);
    double mean_s = 0;
    return repeat(
        visit,
        [&]() -> Status {
            if (place.empty())
                return Done{};
            const int here = place.front();
            const auto half_trip =
                play(visit, ranks[static_cast<std::size_t>(here ^ 1)], here % 2 == 0, ball);
            if (!half_trip)
                return half_trip.error();
            mean_s = here % 2 == 0 ? *half_trip / (visit.point.n() / 2) : 0;
            return mpi::check(MPI_Allreduce(MPI_IN_PLACE, &mean_s, 1, MPI_DOUBLE, MPI_SUM,
                                            visit.team.subset(visit.point).handle()),
                              "MPI_Allreduce");
        },
        [&] { return mean_s; });
}

double pairs_cost_s(const Point&, double value) {
    return 2 * trips * value;
}

} // namespace

Probe converge_probe() {
    return {"converge", "cluster", "seconds until the receiver has all messages", plan_converge,
            visit_converge};
}

Probe pairs_probe() {
    Probe probe{"pairs", "cluster", "seconds, half a round trip, mean of the pairs", plan_pairs,
                visit_pairs};
    probe.own_communicator = true;
    probe.cost_s = pairs_cost_s;
    return probe;
}

Probe flows_probe() {
    return {"flows", "links", "seconds until the last partner has all messages", plan_flows,
            visit_flows};
}

} // namespace alltold::measure
