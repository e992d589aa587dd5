// SPDX-License-Identifier: BSD-3-Clause
// The half-duplex factor from all-to-alls of the library from two starts.
#include "network/cost_model.hpp"
#include "network/fitting.hpp"
#include "network/half_duplex/half_duplex.hpp"
#include "network/json/fields.hpp"

#include <algorithm>

#include "network/collective_probe.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

/// The median of a call; nothing of one with too few repetitions.
std::optional<Estimate> time_of(const PointSamples& samples) {
    const auto times_s = samples.series().times_s;
    if (times_s.size() < fewest_repetitions || median(times_s) <= 0)
        return {};
    const auto known = median_interval(times_s);
    const auto [least, most] = std::ranges::minmax(times_s);
    return Estimate{known.value, std::max(known.low, least), std::min(known.high, most)};
}

/// Of the library's all-to-alls by rendezvous that were measured both as usual and as `other`.
std::vector<CallFromBothStarts> calls_from(const Fitting& fitting, StartMode other) {
    std::vector<CallFromBothStarts> calls;
    const auto usual = fitting.sampled("alltoall");
    const CollectiveProbe second{Collective::alltoall, other};
    for (const auto* samples : fitting.sampled(second.text())) {
        auto point = samples->point;
        if (point.algorithm != "mpi" || point.n() < 2 ||
            static_cast<double>(point.size_bytes) <= fitting.network.eager_limit_bytes->value)
            continue;
        point.probe = "alltoall";
        const auto same = std::ranges::find(usual, point, &PointSamples::point);
        const auto there = same == usual.end() ? std::optional<Estimate>() : time_of(**same);
        const auto here = time_of(*samples);
        if (!here || !there)
            continue;
        if (other == StartMode::barrier)
            calls.push_back({*there, *here});
        else
            calls.push_back({*here, *there});
    }
    return calls;
}

/// A second start is a barrier where the usual one is silence, and silence where it is not.
void fit_second_starts(Fitting& fitting) {
    if (!fitting.network.eager_limit_bytes)
        return;
    for (const auto other : {StartMode::barrier, StartMode::silence})
        if (const auto calls = calls_from(fitting, other); !calls.empty())
            fitting.network.half_duplex = fit_half_duplex(calls);
}

ordered_json half_duplex_to_json(const Network& network) {
    const auto& known = network.half_duplex;
    return known ? ordered_json{{"factor", to_json(known->factor)}, {"calls", known->calls}}
                 : ordered_json();
}

void read_half_duplex(Network& network, JsonCursor at) {
    HalfDuplex known;
    known.factor = read_estimate(at.member("factor"), from_one);
    known.calls = at.member("calls").whole_number(1);
    at.only({"factor", "calls"});
    network.half_duplex = known;
}

} // namespace

namespace models {
extern const CostModel half_duplex{
    .name = "half_duplex",
    .source = "docs/measuring.md",
    .help = "how much longer the library's alltoall takes by rendezvous after a barrier",
    .preference = 90,
    .fitted_after = {"hockney"},
    .fit = fit_second_starts,
    .fields = {{"half_duplex", half_duplex_to_json, read_half_duplex}},
    .lacks = [](const Network& network) -> std::string {
        return network.half_duplex ? "" : "all-to-alls of the library from two starts";
    },
};
} // namespace models

} // namespace alltold
