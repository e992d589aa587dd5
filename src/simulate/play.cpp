// SPDX-License-Identifier: BSD-3-Clause
// The engine, once per model.
#include "simulate/play.hpp"

#include <fmt/format.h>

#include "simulate/cluster_network.hpp"
#include "simulate/player.hpp"
#include "simulate/plogp_network.hpp"
#include "simulate/switched_network.hpp"

namespace alltold::simulate {
namespace {

template <typename Network>
Result<Times> play_on(const Score& score, Network network, const Options& options) {
    return Player<Network>(score, network, options).run();
}

} // namespace

Result<Times> play(const Score& score, const PLogP& model, const Options& options) {
    return play_on(score, PLogPNetwork(score, model), options);
}

Result<Times> play(const Score& score, const ClusterModel& model, const Options& options) {
    return play_on(score, ClusterNetwork(score, model), options);
}

Result<Times> play(const Score& score, const LinkNetwork& links, const Clusters& clusters,
                   const Options& options) {
    if (links.backbone && clusters.ranks() != score.ranks())
        return bad_input(fmt::format("clusters {} hold {} ranks, but {} ranks are to be played",
                                     clusters.text(), clusters.ranks(), score.ranks()));
    return play_on(score, SwitchedNetwork(score, links, clusters, options), options);
}

} // namespace alltold::simulate
