// SPDX-License-Identifier: BSD-3-Clause
#include "network/congestion/congestion_prediction.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/capacity.hpp"

namespace alltold {
namespace {

/// Whether the backbone was seen to be full: else what it carried is the least it can carry, and
/// says nothing of more hosts.
bool was_filled(const LinkNetwork& links) {
    constexpr double filled = 0.95;
    if (!links.backbone)
        return false;
    if (links.backbone->queue_bytes > 0)
        return true;
    return std::ranges::any_of(links.carried, [&](const CarriedFlows& carried) {
        return carried.goodput_bytes_per_s <
               filled * carried.flows * links.port.goodput_bytes_per_s;
    });
}

} // namespace

Result<CongestedCall> congested_call(const Network& network, const Clusters& clusters,
                                     double size_bytes) {
    const auto goodput = port_rates(network, clusters);
    if (!goodput)
        return refused("the port rate is unknown; measure p2p or links");
    if (clusters.count() > 1 && !backbone_of(network, clusters))
        return refused("the backbone is unknown; measure links");
    const auto backbone = network.links && was_filled(*network.links)
                              ? backbone_of(network, clusters)
                              : std::optional<Backbone>();
    return CongestedCall{
        clusters.ranks(), size_bytes,
        alltoall_bound_s(clusters, std::max(1.0, std::floor(size_bytes)), *goodput, backbone)};
}

Result<CongestedTime> congested_time(const Network& network, const Clusters& clusters,
                                     double size_bytes) {
    ALLTOLD_TRY(call, congested_call(network, clusters, size_bytes));
    return network.congestion->time(*call);
}

Result<Estimate> congested_estimate(const Network& network, const Clusters& clusters,
                                    double size_bytes) {
    ALLTOLD_TRY(time, congested_time(network, clusters, size_bytes));
    Estimate estimate{time->quantile(0.5), time->quantile(0.025), time->quantile(0.975)};
    if (const auto& fit = *network.congestion; fit.in_doubt(size_bytes))
        estimate.high = std::max(
            estimate.high,
            fit.time(*congested_call(network, clusters, size_bytes), true).quantile(0.975));
    return estimate;
}

std::vector<std::string> congestion_caveats(const Network& network, const Clusters& clusters,
                                            double size_bytes) {
    const auto& fit = *network.congestion;
    std::vector<std::string> caveats;
    if (const int n = clusters.ranks(); n > fit.largest_n || n < fit.smallest_n)
        caveats.push_back(fmt::format("fitted from n = {} to {}", fit.smallest_n, fit.largest_n));
    if (size_bytes > fit.largest_bytes || size_bytes < fit.smallest_bytes)
        caveats.push_back(fmt::format("fitted from {} to {}", format_size(fit.smallest_bytes),
                                      format_size(fit.largest_bytes)));
    if (fit.in_doubt(size_bytes))
        caveats.push_back(fmt::format("whether calls of this size slow down is unknown: the "
                                      "slow-down begins between {} and {}",
                                      format_size(fit.threshold_bytes.low),
                                      format_size(fit.threshold_bytes.value)));
    if (fit.timeouts[0].seen + fit.timeouts[1].seen < 1)
        caveats.emplace_back("no retransmission time-out was observed; their rate is bounded, "
                             "not measured");
    if (!(fit.buffer_bytes > 0))
        caveats.emplace_back("the switch buffer is unknown, so time-outs are assumed possible at "
                             "every size");
    return caveats;
}

} // namespace alltold
