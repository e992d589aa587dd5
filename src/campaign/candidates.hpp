// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms take part in a comparison, and with which parameters.
#pragma once

#include "predict/rules/choice_table.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold::campaign {

/// One of those compared: an algorithm with its parameters, of ours or of the MPI library's.
struct Candidate {
    Choice choice;
    /// `resolve` completes the choice at each call for `network`. Otherwise the choice is complete:
    /// a window of 0 means no limit.
    bool open = false;
    std::shared_ptr<const Network> network = {};       ///< null: from bytes
    std::shared_ptr<SimulationCache> simulations = {}; ///< of searches; null where not open
    std::shared_ptr<const ChoiceTable> rules = {};     ///< decide in place of `choice`

    /// With everything decided and filled in for a call on the ranks of `clusters`. Fails as
    /// `resolve` does.
    Result<Choice> at(const Specification& specification, const Clusters& clusters) const;
    /// "mpi", "bcast.chain_segmented segment=8KiB": as parse_choice reads it; or "auto".
    std::string name() const { return rules ? "auto" : text_of(choice); }
};

/// What the user asked for.
struct CandidateRequest {
    std::string what; ///< "alltoall", or one algorithm: "alltoall.lg"
    /// Names with commas: "mpi", "mpi.pairwise", ours; "all" of ours; "everything": all of ours and
    /// all that the MPI library can be forced to use; "auto": the choice of `rules`.
    std::string algorithms = "all";
    std::vector<std::vector<Rule>> rules = {}; ///< for auto: the first that covers a call decides
    StartMode start_mode = StartMode::silence; ///< what calls follow
    Parameters parameters = {};                ///< for those that take them
    std::optional<int> root;
    bool without_mpi = false; ///< leaves out the reference
};

/// An algorithm that `all` did not take, and why.
struct OmittedAlgorithm {
    std::string name;
    std::string why;
};

struct CandidateSet {
    Collective collective = Collective::alltoall;
    int root = 0;
    std::vector<Candidate> candidates; ///< the reference first
    std::vector<OmittedAlgorithm> left_out;
};

/// The collective of what was asked for. Fails for a name that begins with none.
Result<Collective> collective_of(const CandidateRequest& request);

/// Whether "auto" is among the algorithms.
bool names_auto(const CandidateRequest& request);

/// Checks all that does not depend on the ranks: fails for a name that is no collective or
/// algorithm, and for an algorithm of another collective or MPI library.
Status check_names(const CandidateRequest& request);

/// The candidates on the ranks of `clusters`. Our algorithms take the parameters of their own
/// entry, else those of `request` if they accept any; `resolve` completes the rest at each call
/// from `network`, which may be null. The library's algorithms take those of their own entry alone.
/// `all` and `everything` leave out algorithms that cannot run here. A named algorithm that cannot
/// run is an error, and so is a parameter or root that no candidate takes.
Result<CandidateSet> select_candidates(const CandidateRequest& request, const Clusters& clusters,
                                       std::shared_ptr<const Network> network = {});

} // namespace alltold::campaign
