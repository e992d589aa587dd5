// SPDX-License-Identifier: BSD-3-Clause
// Compares measured calls with bounds, with each other and with the time-out of TCP.
#include "predict/bounds/plausibility.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/growth/growth.hpp"
#include "predict/bounds/bounds.hpp"

namespace alltold {
namespace {

Specification specification_of(const LibraryTime& call) {
    return Specification::of(call.collective, call.clusters.ranks(), 0, call.size_bytes);
}

/// All measured calls: ours have the name of their algorithm.
std::vector<LibraryTime> measured_calls(const Network& network) {
    auto calls = network.library;
    for (const auto& correction : network.corrections)
        if (!correction.of().of_library && correction.of().probe.start_mode != StartMode::loop)
            for (const auto& call : correction.calls())
                calls.push_back({correction.of().probe.collective, call.clusters, call.size_bytes,
                                 Estimate::exact(call.measured_s),
                                 std::string(call.algorithm->name)});
    return calls;
}

double certain_s(const BoundParts& parts, const Plausibility::Beaten& beaten) {
    return parts.bytes_s / beaten.rate_factor + parts.latency_s / beaten.latency_factor;
}

std::string text_of(const LibraryTime& call) {
    const auto size = call.size_bytes > 0
                          ? " of " + format_size(static_cast<double>(call.size_bytes))
                          : std::string();
    return fmt::format("{}{} on {}", name_of(call.collective), size, call.clusters.text());
}

/// Several ranks may send to one at once.
bool may_meet(Collective collective) {
    using enum Collective;
    return collective == alltoall || collective == gather || collective == allgather ||
           collective == reduce || collective == allreduce || collective == reduce_scatter_block;
}

/// The least that a call brings into the busiest port.
double inflow_bytes(const Specification& specification, const Clusters& clusters) {
    return collective_bound_s(specification, clusters, 1, {});
}

/// Linux waits at least that long for an acknowledgement; its timer's steps make it a bit less.
constexpr double timeout_s = 0.2, least_timeout_s = 0.18;
/// A call without time-outs that takes as long as one hides them.
constexpr double longest_quick_s = timeout_s / 2;
/// A mean of ten calls of which one took a time-out is longer by that.
constexpr double least_step_s = timeout_s / 10;
/// Calls take so many times as long as a smaller one lets expect only with time-outs: a change of
/// algorithm or protocol, of those seen, up to three times.
constexpr double step = 4;

/// A measured call, its least and greatest repetition.
struct SeenCall {
    LibraryTime call;
    double least_s, most_s, inflow_bytes;
};

/// The most that a call may take when a smaller one is known: bytes and ranks one after the other.
double expected_s(const SeenCall& smaller, const SeenCall& call) {
    return smaller.least_s * call.inflow_bytes / smaller.inflow_bytes * call.call.clusters.ranks() /
           smaller.call.clusters.ranks();
}

bool is_smaller(const SeenCall& one, const SeenCall& than) {
    const auto &a = one.call, &b = than.call;
    return a.collective == b.collective && a.algorithm == b.algorithm &&
           a.clusters.count() == b.clusters.count() &&
           a.clusters.most_ranks_of_a_host() == b.clusters.most_ranks_of_a_host() &&
           a.clusters.ranks() <= b.clusters.ranks() && a.size_bytes <= b.size_bytes &&
           one.inflow_bytes < than.inflow_bytes;
}

} // namespace

std::optional<Plausibility::Beaten> beaten_bounds(const Network& of, bool loop) {
    auto network = of;
    if (loop)
        network.loop_work_s = 0;
    Plausibility::Beaten beaten;
    std::vector<std::pair<BoundParts, double>> below;
    for (auto& call : measured_calls(network)) {
        const double time_s = call.time_s.value;
        const auto parts = bound_parts(specification_of(call), call.clusters, network);
        if (time_s < Growth::least_call_s || time_s * bounds_known >= parts.time_s())
            continue;
        ++beaten.calls;
        beaten.means = beaten.means || call.mean_of_ranks;
        if (parts.latency_s > parts.bytes_s)
            beaten.latency_factor = std::max(beaten.latency_factor, parts.time_s() / time_s);
        below.emplace_back(parts, time_s);
        if (beaten.calls == 1 ||
            time_s * beaten.least_bound_s < beaten.least.time_s.value * parts.time_s()) {
            beaten.least = std::move(call);
            beaten.least_bound_s = parts.time_s();
        }
    }
    if (beaten.calls == 0)
        return std::nullopt;
    for (const auto& [parts, time_s] : below) {
        if (certain_s(parts, beaten) <= time_s)
            continue;
        // Half of the time at least is left to the bytes.
        if (parts.latency_s / beaten.latency_factor > time_s / 2)
            beaten.latency_factor = 2 * parts.latency_s / time_s;
        beaten.rate_factor = std::max(
            beaten.rate_factor, parts.bytes_s / (time_s - parts.latency_s / beaten.latency_factor));
    }
    return beaten;
}

std::optional<Plausibility::Slow> slow_exchanges(const Network& network) {
    constexpr double far = 4, long_bytes = 65536;
    std::optional<Plausibility::Slow> slowest;
    for (const auto& call : network.library) {
        const double bound_s = bound_parts(specification_of(call), call.clusters, network).bytes_s;
        if (call.collective != Collective::alltoall || !call.clusters.one_rank_per_host() ||
            static_cast<double>(call.size_bytes) < long_bytes || bound_s <= 0)
            continue;
        if (call.time_s.value < far * bound_s)
            return std::nullopt;
        if (!slowest || call.time_s.value * slowest->bound_s > slowest->call.time_s.value * bound_s)
            slowest = {call, bound_s};
    }
    return slowest;
}

std::optional<Plausibility::TimedOut> timed_out_calls(std::span<const PointSamples> points) {
    std::vector<SeenCall> calls;
    for (const auto& samples : points) {
        const auto probe = CollectiveProbe::parse(samples.point.probe);
        const auto times_s = samples.values();
        if (!probe || !may_meet(probe->collective) || times_s.empty())
            continue;
        LibraryTime call{probe->collective, samples.point.clusters, samples.point.size_bytes,
                         Estimate::exact(median(times_s)), samples.point.algorithm};
        const double bytes = inflow_bytes(specification_of(call), call.clusters);
        if (bytes > 0 && call.time_s.value >= Growth::least_call_s)
            calls.push_back(
                {std::move(call), std::ranges::min(times_s), std::ranges::max(times_s), bytes});
    }
    std::ranges::stable_sort(calls, {}, &SeenCall::inflow_bytes);
    std::optional<Plausibility::TimedOut> first;
    for (auto& one : calls) {
        double quick_s = one.least_s;
        bool times_out = quick_s < longest_quick_s && one.most_s - quick_s >= least_timeout_s;
        for (const auto& smaller : calls)
            if (!times_out && smaller.least_s < longest_quick_s && is_smaller(smaller, one)) {
                quick_s = expected_s(smaller, one);
                times_out = quick_s < longest_quick_s && one.most_s > step * quick_s + least_step_s;
            }
        if (times_out) {
            one.call.time_s = Estimate::exact(one.most_s);
            const double free_bytes = first ? first->free_bytes : 0;
            return Plausibility::TimedOut{std::move(one.call), quick_s, free_bytes};
        }
        first = Plausibility::TimedOut{{}, 0, one.inflow_bytes};
    }
    return std::nullopt;
}

std::string text_of(const Plausibility::Beaten& beaten) {
    return fmt::format(
        "bounds (marked ?) are doubtful: {} was measured in {}, below its bound of {}{}; {}, or "
        "ranks may be placed otherwise{}",
        text_of(beaten.least), format_time(beaten.least.time_s.value),
        format_time(beaten.least_bound_s),
        beaten.calls > 1 ? fmt::format(", and {} more below theirs", beaten.calls - 1) : "",
        why_bounds_are_beaten,
        beaten.means ? "; some times are means over the ranks, while the last one takes longer"
                     : "");
}

std::string text_of(const Plausibility::Slow& slow) {
    return fmt::format("several ranks per host? {} takes {:.0f} times what one rank on each host "
                       "needs; say how many share a host, such as {}",
                       text_of(slow.call), slow.call.time_s.value / slow.bound_s,
                       fmt::format("2x{}", (slow.call.clusters.ranks() + 1) / 2));
}

std::string text_of(const Plausibility::TimedOut& timed_out) {
    return fmt::format("measured calls took time-outs of TCP, about 200 ms each: {} up to {}, "
                       "without them about {}; no call that brings more than {} into a port was "
                       "seen free of them",
                       text_of(timed_out.call), format_time(timed_out.call.time_s.value),
                       format_time(timed_out.quick_s), format_size(timed_out.free_bytes));
}

void set_bound(CallTime& call, const Specification& specification, const Clusters& clusters,
               const Network& network) {
    const auto& [beaten, slow, timed_out] = network.plausibility;
    const auto parts = bound_parts(specification, clusters, network);
    call.bound_s = parts.time_s();
    if (beaten && call.bound_s > 0) {
        call.bound_doubt = call.bound_s / certain_s(parts, *beaten);
        if (call.bound_doubtful())
            call.caveats.push_back(text_of(*beaten));
    }
    if (slow && clusters.one_rank_per_host() && parts.bytes_s > parts.latency_s)
        call.caveats.push_back(text_of(*slow));
    if (timed_out && may_meet(specification.collective()) &&
        inflow_bytes(specification, clusters) > timed_out->free_bytes)
        call.caveats.push_back(text_of(*timed_out));
}

} // namespace alltold
