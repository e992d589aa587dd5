// SPDX-License-Identifier: BSD-3-Clause
// Single sends and trains of them between two neighbours.
#include "campaign/probe.hpp"

#include <ctime>

#include "campaign/plan.hpp"
#include "campaign/probes/shared/bend_points.hpp"
#include "campaign/probes/shared/pair.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

constexpr int most_local_pairs = 2;
/// The most bytes of the longer train of a size.
constexpr std::uint64_t train_bytes = 128 * ki;

std::vector<std::pair<int, int>> few_local_pairs(const Clusters& world) {
    std::vector<std::pair<int, int>> few;
    for (const auto& pair : choose_pairs(world))
        if (few.size() < most_local_pairs && world.cluster_of(pair.first) == 0 &&
            world.cluster_of(pair.second) == 0)
            few.push_back(pair);
    return few;
}

template <int Name>
Result<std::vector<Point>> plan_single(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    for (const auto& pair : few_local_pairs(world))
        for (const auto size_bytes : sizes_or(request, {1, 256, 1 * ki, 4 * ki, 16 * ki, 64 * ki}))
            points.push_back(
                pair_point(Name == 0 ? "send_call" : "send_overhead", world, pair, size_bytes));
    return points;
}

/// Pairs in clusters without a third host, whose ports no flood shows, and one other; between
/// clusters if none has two.
Result<std::vector<Point>> plan_rough_trains(const Clusters& world) {
    std::vector<std::pair<int, int>> pairs;
    bool any_large = false;
    for (int c = 0; c < world.count(); ++c)
        if (world.size(c) == 2 || (world.size(c) > 2 && !std::exchange(any_large, true)))
            pairs.emplace_back(world.first(c), world.first(c) + 1);
    if (pairs.empty())
        pairs.emplace_back(world.first(0), world.first(1));
    std::vector<Point> points;
    for (const auto& pair : pairs)
        for (const int count : {2, 4, 8}) {
            points.push_back(pair_point("train", world, pair, 8 * ki));
            points.back().count = count;
        }
    return points;
}

/// One pair's, since its links are like the others' and trains are long.
Result<std::vector<Point>> plan_trains(const Clusters& world, const Request& request) {
    if (request.rough)
        return plan_rough_trains(world);
    std::vector<Point> points;
    if (const auto pairs = few_local_pairs(world); !pairs.empty()) {
        const auto& pair = pairs.front();
        const auto add = [&](std::uint64_t size_bytes, int count) {
            points.push_back(pair_point("train", world, pair, size_bytes));
            points.back().count = count;
        };
        for (const std::uint64_t size_bytes : {1 * ki / 4, 1 * ki, 4 * ki, 16 * ki}) {
            const auto longer =
                static_cast<int>(std::min<std::uint64_t>(128, train_bytes / size_bytes));
            add(size_bytes, longer / 4);
            add(size_bytes, longer);
        }
        for (const int count : {2, 4, 8})
            add(64 * ki, count);
    }
    return points;
}

double processor_s() {
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

/// The step of the first rank that gives the sample.
using Timed = std::function<Result<double>(Burst&)>;

/// `timed` sends messages to the second rank and times them on the first; the second acknowledges
/// them.
Status measure_sends(Context& context, int count, const Timed& timed) {
    const auto& traffic = context.ranks.traffic();
    Burst burst(traffic, context.point().size_bytes, count);
    return repeat_paired(context, {[&] { return timed(burst); },
                                   [&]() -> Status {
                                       const int first = context.point().first_rank;
                                       ALLTOLD_TRY_DONE(burst.receive(first));
                                       return traffic.send({}, first, tag_go);
                                   }});
}

Status await_word(const Context& context) {
    return context.ranks.traffic().receive({}, context.point().second_rank, tag_go);
}

Status measure_send_call(Context& context) {
    const std::vector<std::byte> message(context.point().size_bytes);
    return measure_sends(context, 1, [&](Burst&) -> Result<double> {
        const double started_s = Clock::true_now_s();
        ALLTOLD_TRY_DONE(
            context.ranks.traffic().send(message, context.point().second_rank, tag_pingpong));
        const double taken_s = Clock::true_now_s() - started_s;
        const auto word = await_word(context);
        return word ? taken_s : Result<double>(word.error());
    });
}

Status measure_send_overhead(Context& context) {
    return measure_sends(context, 1, [&](Burst& burst) -> Result<double> {
        const double started_s = processor_s();
        ALLTOLD_TRY_DONE(burst.send(context.point().second_rank));
        const double taken_s = processor_s() - started_s;
        const auto word = await_word(context);
        return word ? taken_s : Result<double>(word.error());
    });
}

Status measure_train(Context& context) {
    return measure_sends(context, context.point().count, [&](Burst& burst) -> Result<double> {
        const double started_s = Clock::true_now_s();
        ALLTOLD_TRY_DONE(burst.send(context.point().second_rank));
        ALLTOLD_TRY_DONE(await_word(context));
        return Clock::true_now_s() - started_s;
    });
}

/// The sample excludes the message's transfer and the answer.
double send_round_cost_s(const Point&, double value) {
    return 2 * value + 1e-3;
}

} // namespace

std::vector<Probe> send_probes() {
    return {
        // T_s(m) of TW99's Table 1: seconds a blocking MPI_Send of m bytes keeps its caller. The
        // paper prints the parameter without a definition; a send call's time is our reading.
        {"send_call", "cluster", "seconds of a blocking send", plan_single<0>, measure_send_call,
         send_round_cost_s},
        // O_s(m), TW99 section 3: "directly measure the time engaged by the CPU". Processor time of
        // this process over one nonblocking send, from the call until it is complete, asleep in
        // between: TW99's send ends with the call, MPI's may go on after it.
        {"send_overhead", "cluster", "processor seconds of a send", plan_single<1>,
         measure_send_overhead, send_round_cost_s},
        // g_s(m), TW99 section 3, the time in which the network serves one message: seconds from
        // the first of `count` sends, all started at once, to the receiver's acknowledgement of the
        // last one. Two lengths of train for each size; the fit takes their difference, so that
        // start-up and answer cancel. At 64 KiB three lengths, whose slope is the port's goodput.
        {.name = "train",
         .kind = "links",
         .help = "seconds from the first send until all have been received",
         .plan = plan_trains,
         .measure = measure_train,
         .refine = longer_trains,
         .refine_rough = longer_trains,
         .urgency = urgency_of_all<1>},
    };
}

} // namespace alltold::campaign
