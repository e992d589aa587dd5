// SPDX-License-Identifier: BSD-3-Clause
// The network and the rules of a run, from the environment of rank 0.
#pragma once

#include "network/network.hpp"
#include "predict/rules/rule.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold {

/// The network of the profile ALLTOLD_PROFILE on every rank of `comm`: its rank 0 reads the file,
/// once per process, and broadcasts it. Null where it is not set. Collective. Fails alike on all
/// ranks, without a code, for a file that cannot be read or is no profile, and as MPI does, with
/// its code.
Result<std::shared_ptr<const Network>> network_of_environment(MPI_Comm comm);

/// The profile ALLTOLD_PROFILE as this process reads it, under its path; none where it is not set.
Result<std::vector<mpi::NamedText>> read_profile_text();

/// Rules in the order in which they are asked: the user's own, then the profile's.
using RuleSources = std::vector<std::vector<Rule>>;

/// The rules of ALLTOLD_RULES (a file, or with a "=" in it rules themselves) and of the profile
/// ALLTOLD_PROFILE, the same on every rank of `comm`: its rank 0 reads them, once per process, and
/// broadcasts them. Collective. Fails alike on all ranks where neither is set, and for what cannot
/// be read or is no rule, and as MPI does.
Result<std::shared_ptr<const RuleSources>> rules_of_environment(MPI_Comm comm);

/// The two steps of rules_of_environment, without communication: the texts of ALLTOLD_RULES as this
/// process reads it and of `profiles`, roots of which there may be one, and the rules in them.
Result<std::vector<mpi::NamedText>> read_rule_sources(const std::vector<JsonCursor>& profiles);
Result<std::shared_ptr<const RuleSources>>
parse_rule_sources(const std::vector<mpi::NamedText>& texts);

} // namespace alltold
