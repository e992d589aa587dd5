// SPDX-License-Identifier: BSD-3-Clause
// Times all candidates, size by size in shuffled rounds, and checks every byte of every repetition;
// the known rates of the links, and the lower bound of a collective.
#pragma once

#include "campaign/arrange.hpp"
#include "campaign/candidates.hpp"
#include "campaign/policy.hpp"
#include "predict/bounds/bounds.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// Payload rates of the links; without a rate there is no bound.
struct Physics {
    ClusterRates goodput_bytes_per_s = 0; ///< of each host, each way; 0: not known
    std::optional<Backbone> backbone;
    std::string source; ///< "the lab's truth"; if the rate is not known, the reason
};

/// From --goodput ("50Mbit") when given, else of `network` (null: not known), that of the profile
/// of this name or, if that is empty, of the lab; for calls on `clusters`. Fails for a bad rate and
/// for a network without one.
Result<Physics> find_physics(const std::string& goodput, const Network* network,
                             const std::string& profile, const Clusters& clusters);

/// The links of the lab we are in (ALLTOLD_LAB_TRUTH); nothing outside one. Fails for a bad file.
Result<std::optional<LinkNetwork>> find_lab_links();

/// The larger of NIC bound and WAN bound of a collective, or in a loop with so much work the least
/// time per call (period_bound_s); empty if no rate is known.
std::optional<double> bound_s(const Specification& specification, const Clusters& clusters,
                              const Physics& physics, std::optional<double> loop_work_s = {});

/// Packets dropped, by kind of queue.
struct Drops {
    std::uint64_t ports = 0;    ///< at switch ports towards hosts
    std::uint64_t backbone = 0; ///< on the ways up and down the backbone
    Drops operator-(const Drops& before) const {
        return {ports - before.ports, backbone - before.backbone};
    }
};

/// Since the lab was built; nothing outside a lab. Local; takes some milliseconds.
std::optional<Drops> dropped_so_far();

struct ComparisonRequest {
    Collective collective = Collective::alltoall;
    int root = 0;
    std::optional<Matrix> matrix;      ///< all-to-all-v only, which needs it
    Clusters clusters = Clusters({1}); ///< of all ranks
    std::string clusters_from;         ///< how they were learned
    std::vector<Candidate> candidates;
    std::vector<std::uint64_t> sizes_bytes;
    int repetitions = 30; ///< of each candidate at each size, not counting the warm-up
    /// Ends the run once every entry has been timed; may be infinite.
    double budget_s = 60;
    /// Candidates slower than this many times the quickest (see too_slow) are not timed again,
    /// except mpi and auto; 0: all are timed to the end.
    double keep_within = 0;
    StartMode start_mode = StartMode::silence;
    BetweenCalls between = {}; ///< of a loop; its seed is drawn from the one below
    std::uint64_t seed = 1;
    bool trace = false; ///< record our algorithms' operations, in repetitions after the timed ones
    unsigned watchdog_s = 300; ///< a rank that receives nothing for this long gives up

    /// The call at one of the sizes.
    Specification specification(std::uint64_t size_bytes) const;
};

/// One candidate at one size.
struct Entry {
    int candidate = 0; ///< index into ComparisonRequest::candidates
    std::uint64_t size_bytes = 0;
    Choice choice = {}; ///< what runs, with everything filled in
    double warmup_s = 0;
    std::vector<double> times_s = {}; ///< as StartMode says, warm-up left out
    std::vector<int> calls = {};      ///< of each of these repetitions; over one in loops
    std::vector<Drops> drops = {}; ///< during each of these and what led to it; empty outside labs
    /// TCP segments that the hosts retransmitted during each of these; empty if not known.
    std::vector<double> retransmitted = {};
    bool dropped_out = false; ///< too slow to be timed again, from some round on
};

/// The result, on rank 0.
struct ComparisonOutcome : EngineStatus {
    std::vector<Entry> entries;    ///< candidates within sizes
    std::vector<CallTrace> traces; ///< of each entry of ours the repetition of median time
    std::vector<std::string> hosts;
    double elapsed_s = 0;
    int checked = 0; ///< repetitions, warm-ups and those taken again included
    bool out_of_time = false;

    /// The entry of a candidate at a size; both must be there.
    const Entry& entry(int candidate, std::uint64_t size_bytes) const;
};

/// Runs it, without a store, as policies/comparison.hpp says. Buffers are filled before and checked
/// after the timed part. Collective over `arrangement.ranks`. Rank 0 gets the outcome, the others
/// nothing. Fails, on all ranks, for a schedule that cannot be made and for the first wrong byte
/// (status `no`); only rank 0's error has a text. Errors of MPI end all processes.
Result<std::optional<ComparisonOutcome>> compare(const Arrangement& arrangement,
                                                 const ComparisonRequest& request);

/// Fills in request.matrix from "skewed", "sparse", "random" (made from request.seed) or from a
/// file that needs to be there for rank 0 only; then request.sizes_bytes too where it is empty.
/// Fails, on all ranks with the text on rank 0, for a bad file and for more bytes than an int of
/// MPI counts. Collective over `world`; of a file two broadcasts.
Status read_matrix(const std::string& word, const mpi::ManagedCommunicator& world,
                   ComparisonRequest& request);

} // namespace alltold::campaign
