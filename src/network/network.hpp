// SPDX-License-Identifier: BSD-3-Clause
// A description of a network: the parameters of its models, and measured times.
#pragma once

#include <any>
#include <map>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "network/cluster/cluster_model.hpp"
#include "network/corrections/correction.hpp"
#include "network/hockney/hockney_fit.hpp"
#include "network/library_times.hpp"
#include "network/links/link_network.hpp"
#include "network/mpi_library.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature_fit.hpp"

namespace alltold {

/// The parameters of a network's models, as far as they are known. Those that other models or
/// modules read have a name here; a model keeps all others under a type of its own.
struct Network {
    std::optional<HockneyFit> local;         ///< between hosts of one cluster
    std::optional<HockneyFit> inter_cluster; ///< between hosts of different clusters
    std::optional<SignatureFit> alltoall;    ///< the library's all-to-all within one cluster
    std::string assumed;                     ///< what was not measured; empty if nothing
    /// The MPI library, if it is known what it runs by default; from the provenance.
    MpiLibrary defaults_of = MpiLibrary::other;
    /// The largest message that the MPI library sends before its receive is posted, between hosts
    /// of one cluster.
    std::optional<Estimate> eager_limit_bytes = {};
    std::optional<PLogP> plogp = {};              ///< between hosts of one cluster
    std::optional<ClusterModel> cluster = {};     ///< the hosts of one cluster and their switch
    std::optional<LinkNetwork> links = {};        ///< ports, their queues, the backbone
    std::vector<LibraryTime> library = {};        ///< times of the library's own collectives
    std::vector<Correction> corrections = {};     ///< from measured times of our algorithms
    std::map<std::type_index, std::any> own = {}; ///< see find and set

    /// The parameters of type T; null if not known.
    template <typename T>
    const T* find() const {
        const auto found = own.find(typeid(T));
        return found == own.end() ? nullptr : std::any_cast<T>(&found->second);
    }
    template <typename T>
    void set(T parameters) {
        own[typeid(T)] = std::move(parameters);
    }
};

} // namespace alltold
