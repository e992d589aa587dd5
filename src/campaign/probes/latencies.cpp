// SPDX-License-Identifier: BSD-3-Clause
// The latency between any two hosts.
#include "campaign/probe.hpp"

#include <numeric>

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "campaign/probes/shared/round_trips.hpp"
#include "runtime/mpi/requests.hpp"
#include "topology/find_clusters.hpp"

namespace alltold::campaign {
namespace {

/// More hosts have too many pairs to be looked at.
constexpr int most_hosts = 100;
constexpr RoundTrips round_trips{.there_bytes = 1, .enough_s = 4e-3, .least = 2, .most = 20};
constexpr const char* of_a_pair = "latency";
constexpr double longest_latency_nap_s = 200e-6;

/// All hosts; nothing that pairs of ping-pongs do not tell where there are two.
Result<std::vector<Point>> plan_latencies(const Clusters& world, const Request&) {
    if (world.ranks() < 3 || world.ranks() > most_hosts)
        return std::vector<Point>();
    return std::vector{Point{"latencies", "mpi", world, round_trips.there_bytes}};
}

/// One rank's side of a measurement.
class Latencies {
  public:
    /// `ranks`: those of `over`, in the world of all ranks.
    Latencies(const mpi::ManagedCommunicator& over, const Clusters& world, std::vector<int> ranks)
        : over_(over), world_(world), ranks_(std::move(ranks)) {
        std::vector<int> places(ranks_.size());
        std::iota(places.begin(), places.end(), 0);
        rounds_ = tournament(places);
    }

    /// Meets all other ranks in turn; rank 0 gets all times. Collective.
    Status operator()() {
        times_s_.assign(rounds_.size(), 0);
        for (std::size_t i = 0; i < rounds_.size(); ++i)
            for (const auto& pair : rounds_[i])
                ALLTOLD_TRY_DONE(meet(pair, times_s_[i]));
        return gather();
    }

    /// Rank 0: of each pair, half the quickest round trip.
    std::vector<std::pair<Point, double>> values() const {
        std::vector<std::pair<Point, double>> all;
        for (std::size_t i = 0; i < rounds_.size(); ++i)
            for (const auto& [first, second] : rounds_[i])
                all.emplace_back(
                    pair_point(of_a_pair, world_, std::minmax(rank_at(first), rank_at(second)),
                               round_trips.there_bytes),
                    gathered_s_[static_cast<std::size_t>(first) * rounds_.size() + i] / 2);
        return all;
    }

  private:
    int rank_at(int place) const { return ranks_[static_cast<std::size_t>(place)]; }

    /// The first waits, asleep, until the second is there.
    Status meet(const HostPair& pair, double& time_s) const {
        if (over_.rank() == pair.second) {
            ALLTOLD_TRY_DONE(over_.send({}, pair.first, tag_go));
            return answer_trips(over_, pair.first, tag_pingpong, round_trips);
        }
        if (over_.rank() != pair.first)
            return Done{};
        mpi::Requests arrival;
        ALLTOLD_TRY_DONE(arrival.receive(over_, {}, pair.second, tag_go));
        ALLTOLD_TRY_DONE(arrival.wait_napping(longest_latency_nap_s));
        ALLTOLD_TRY_INTO(time_s, least_trip_s(over_, pair.second, tag_pingpong, round_trips));
        return Done{};
    }

    Status gather() {
        gathered_s_.resize(
            over_.rank() == 0 ? times_s_.size() * static_cast<std::size_t>(over_.size()) : 0);
        return mpi::gather_napping(over_, std::as_bytes(std::span(times_s_)),
                                   std::as_writable_bytes(std::span(gathered_s_)),
                                   longest_latency_nap_s);
    }

    const mpi::ManagedCommunicator& over_;
    const Clusters& world_;
    std::vector<int> ranks_;
    std::vector<Round> rounds_;
    std::vector<double> times_s_;    ///< of the rounds in which this rank was the first
    std::vector<double> gathered_s_; ///< of all ranks
};

Status measure_latencies(Context& context) {
    if (!takes_part(context))
        return repeat_outside(context);
    ALLTOLD_TRY(over, context.ranks.subset(context.point()));
    const auto& world = context.ranks.clusters();
    Latencies latencies(**over, world, ranks_of(context.point(), world));
    return repeat(context,
                  {.run = std::ref(latencies), .also = [&] { return latencies.values(); }});
}

/// Whether each pair was measured: to repeat them costs the more the farther hosts are apart.
bool known(const Point&, std::span<const PointSamples> stored) {
    return std::ranges::any_of(
        stored, [](const auto& samples) { return samples.point.probe == of_a_pair; });
}

} // namespace

std::vector<Probe> latencies_probes() {
    return {
        // All hosts meet each other in rounds of disjoint pairs (topology/find_clusters.hpp). Each
        // round gives for each pair a "latency": half the quickest of 2 to 20 round trips of one
        // byte within 4 ms, in seconds. Not for more than 100 hosts.
        {.name = "latencies",
         .kind = "p2p",
         .help = "seconds until all pairs of hosts have exchanged a byte",
         .plan = plan_latencies,
         .measure = measure_latencies,
         .warm = true,
         .needless = known},
    };
}

} // namespace alltold::campaign
