// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms take part in a comparison, and with which parameters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/link_network.hpp"
#include "predict/choice_table.hpp"
#include "runtime/choice.hpp"

namespace alltold::campaign {

/// One of those compared: an algorithm with its parameters, of ours or of the MPI library's.
struct Entrant {
    Choice choice;
    /// What the choice leaves open is to be found at each size, from `links` where they are known.
    bool open = false;
    std::optional<LinkNetwork> links = {};
    /// Decide at each size in place of `choice`.
    std::shared_ptr<const ChoiceTable> rules = {};

    /// With everything decided and filled in for blocks of size_bytes on the ranks of `clusters`.
    Entrant at(std::uint64_t size_bytes, const Clusters& clusters) const;
    /// "mpi", "bcast.chain_segmented segment=8KiB": as parse_choice reads it; or "auto".
    std::string name() const { return rules ? "auto" : text_of(choice); }
};

/// By which an entrant's open parameters are found: the size of a block, and a long one's for an
/// all-to-all-v, whose sizes no rank knows all of.
std::uint64_t telling_size_bytes(const Specification& specification);

/// What the user asked for.
struct Wanted {
    std::string what; ///< "alltoall", or one algorithm: "alltoall.lg"
    /// Names with commas: "mpi", "mpi.pairwise", ours; "all" of ours; "everything": all of ours and
    /// all that the MPI library can be told to use; "auto": what `rules` say.
    std::string algorithms = "all";
    std::vector<std::vector<Rule>> rules = {}; ///< for auto: the first that covers a call decides
    std::uint64_t segment_bytes = 0;           ///< for those that take one; 0: not given
    int window = 0;                            ///< likewise
    std::optional<int> root;
    bool without_mpi = false; ///< leaves out the reference
};

/// An algorithm that `all` did not take, and why.
struct LeftOut {
    std::string name;
    std::string why;
};

struct Lineup {
    Collective collective = Collective::alltoall;
    int root = 0;
    std::vector<Entrant> entrants; ///< the reference first
    std::vector<LeftOut> left_out;
};

/// What an algorithm that takes a segment or a window gets when none is asked for.
inline constexpr std::uint64_t default_segment_bytes = 8192;
inline constexpr int default_window = 4;
inline constexpr int default_inter_cluster_window = 4;
/// Where nothing is known of the network bytes are counted: what ports of cheap switches hold, and
/// what 100 Mbit carry in 20 ms. Gathers have so many on their way to the root within its cluster,
/// and from each other one (from all where there is one window for near and far); alltoall.paced
/// holds nothing back where no port or backbone gets more. Messages that are small beside that are
/// not held back.
inline constexpr std::uint64_t default_port_bytes = 64 * 1024;
inline constexpr std::uint64_t default_backbone_bytes = 256 * 1024;

/// Whether "auto" is among the algorithms.
bool names_auto(const Wanted& wanted);

/// Fails for a name that is no collective or algorithm and for an algorithm of another collective
/// or of another MPI library than this program's: what can be found out without knowing the ranks.
Status check_names(const Wanted& wanted);

/// Who takes part on the ranks of `clusters`. One of ours gets the segment and window in its own
/// entry, else those of `wanted`, else the defaults, as far as it takes any; one of the library's
/// those in its own entry alone. `all` and `everything` leave out what
/// cannot run here; an algorithm asked for by name that cannot is an error, and so is a segment,
/// window or root that nobody takes. With `links`, alltoall.paced and gathers find what was not
/// asked for from them instead of taking defaults.
Result<Lineup> line_up(const Wanted& wanted, const Clusters& clusters,
                       const std::optional<LinkNetwork>& links = {});

} // namespace alltold::campaign
