// SPDX-License-Identifier: BSD-3-Clause
// Receiving a message that has arrived, and computing while messages arrive.
#include "campaign/probe.hpp"

#include "campaign/plan.hpp"
#include "campaign/probes/shared/pair.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// By then a small message has arrived within any cluster.
constexpr std::chrono::milliseconds arrival{8};
/// Stay awake this long before timing, so that the processor's wake-up is not timed.
constexpr double awake_before_timing_s = 0.5e-3;
constexpr double control_s = 20e-3;
/// The computation starts this long before the first message.
constexpr std::chrono::milliseconds head_start{3};

std::vector<Point> between_the_first_two(std::string_view probe, const Clusters& world,
                                         const std::vector<std::uint64_t>& sizes) {
    std::vector<Point> points;
    if (world.size(0) >= 2)
        for (const auto size_bytes : sizes)
            points.push_back(pair_point(std::string(probe), world, {0, 1}, size_bytes));
    return points;
}

Result<std::vector<Point>> plan_fetch(const Clusters& world, const Request&) {
    return between_the_first_two("fetch", world, {1, 256, 1 * ki});
}

Result<std::vector<Point>> plan_background(const Clusters& world, const Request&) {
    auto points = between_the_first_two("background", world, {256, 1 * ki, 4 * ki, 16 * ki});
    for (auto& point : points)
        point.count = static_cast<int>(std::min<std::uint64_t>(16, 48 * ki / point.size_bytes));
    return points;
}

Status send_all(const Context& context, int count) {
    const std::vector<std::byte> message(context.point().size_bytes);
    for (int i = 0; i < count; ++i)
        ALLTOLD_TRY_DONE(
            context.ranks.traffic().send(message, context.point().first_rank, tag_pingpong));
    return Done{};
}

Status receive_all(const Context& context, int count) {
    std::vector<std::byte> message(context.point().size_bytes);
    for (int i = 0; i < count; ++i)
        ALLTOLD_TRY_DONE(
            context.ranks.traffic().receive(message, context.point().second_rank, tag_pingpong));
    return Done{};
}

Status measure_fetch(Context& context) {
    return repeat_paired(context, {[&]() -> Result<double> {
                                       std::this_thread::sleep_for(arrival);
                                       const double awake_until_s =
                                           Clock::true_now_s() + awake_before_timing_s;
                                       while (Clock::true_now_s() < awake_until_s)
                                           ;
                                       const double started_s = Clock::true_now_s();
                                       ALLTOLD_TRY_DONE(receive_all(context, 1));
                                       return Clock::true_now_s() - started_s;
                                   },
                                   [&] { return send_all(context, 1); }});
}

/// Arithmetic that neither memory nor compiler can shorten.
double compute(long steps) {
    volatile double kept = 0.5;
    double x = kept;
    for (long i = 0; i < steps; ++i)
        x = 3.7 * x * (1 - x);
    kept = x;
    return kept;
}

double timed_compute(long steps) {
    const double started_s = Clock::true_now_s();
    compute(steps);
    return Clock::true_now_s() - started_s;
}

/// The number of steps that take about `control_s` here.
long calibrate() {
    constexpr long trial = 200000;
    double quickest_s = timed_compute(trial);
    for (int i = 0; i < 4; ++i)
        quickest_s = std::min(quickest_s, timed_compute(trial));
    return static_cast<long>(control_s / quickest_s * trial);
}

Status measure_background(Context& context) {
    const int count = context.point().count;
    const auto& traffic = context.ranks.traffic();
    const int second = context.point().second_rank;
    const long steps = context.rank() == context.point().first_rank ? calibrate() : 0;
    return repeat_paired(context, {[&]() -> Result<double> {
                                       const double quiet_s = timed_compute(steps);
                                       ALLTOLD_TRY_DONE(traffic.send({}, second, tag_go));
                                       const double disturbed_s = timed_compute(steps);
                                       ALLTOLD_TRY_DONE(receive_all(context, count));
                                       return std::max(0., (disturbed_s - quiet_s) / count);
                                   },
                                   [&]() -> Status {
                                       ALLTOLD_TRY_DONE(
                                           traffic.receive({}, context.point().first_rank, tag_go));
                                       std::this_thread::sleep_for(head_start);
                                       return send_all(context, count);
                                   }});
}

} // namespace

std::vector<Probe> receive_probes() {
    return {
        // U_r, TW99 section 3, "the cost spent by the receiving process after arrival of messages":
        // seconds MPI_Recv takes for a message that has been there for a while, up to 1 KiB.
        {"fetch", "cluster", "seconds to receive a message that has arrived", plan_fetch,
         measure_fetch,
         [](const Point&, double) { return 2 * std::chrono::duration<double>(arrival).count(); }},
        // O_r(m), TW99 section 3: a control computation of about 20 ms runs quietly, then again
        // while `count` messages of m bytes arrive; a sample is what it took longer, per message,
        // and at least 0. The messages fit into the socket's buffer, so that only the kernel
        // handles them. If another processor does so (a lab's hosts share those of one machine),
        // the sample shows little.
        {"background", "cluster", "seconds a message takes away from a computation",
         plan_background, measure_background, [](const Point&, double) { return 3 * control_s; }},
    };
}

} // namespace alltold::campaign
