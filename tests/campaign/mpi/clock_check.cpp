// SPDX-License-Identifier: BSD-3-Clause
// Clocks that are known to run wrong are put right to within what the comparison claims, and ranks
// on such clocks start together. Run under MPI on one machine, where the true offset is known.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <thread>

#include <fmt/format.h>

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "runtime/mpi/session.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

int failures = 0;
int my_rank = 0;

void expect(bool holds, const std::string& what) {
    if (!holds) {
        fmt::print(stderr, "rank {}: {}\n", my_rank, what);
        ++failures;
    }
}

template <typename T>
T must(Result<T> result) {
    if (!result)
        mpi::Session::abort(result.error());
    return std::move(*result);
}

double gain_of(int rank) {
    return (rank % 2 == 0 ? 100e-6 : -200e-6) * (rank > 0);
}

/// Rank r's clock: r hours and a bit ahead, losing or gaining up to 200 ppm.
Clock skewed(int rank) {
    return Clock(3600.123 * rank, gain_of(rank));
}

/// How far the translated clock here is from what rank 0's clock shows at the same true instant.
double error_s(const GlobalClock& clock, const Clock& own, const Clock& zero) {
    const double true_s = Clock::true_now_s();
    return clock.to_global(own.shown_at(true_s)) - zero.shown_at(true_s);
}

/// One comparison; the error stays below the bound claimed.
void compare(Ranks& ranks, const Clock& own, const Clock& zero, const char* which) {
    must(compare_clocks(ranks.control(), ranks.everyone(), ranks.clock()));
    const double wrong_s = error_s(ranks.clock(), own, zero);
    const auto& latest = ranks.clock().latest();
    // A clock whose drift is not known yet has run on since the ping that counted, which may have
    // been so long before the last one.
    constexpr double longest_pings_s = 0.5;
    const double claimed_s =
        latest.bound_s + 300e-6 * (own.now_s() - latest.local_s + longest_pings_s);
    if (my_rank > 0)
        expect(std::abs(wrong_s) <= claimed_s,
               fmt::format("{} clocks: off by {} s, claimed {} s", which, wrong_s, claimed_s));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

/// Rank 0's clock is right, so that the offset grows by what the clock here gains or loses. A busy
/// machine blurs the comparisons, so each rank has a minute to find its drift once; where none of
/// its comparisons was close enough to tell, it need not.
void recovers_drift(Ranks& ranks, const mpi::ManagedCommunicator& world, const Clock& own,
                    const Clock& zero) {
    const double expected = 1 / (1 + gain_of(my_rank)) - 1;
    std::deque<ClockReading> readings; // those from which the clock takes the drift
    bool could_tell = false;
    int found = 0, all_found = 0;
    for (int round = 0; round < 300 && all_found == 0; ++round) {
        compare(ranks, own, zero, "skewed");
        const auto& latest = ranks.clock().latest();
        readings.push_back(latest);
        if (readings.size() > 10)
            readings.pop_front();
        const auto& oldest = readings.front();
        const double doubt = (oldest.bound_s + latest.bound_s) / (latest.local_s - oldest.local_s);
        could_tell |= readings.size() == 10 && doubt <= 0.1 * std::abs(expected);
        found |= std::abs(ranks.clock().drift() - expected) <= 0.2 * std::abs(expected);
        MPI_Allreduce(&found, &all_found, 1, MPI_INT, MPI_MIN, world.handle());
    }
    expect(found == 1 || !could_tell,
           fmt::format("drift {} instead of {}", ranks.clock().drift(), expected));
}

/// All ranks run the operation in the same true window behind the agreed instant.
void starts_together(Ranks& ranks, const Clock& zero) {
    const auto& tree = ranks.participants({"alltoall", "mpi", ranks.clusters(), 1, -1, -1});
    double started_true_s = 0;
    const Steps steps{[&]() -> Status {
        started_true_s = Clock::true_now_s();
        return Done{};
    }};
    Watchdog watchdog(my_rank, std::chrono::seconds(60));
    if (my_rank != 0) {
        must(follow_root(ranks, tree, watchdog, steps));
        return;
    }
    // Clocks are hours apart, and a busy machine wakes ranks late.
    constexpr double hardly_late_s = 0.5;
    double margin_s = 5e-3;
    int in_time = 0;
    for (int i = 0; i < 100 && in_time < 10; ++i) {
        const auto timed = must(repeat_once(ranks, tree, margin_s, steps));
        expect(timed.worst.slack_s < margin_s, "notified before the announcement");
        expect(timed.time_s() >= 0, "finished before the agreed instant");
        // On rank 0's own clock the instant is known without any comparison.
        expect(zero.shown_at(started_true_s) >= timed.instant_s, "rank 0 started early");
        const bool good = timed.worst.late_by_s < hardly_late_s && timed.worst.slack_s > 0;
        in_time += good;
        if (!good)
            margin_s = std::min(2 * margin_s, 0.5);
    }
    must(end_repetitions(ranks, tree));
    expect(in_time >= 10, fmt::format("only {} repetitions started in time", in_time));
}

} // namespace

int main() {
    auto session = must(mpi::Session::open());
    const auto world = session.world();
    my_rank = world.rank();
    const Clusters clusters =
        world.size() > 2 ? Clusters({2, world.size() - 2}) : Clusters({world.size()});
    auto right = must(Ranks::gather(world, clusters, GlobalClock()));
    for (int round = 0; round < 4; ++round)
        compare(right, Clock(), Clock(), "right");
    const auto own = skewed(my_rank);
    auto ranks = must(Ranks::gather(world, clusters, GlobalClock(own)));
    recovers_drift(ranks, world, own, skewed(0));
    starts_together(ranks, skewed(0));
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, world.handle());
    return all == 0 ? 0 : 1;
}
