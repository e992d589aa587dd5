// SPDX-License-Identifier: BSD-3-Clause
// Rules of Open MPI's component tuned, and what is wrong with any of them whatever the format.
#pragma once

#include <limits>

#include "rulefile/lint.hpp"

namespace alltold::rulefile {

/// A collective as Open MPI numbers and names it.
struct OpenMpiCollective {
    int id;
    std::string_view name;
    std::vector<std::string_view> algorithms; ///< from 1 on; empty: no rules are looked up
    /// The key of its rules: bytes times ranks, else bytes alone.
    bool times_ranks = false;
};

/// All of them, by id.
std::span<const OpenMpiCollective> openmpi_collectives();
const OpenMpiCollective* openmpi_collective(std::string_view name);
/// How many algorithms of a collective a version has; of an unknown version all that any has.
int algorithm_count(const OpenMpiCollective& collective, const Target& target);

/// For messages from a size on.
struct OpenMpiRule {
    static constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();
    int line = 0;
    std::uint64_t from_bytes = 0, to_bytes = endless; ///< inclusive
    int algorithm = 0;                                ///< 0: as the library decides itself
    std::uint64_t segment_bytes = 0;
    int requests = 0;
};

/// The rules of some communicator sizes.
struct OpenMpiRanks {
    int line = 0;
    std::int64_t from_ranks = 0, to_ranks = std::numeric_limits<int>::max(); ///< inclusive
    std::vector<OpenMpiRule> rules;
};

struct OpenMpiRules {
    int line = 0;
    const OpenMpiCollective* collective = nullptr;
    std::vector<OpenMpiRanks> ranks;
};

/// Finds what a library would do with these rules against their author's intention.
void check_meaning(const OpenMpiRules& rules, const Target& target, Findings& findings);

} // namespace alltold::rulefile
