// SPDX-License-Identifier: BSD-3-Clause
// Parameters as given, else from the network, else from byte limits.
#include "predict/parameters/resolve.hpp"

#include "network/capacity.hpp"
#include "predict/parameters/paced_parameters.hpp"
#include "predict/parameters/window_search.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

using Use = Algorithm::Use;

/// Empty: the MPI library's own.
constexpr std::string_view usual_name(Collective collective) {
    using enum Collective;
    switch (collective) {
    case bcast:
        return "bcast.binomial";
    case scatter:
        return "scatter.binomial";
    case gather:
        return "gather.binomial";
    case alltoall:
    case alltoallv:
        return "alltoall.pairwise";
    default:
        return "";
    }
}

/// The number of blocks in that many bytes.
int window_of(std::uint64_t bytes, std::uint64_t size_bytes, int ranks) {
    const auto blocks = std::max<std::uint64_t>(bytes / std::max<std::uint64_t>(size_bytes, 1), 1);
    return static_cast<int>(std::min(blocks, static_cast<std::uint64_t>(ranks)));
}

/// Whether all blocks of this size may be sent at once on an unknown network.
bool fits_anywhere(const Clusters& clusters, std::uint64_t size_bytes) {
    const auto ranks = static_cast<std::uint64_t>(clusters.ranks());
    const auto sizes = clusters.sizes();
    const auto port_pairs = static_cast<std::uint64_t>(most_pairs_of_a_host(clusters));
    return port_pairs * size_bytes <= default_port_bytes &&
           std::ranges::all_of(sizes, [&](int size) {
               const auto own = static_cast<std::uint64_t>(size);
               return own * (ranks - own) * size_bytes <= default_backbone_bytes;
           });
}

Parameters defaults() {
    return {default_segment_bytes, default_window, default_inter_cluster_window, {}};
}

Parameters paced(const CollectiveCall& call, const Network* network) {
    if (network && network->links && network->links->port.goodput_bytes_per_s > 0)
        return paced_parameters(*network->links, call.clusters, call.size_bytes,
                                packet_payload_bytes(*network));
    return fits_anywhere(call.clusters, call.size_bytes)
               ? Parameters{}
               : shared_by(call.clusters.most_ranks_of_a_host(), defaults(), call.size_bytes);
}

Parameters gather_parameters(const Algorithm& algorithm, const CollectiveCall& call,
                             const Network* network) {
    if (network && (network->links || (network->cluster && network->cluster->buffer_bytes > 0)))
        return gather_windows(*network, algorithm, call.clusters, call.size_bytes, call.root);
    const auto window = [&](std::uint64_t bytes) {
        return window_of(bytes, call.size_bytes, call.clusters.ranks());
    };
    const bool local_only = call.clusters.count() == 1 || algorithm.inter_cluster_window != Use::no;
    return {.window = window(local_only ? default_port_bytes : default_backbone_bytes),
            .inter_cluster_window = window(default_backbone_bytes)};
}

/// Of messages that hold all blocks between two hosts as many as a port's buffer holds, shared out
/// among the ranks of a host that carry them.
Parameters host_exchange(const Algorithm& algorithm, const CollectiveCall& call,
                         const Network* network) {
    const double each = call.clusters.most_ranks_of_a_host();
    const double carriers = algorithm.carriers(call.clusters);
    const bool known = network && network->links && network->links->port.queue_bytes > 0;
    const double port_bytes =
        known ? network->links->port.queue_bytes : static_cast<double>(default_port_bytes);
    const double message_bytes =
        each * each * static_cast<double>(std::max<std::uint64_t>(call.size_bytes, 1));
    return {.window =
                whole_between(port_bytes / carriers / message_bytes, 1, call.clusters.hosts())};
}

/// Whether every rank sends to all others at once, as far as segment and window allow.
bool is_paced(const Algorithm& algorithm) {
    return algorithm.segment == Use::may && algorithm.window == Use::may;
}

/// The parameters that need no prediction.
Parameters found_directly(const Algorithm& algorithm, const CollectiveCall& call,
                          const Network* network) {
    if (algorithm.collective == Collective::gather)
        return gather_parameters(algorithm, call, network);
    if (algorithm.carriers)
        return host_exchange(algorithm, call, network);
    return is_paced(algorithm) ? paced(call, network) : defaults();
}

bool lacks_segment(const Choice& choice) {
    const auto& algorithm = *choice.algorithm;
    return algorithm.segment != Use::no && !is_paced(algorithm) &&
           choice.parameters.segment_bytes == 0;
}

bool lacks_crossover(const Choice& choice, const Clusters& clusters) {
    return takes_crossover_window(*choice.algorithm) && choice.parameters.window == 0 &&
           check_crossover(*choice.algorithm, clusters);
}

/// Whether segment and windows are open that keep a paced exchange across clusters within buffers.
bool lacks_pace(const Choice& choice, const CollectiveCall& call, const Network* network) {
    const auto& [segment_bytes, window, inter_cluster_window, clusters] = choice.parameters;
    return network && network->links && network->links->backbone && call.clusters.count() > 1 &&
           is_paced(*choice.algorithm) && segment_bytes == 0 && window == 0 &&
           inter_cluster_window == 0 && !holds_all(*network->links, call.clusters, call.size_bytes);
}

