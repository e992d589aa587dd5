// SPDX-License-Identifier: BSD-3-Clause
#include "predict/timing/operation_times.hpp"

#include <fmt/format.h>

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

Result<simulate::Times> simulated_operations(const Network& network, const Algorithm& algorithm,
                                             const Specification& specification,
                                             const Clusters& clusters,
                                             const Parameters& parameters) {
    ALLTOLD_TRY(preferred, preferred_model(network, clusters, algorithm.name,
                                           static_cast<double>(specification.size_bytes())));
    if (!(*preferred)->simulated)
        return refused(fmt::format("model {} of the profile cannot be simulated; measure the links "
                                   "of all hosts and fit again",
                                   (*preferred)->name));
    ALLTOLD_TRY(graph, simulate::EventGraph::of(algorithm, specification, parameters));
    auto options = options_of(network);
    options.operations = true;
    return run_on((*preferred)->simulated(network, false).front(), *graph, clusters, options);
}

} // namespace alltold
