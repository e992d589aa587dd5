// SPDX-License-Identifier: BSD-3-Clause
// A description of a network: the parameters of its models, and measured times.
#pragma once

#include "network/cluster/cluster_model.hpp"
#include "network/congestion/congestion_fit.hpp"
#include "network/corrections/lost_corrections.hpp"
#include "network/half_duplex.hpp"
#include "network/links/link_network.hpp"
#include "network/mpi_library.hpp"

namespace alltold {

/// A measured time of a collective that is not ours, m bytes per block: of the library with its own
/// choice of algorithm or with a forced one, or of an algorithm that another benchmark names.
struct LibraryTime {
    Collective collective = Collective::alltoall;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    Estimate time_s;
    std::string algorithm = "mpi"; ///< or "mpi.pipeline segment=8KiB", or "pico.bine_lat_over"
    bool mean_of_ranks = false;    ///< Summary::mean_of_ranks: the call took longer
};

/// The doubts that measured calls raise about the network's parameters and how it was measured.
struct Plausibility {
    /// Calls that take less than their bounds by the fitted rates and latency, by more than these
    /// are known.
    struct Beaten {
        int calls = 0;
        double rate_factor = 1;    ///< ports carry so many times as much as fitted, or more
        double latency_factor = 1; ///< the fitted latency over what it is at most
        bool means = false;        ///< some are means over the ranks
        LibraryTime least;         ///< the one whose time is the least part of its bound
        double least_bound_s = 0;  ///< and that bound
    };
    std::optional<Beaten> beaten = {};
    /// The long exchange between hosts of one rank each that takes the most of its bounds, where
    /// all long ones on as many ranks take far more: there may be several ranks per host.
    struct Slow {
        LibraryTime call;
        double bound_s = 0;
    };
    std::optional<Slow> slow = {};
    /// A call that took time-outs, where no port's buffer is known.
    struct TimedOut {
        LibraryTime call;
        double quick_s = 0;    ///< without them
        double free_bytes = 0; ///< the most that was brought into a port without any
    };
    std::optional<TimedOut> timed_out = {};
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
    Plausibility plausibility = {};
    /// Seconds of work of each rank between the calls of a loop; times of models are then wall
    /// times per call less the work, which no correction may stretch. Empty: each call is alone.
    std::optional<double> loop_work_s = {};

    /// The signature of the cluster of that number. A cluster without one has the first one's, as
    /// all have in profiles that know no other. `alltoall` must be there.
    const SignatureFit& signature_in(int number) const {
        const auto found = alltoall_of_clusters.find(number);
        return found == alltoall_of_clusters.end() ? *alltoall : found->second;
    }
    /// The numbers of a call's clusters, by which signature_in knows them: where clusters differ,
    /// those at the call's place_of.
    std::vector<int> numbers_of(const Clusters& call) const;
    /// Seconds per byte of one contribution, at this value or end of the rate; 0 if not known.
    double combine_s_per_byte(double Estimate::*rate = &Estimate::value) const {
        return combined_bytes_per_s ? 1 / ((*combined_bytes_per_s).*rate) : 0;
    }
};

} // namespace alltold