/// Whether windows are open that keep a gather of short messages within buffers, unless all may
/// send at once. Of messages that idle connections send at once, the last packets may be lost,
/// which only a time-out mends; of longer ones, losses cost less than smaller windows do
/// (docs/results/exchange.md).
bool lacks_gather_windows(const Choice& choice, const Parameters& direct,
                          const CollectiveCall& call, const Network* network) {
    return network && network->links && network->links->port.queue_bytes > 0 &&
           choice.algorithm->collective == Collective::gather && direct.window > 0 &&
           choice.parameters.window == 0 && choice.parameters.inter_cluster_window == 0 &&
           static_cast<double>(call.size_bytes) <= ten_segments_bytes &&
           (call.clusters.count() > 1 || direct.window < call.clusters.ranks() - 1);
}

/// The same with the parameters found by prediction; others and, if `network` has no model for
/// them, all are `direct`, those that need none.
Result<Choice> searched(Choice choice, const Parameters& direct, const CollectiveCall& call,
                        const Network& network, const CallOptions& options) {
    const auto& algorithm = *choice.algorithm;
    const auto* model =
        search_model(network, algorithm, call.clusters, call.size_bytes, options.model);
    if (!model) {
        complete(choice.parameters, algorithm, direct);
        return choice;
    }
    const auto specification =
        Specification::of(algorithm.collective, call.clusters.ranks(), call.root, call.size_bytes);
    SimulationCache of_this_call;
    const SearchedCall search{network,
                              algorithm,
                              specification,
                              call.clusters,
                              *model,
                              options.corrected,
                              options.simulations ? *options.simulations : of_this_call,
                              options.rough};
    if (lacks_segment(choice))
        ALLTOLD_TRY_INTO(choice.parameters.segment_bytes, find_segment(search, choice.parameters));
    if (lacks_crossover(choice, call.clusters))
        ALLTOLD_TRY_INTO(choice.parameters.window,
                         find_crossover_window(search, choice.parameters));
    if (lacks_pace(choice, call, &network)) // which may find that no limits are best
        choice.parameters = find_pace(search, choice.parameters);
    else
        complete(choice.parameters, algorithm,
                 lacks_gather_windows(choice, direct, call, &network) && model->name == "links"
                     ? find_gather_windows(search, direct)
                     : direct);
    return choice;
}

} // namespace

Choice usual_choice(Collective collective) {
    const auto name = usual_name(collective);
    if (name.empty())
        return {};
    const auto algorithm = find_algorithm(name);
    assert(algorithm);
    return {*algorithm};
}

bool searches_windows(const Choice& choice) {
    const auto& algorithm = *choice.algorithm;
    const int between_clusters = algorithm.inter_cluster_window == Use::no
                                     ? choice.parameters.window
                                     : choice.parameters.inter_cluster_window;
    return takes_crossover_window(algorithm) || (is_paced(algorithm) && between_clusters > 0);
}

Choice searched_only(Choice choice) {
    if (searches_windows(choice))
        return choice;
    auto& [segment_bytes, window, inter_cluster_window, clusters] = choice.parameters;
    if (is_paced(*choice.algorithm))
        segment_bytes = 0;
    window = inter_cluster_window = 0;
    return choice;
}

void set_clusters(Parameters& parameters, const Algorithm& algorithm, const Clusters& clusters) {
    if (algorithm.takes_clusters() && (clusters.count() > 1 || !clusters.one_rank_per_host()))
        parameters.clusters = clusters;
}

void complete(Parameters& own, const Algorithm& algorithm, const Parameters& from) {
    if (algorithm.segment != Use::no && own.segment_bytes == 0)
        own.segment_bytes = from.segment_bytes;
    if (algorithm.window != Use::no && own.window == 0)
        own.window = from.window;
    if (algorithm.inter_cluster_window != Use::no && own.inter_cluster_window == 0)
        own.inter_cluster_window = from.inter_cluster_window;
}

Result<Choice> resolve(const CollectiveCall& asked, const Network* network,
                       const CallOptions& options) {
    auto call = asked;
    if (call.collective == Collective::alltoallv)
        call.size_bytes = long_block_bytes;
    else if (!traits_of(call.collective).has_data)
        call.size_bytes = 0;
    auto choice = options.choice  ? *options.choice
                  : options.rules ? options.rules->at(call.size_bytes)
                                  : usual_choice(call.collective);
    if (!choice.algorithm)
        return choice;
    const auto& algorithm = *choice.algorithm;
    auto& parameters = choice.parameters;
    set_clusters(parameters, algorithm, call.clusters);
    auto filled = choice;
    complete(filled.parameters, algorithm, found_directly(algorithm, call, network));
    const bool open = lacks_segment(choice) || lacks_crossover(choice, call.clusters) ||
                      lacks_pace(choice, call, network) ||
                      lacks_gather_windows(choice, filled.parameters, call, network);
    ALLTOLD_TRY_DONE(accepts(algorithm, call.collective, call.clusters.ranks(),
                             algorithm.rooted() ? call.root : -1, filled.parameters));
    if (!open || !network)
        return filled;
    return searched(std::move(choice), filled.parameters, call, *network, options);
}

} // namespace alltold
