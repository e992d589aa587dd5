// SPDX-License-Identifier: BSD-3-Clause
#include "predict/timing/operation_times.hpp"

namespace alltold {

Hockney copy_time(const Network& network) {
    return network.links && network.links->memory
               ? Hockney{0, 1 / network.links->memory->copy_bytes_per_s}
               : Hockney{};
}

simulate::Options options_of(const Network& network, double Estimate::*rate) {
    simulate::Options options{.copy = copy_time(network),
                              .combine_s_per_byte = network.combine_s_per_byte(rate)};
    if (network.eager_limit_bytes)
        options.buffered_bytes = static_cast<std::uint64_t>(network.eager_limit_bytes->value);
    return options;
}

Result<simulate::Times> run_on(const Simulated& network, const simulate::EventGraph& graph,
                               const Clusters& clusters, const simulate::Options& options) {
    if (const auto* links = std::get_if<LinkNetwork>(&network))
        return simulate::run(graph, *links, clusters, options);
    if (const auto* cluster = std::get_if<ClusterModel>(&network))
        return simulate::run(graph, *cluster, options);
    return simulate::run(graph, std::get<PLogP>(network), options);
}

} // namespace alltold
