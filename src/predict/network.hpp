// SPDX-License-Identifier: BSD-3-Clause
// What predictions are made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "network/cluster_model.hpp"
#include "network/congestion_fit.hpp"
#include "network/hockney_fit.hpp"
#include "network/link_network.hpp"
#include "network/plogp.hpp"
#include "network/signature_fit.hpp"
#include "predict/correction.hpp"
#include "predict/library_times.hpp"

namespace alltold {

/// The fitted parameters of a network, as far as they are known.
struct Network {
    std::optional<HockneyFit> local;              ///< between hosts of one cluster
    std::optional<HockneyFit> wide;               ///< between hosts of different clusters
    std::optional<SignatureFit> alltoall;         ///< the library's all-to-all within one cluster
    std::string assumed;                          ///< what was not measured; empty if nothing
    std::optional<PLogP> plogp = {};              ///< between hosts of one cluster
    std::optional<ClusterModel> cluster = {};     ///< the hosts of one cluster and their switch
    std::optional<LinkNetwork> links = {};        ///< ports, their queues, the backbone
    std::vector<LibraryTime> library = {};        ///< what the library's own collectives took
    std::vector<Correction> corrections = {};     ///< what ours took beside the models
    std::optional<CongestionFit> congestion = {}; ///< the library's all-to-all, with time-outs

    /// The same but for what measured collectives say: models alone.
    Network uncorrected() const {
        auto bare = *this;
        bare.corrections.clear();
        return bare;
    }
};

} // namespace alltold
