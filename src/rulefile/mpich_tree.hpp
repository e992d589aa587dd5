// SPDX-License-Identifier: BSD-3-Clause
// MPICH's selection tree: conditions, of which the first that holds is followed, and algorithms.
#pragma once

#include "rulefile/target.hpp"

namespace alltold::rulefile {

/// "comm_size<=8", with the branches below it; an algorithm has its parameters there.
struct MpichNode {
    std::string key;
    std::vector<MpichNode> branches = {};

    /// The branch of that key, made if there is none.
    MpichNode& branch(std::string_view of);
    const MpichNode* find(std::string_view of) const;
};

/// The whole tree that MPICH has built in, since a file replaces all of it.
MpichNode mpich_defaults(const Target& target);
/// "alltoall inter -> inter_pairwise_exchange", one a line.
std::string_view mpich_default_lines();

/// Whether MPICH of this version has the algorithm for a blocking collective. Those of nonblocking
/// ones are not listed and count as known.
bool mpich_has(std::string_view algorithm, const Target& target);
/// "MPIR_Alltoall_" of "alltoall".
std::string mpich_prefix(std::string_view collective);

/// As the library reads it.
std::string text_of(const MpichNode& tree);

} // namespace alltold::rulefile
