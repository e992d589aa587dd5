// SPDX-License-Identifier: BSD-3-Clause
#include "network/half_duplex.hpp"

#include "network/fitting.hpp"
#include "network/json/fields.hpp"

namespace alltold {

static void members(JsonMembers& json, HalfDuplex& known) {
    json("factor", known.factor, from_one);
    json("calls", known.calls, 1);
}

namespace {

/// The median of a call; nothing of one with too few repetitions.
std::optional<Estimate> time_of(const PointSamples& samples) {
    const auto times_s = samples.values();
    if (times_s.size() < fewest_repetitions || median(times_s) <= 0)
        return {};
    return estimate_of(times_s);
}

/// The library's all-to-alls by rendezvous that were measured both as usual and from `second`.
std::vector<CallFromBothStarts> calls_from(const Fitting& fitting, StartMode second) {
    std::vector<CallFromBothStarts> calls;
    const auto usual = fitting.sampled("alltoall");
    const CollectiveProbe probe{Collective::alltoall, second};
    for (const auto* samples : fitting.sampled(probe.text())) {
        auto point = samples->point;
        if (point.algorithm != "mpi" || point.n() < 2 ||
            static_cast<double>(point.size_bytes) <= fitting.network.eager_limit_bytes->value)
            continue;
        point.probe = "alltoall";
        const auto same = std::ranges::find(usual, point, &PointSamples::point);
        const auto usual_s = same == usual.end() ? std::optional<Estimate>() : time_of(**same);
        const auto second_s = time_of(*samples);
        if (!usual_s || !second_s)
            continue;
        if (second == StartMode::barrier)
            calls.push_back({*usual_s, *second_s});
        else
            calls.push_back({*second_s, *usual_s});
    }
    return calls;
}

/// A second start is a barrier where the usual one is silence, and silence where it is not.
void fit_second_starts(Fitting& fitting) {
    if (!fitting.network.eager_limit_bytes)
        return;
    for (const auto second : {StartMode::barrier, StartMode::silence})
        if (const auto calls = calls_from(fitting, second); !calls.empty())
            fitting.network.half_duplex = fit_half_duplex(calls);
}

} // namespace

HalfDuplex fit_half_duplex(std::span<const CallFromBothStarts> calls) {
    assert(!calls.empty());
    constexpr double most = 2; // one way at a time, all the time
    constexpr std::size_t enough = 3;
    std::vector<double> ratios;
    double low = 1, high = calls.size() < enough ? most : 1;
    for (const auto& [silence_s, barrier_s] : calls) {
        ratios.push_back(barrier_s.value / silence_s.value);
        const double least = barrier_s.low / silence_s.high;
        low = ratios.size() == 1 ? least : std::min(low, least);
        high = std::max(high, barrier_s.high / silence_s.low);
    }
    const double value = std::clamp(median(ratios), 1., most);
    low = calls.size() < enough ? 1 : std::clamp(low, 1., value);
    return {{value, low, std::max(value, high)}, static_cast<int>(calls.size())};
}

Estimate half_duplex_factor(const Network& network, double size_bytes) {
    const auto& known = network.half_duplex;
    const bool waits = network.eager_limit_bytes && size_bytes > network.eager_limit_bytes->value;
    return known && known->applies && waits ? known->factor : Estimate::exact(1);
}

namespace models {
extern const CostModel half_duplex{
    .name = "half_duplex",
    .source = "docs/measuring.md",
    .help = "how much longer the library's alltoall takes by rendezvous after a barrier",
    .fitted_after = {"hockney"},
    .fit = fit_second_starts,
    .fields = {parameter_field<&Network::half_duplex>("half_duplex")},
    .lacks = [](const Network& network) -> std::string {
        return network.half_duplex ? "" : "all-to-alls of the library from two starts";
    },
};
} // namespace models

} // namespace alltold
