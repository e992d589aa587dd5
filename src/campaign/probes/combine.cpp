// SPDX-License-Identifier: BSD-3-Clause
// MPI_Reduce_local, which combines what a reduction receives.
#include "campaign/probe.hpp"

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// Times several calls together so that the clock's own time does not matter.
constexpr std::uint64_t bytes_combined_together = 256 * ki;

/// The sizes are those of segments; a request's are of messages and need not be whole numbers.
Result<std::vector<Point>> plan_combine(const Clusters&, const Request&) {
    std::vector<Point> points;
    for (const std::uint64_t size_bytes : {ki, 4 * ki, 16 * ki, 64 * ki, 256 * ki, ki * ki})
        points.push_back({"combine", "mpi", Clusters({1}), size_bytes, 0, -1});
    return points;
}

std::uint64_t calls_of(const Point& point) {
    return std::max<std::uint64_t>(1, bytes_combined_together / point.size_bytes);
}

Result<double> combine_s(const std::vector<double>& from, std::vector<double>& to,
                         std::uint64_t calls) {
    const double started_s = Clock::true_now_s();
    for (std::uint64_t i = 0; i < calls; ++i)
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Reduce_local, from.data(), to.data(),
                                      static_cast<int>(to.size()), MPI_DOUBLE, MPI_SUM));
    return (Clock::true_now_s() - started_s) / static_cast<double>(calls);
}

Status measure_combine(Context& context) {
    if (context.rank() != 0)
        return Done{};
    const auto count = static_cast<std::size_t>(context.point().size_bytes / sizeof(double));
    const std::vector<double> from(count, 1);
    std::vector<double> to(count, 1);
    Samples mine;
    for (int i = -1; i < context.measurement.repetitions; ++i) {
        ALLTOLD_TRY(value_s, combine_s(from, to, calls_of(context.point())));
        (i < 0 ? mine.warm_up : mine.values).push_back(*value_s);
    }
    return report(context, 0, mine);
}

} // namespace

std::vector<Probe> combine_probes() {
    return {
        // Seconds in which rank 0 adds m bytes of doubles to others by MPI_Reduce_local, both as
        // near as a call before has left them: a reduction combines what it has just received.
        {.name = "combine",
         .kind = "p2p",
         .help = "seconds to combine m bytes of doubles by MPI_SUM",
         .plan = plan_combine,
         .measure = measure_combine,
         .cost_s = [](const Point& point,
                      double value) { return static_cast<double>(calls_of(point)) * value; },
         .buffer_bytes =
             [](const Point& point) { return 2 * static_cast<double>(point.size_bytes); },
         .within_hosts = true,
         .urgency = urgency_of_all<1>},
    };
}

} // namespace alltold::campaign
