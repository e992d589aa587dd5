// SPDX-License-Identifier: BSD-3-Clause
// Single sends and trains of them between two neighbours.
#include "campaign/probes/send.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "campaign/burst.hpp"
#include "campaign/paired.hpp"
#include "campaign/plan.hpp"
#include "campaign/tags.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;
constexpr int most_pairs = 2;
/// What the longer train of a size carries, at most.
constexpr std::uint64_t train_bytes = 128 * ki;

std::vector<std::pair<int, int>> few_local_pairs(const Clusters& world) {
    std::vector<std::pair<int, int>> few;
    for (const auto& pair : choose_pairs(world))
        if (few.size() < most_pairs && world.cluster_of(pair.first) == 0 &&
            world.cluster_of(pair.second) == 0)
            few.push_back(pair);
    return few;
}

template <int Name>
Result<std::vector<Point>> plan_single(const Clusters& world, const Wishes& wishes) {
    std::vector<Point> points;
    for (const auto& pair : few_local_pairs(world))
        for (const auto size_bytes : sizes_or(wishes, {1, 256, 1 * ki, 4 * ki, 16 * ki, 64 * ki}))
            points.push_back(
                pair_point(Name == 0 ? "send_call" : "send_overhead", world, pair, size_bytes));
    return points;
}

/// One pair's, since its links are like the others' and trains are long.
Result<std::vector<Point>> plan_trains(const Clusters& world, const Wishes&) {
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

/// A part of the first that gives the sample.
using Timed = std::function<Result<double>(Burst&)>;

/// Messages to the second, sent and timed by `timed` on the first, and the second's word that it
/// has them.
Status visit_sends(Visit& visit, int count, const Timed& timed) {
    const auto& traffic = visit.team.traffic();
    Burst burst(traffic, visit.point.size_bytes, count);
    return repeat_paired(visit, {[&] { return timed(burst); },
                                 [&]() -> Status {
                                     const int first = visit.point.first_rank;
                                     if (auto got = burst.receive(first); !got)
                                         return got;
                                     return traffic.send({}, first, tag_go);
                                 }});
}

Status await_word(const Visit& visit) {
    return visit.team.traffic().receive({}, visit.point.second_rank, tag_go);
}

Status visit_send_call(Visit& visit) {
    const std::vector<std::byte> message(visit.point.size_bytes);
    return visit_sends(visit, 1, [&](Burst&) -> Result<double> {
        const double started_s = Clock::true_now_s();
        if (auto sent = visit.team.traffic().send(message, visit.point.second_rank, tag_pingpong);
            !sent)
            return sent.error();
        const double taken_s = Clock::true_now_s() - started_s;
        const auto word = await_word(visit);
        return word ? taken_s : Result<double>(word.error());
    });
}

Status visit_send_overhead(Visit& visit) {
    return visit_sends(visit, 1, [&](Burst& burst) -> Result<double> {
        const double started_s = processor_s();
        if (auto sent = burst.send(visit.point.second_rank); !sent)
            return sent.error();
        const double taken_s = processor_s() - started_s;
        const auto word = await_word(visit);
        return word ? taken_s : Result<double>(word.error());
    });
}

Status visit_train(Visit& visit) {
    return visit_sends(visit, visit.point.count, [&](Burst& burst) -> Result<double> {
        const double started_s = Clock::true_now_s();
        if (auto sent = burst.send(visit.point.second_rank); !sent)
            return sent.error();
        if (auto word = await_word(visit); !word)
            return word.error();
        return Clock::true_now_s() - started_s;
    });
}

/// The sample leaves out the message's way and the answer.
double cost_s(const Point&, double value) {
    return 2 * value + 1e-3;
}

} // namespace

Probe send_call_probe() {
    Probe probe{"send_call", "cluster", "seconds of a blocking send", plan_single<0>,
                visit_send_call};
    probe.cost_s = cost_s;
    return probe;
}

Probe send_overhead_probe() {
    Probe probe{"send_overhead", "cluster", "processor seconds of a send", plan_single<1>,
                visit_send_overhead};
    probe.cost_s = cost_s;
    return probe;
}

Probe train_probe() {
    return {"train", "links", "seconds from the first send until all have been received",
            plan_trains, visit_train};
}

} // namespace alltold::measure
