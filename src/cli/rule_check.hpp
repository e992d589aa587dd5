// SPDX-License-Identifier: BSD-3-Clause
// Proves that a library follows a rules file, by the messages that its collectives send.
#pragma once

#include "rulefile/exported.hpp"

namespace alltold::cli {

/// The outcome for one rule.
struct CheckedRule {
    enum class Verdict : std::uint8_t {
        in_effect,   ///< as when the algorithm is forced, and not as without the file
        like_before, ///< the messages are the same with the file, forced and without it
        ignored,     ///< not those of the forced algorithm
        read         ///< MPICH, which counts no messages: every rank has the file in memory
    };
    Collective collective = Collective::alltoall;
    int ranks = 0;
    std::uint64_t size_bytes = 0; ///< of one block
    std::string algorithm;
    Verdict verdict = Verdict::ignored;
};

/// Starts the launcher, a command line without a program, for one call of each rule that covers its
/// number of ranks: with the file's settings, without them, and for Open MPI with the algorithm
/// forced. Fails where the launcher does, where no rule covers its ranks, and where Open MPI lacks
/// its component monitoring.
Result<std::vector<CheckedRule>> check_rules(const rulefile::Exported& exported,
                                             const rulefile::Target& target,
                                             const std::string& file,
                                             const std::vector<std::string>& launcher);

} // namespace alltold::cli
