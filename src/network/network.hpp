// SPDX-License-Identifier: BSD-3-Clause
// A description of a network: the parameters of its models, and measured times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "network/cluster/cluster_model.hpp"
#include "network/congestion/congestion_fit.hpp"
#include "network/corrections/lost_corrections.hpp"
#include "network/half_duplex.hpp"
#include "network/hockney/hockney_fit.hpp"
#include "network/links/link_network.hpp"
#include "network/mpi_library.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature_fit.hpp"
#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// A measured time of a collective that is not ours, m bytes per block: of the library with its own
/// choice of algorithm or with a forced one, or of an algorithm that another benchmark names.
struct LibraryTime {
    Collective collective = Collective::alltoall;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    Estimate time_s;
    std::string algorithm = "mpi"; ///< or "mpi.pipeline segment=8KiB", or "pico.bine_lat_over"
};

/// The parameters of a network's models, as far as they are known.
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
    std::optional<PLogP> plogp = {};          ///< between hosts of one cluster
    std::optional<ClusterModel> cluster = {}; ///< the hosts of one cluster and their switch
    std::optional<LinkNetwork> links = {};    ///< ports, their queues, the backbone
    std::vector<LibraryTime> library = {};    ///< times of the library's own collectives
    std::vector<Correction> corrections = {}; ///< from measured times of our algorithms
    /// Within clusters other than the first, whose signature is `alltoall`: by the cluster's
    /// number, those that were fitted. T_C1 and T_C2 of SMT's equations 6 and 7 each have gamma,
    /// delta, M, alpha and beta of their own.
    std::map<int, SignatureFit> alltoall_of_clusters = {};
    std::optional<CongestionFit> congestion = {}; ///< of the library's all-to-all
    std::optional<HalfDuplex> half_duplex = {};   ///< of the library's all-to-all after a barrier
    /// The rate at which a rank combines one contribution to a reduction: the probe "combine".
    /// Without it combining costs nothing.
    std::optional<Estimate> combined_bytes_per_s = {};
    std::optional<LostCorrections> lost_corrections = {}; ///< from another start
    /// Seconds of work of each rank between the calls of a loop; times of models are then wall
    /// times per call less the work, which no correction may stretch. Empty: each call is alone.
    std::optional<double> loop_work_s = {};

    /// The signature of the cluster of that number. A cluster without one has the first one's, as
    /// all have in profiles that know no other. `alltoall` must be there.
    const SignatureFit& signature_in(int number) const {
        const auto found = alltoall_of_clusters.find(number);
        return found == alltoall_of_clusters.end() ? *alltoall : found->second;
    }
    /// Seconds per byte of one contribution, at this value or end of the rate; 0 if not known.
    double combine_s_per_byte(double Estimate::*rate = &Estimate::value) const {
        return combined_bytes_per_s ? 1 / ((*combined_bytes_per_s).*rate) : 0;
    }
};

} // namespace alltold
