// SPDX-License-Identifier: BSD-3-Clause
// What a rules file can hold: the library's algorithms that are known to be faster than its own
// choice.
#pragma once

#include "network/network.hpp"
#include "predict/rules/rule.hpp"
#include "rulefile/target.hpp"

namespace alltold::rulefile {

/// An algorithm of the library for blocks from a size on.
struct ExportedRule {
    std::uint64_t from_bytes = 0; ///< of one block
    Choice choice = {};           ///< of the library's; its own choice where nothing is quicker

    bool operator==(const ExportedRule&) const = default;
};

/// The rules of one collective on communicators of some sizes; the first is for 0 B, and one at
/// least names an algorithm.
struct ExportedBand {
    Collective collective = Collective::alltoall;
    int from_ranks = 2, to_ranks = 2; ///< inclusive
    std::vector<ExportedRule> rules;
};

struct Exported {
    std::vector<ExportedBand> bands; ///< by collective, then by ranks
    std::vector<std::string> notes;  ///< what was left out, and why
};

/// The bands of a table of the library's algorithms (TableRequest::library) on `hosts`. A file
/// knows no clusters: where a communicator may lie in one or in several, only a choice that is the
/// same for all of them is taken. For Open MPI a scatter, gather, scan or exscan needs one choice
/// for all sizes, and a window a version that reads it.
Exported exported(const Network& network, const Clusters& hosts, const Target& target);
/// The same from the table itself.
Exported exported(std::span<const Rule> table, const Clusters& hosts, const Target& target,
                  int most_ranks);

/// The text of a file in which lint() finds nothing.
std::string text_of(const Exported& exported, const Target& target);
/// One format each.
std::string openmpi_classic(const Exported& exported);
std::string openmpi_json(const Exported& exported);
std::string mpich_json(const Exported& exported, const Target& target);

/// A variable of the environment and its value.
struct Setting {
    std::string name, value;
};
/// What makes the library read `file`.
std::vector<Setting> settings_for(const Exported& exported, const Target& target,
                                  const std::string& file);

} // namespace alltold::rulefile
