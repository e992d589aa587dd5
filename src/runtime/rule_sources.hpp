// SPDX-License-Identifier: BSD-3-Clause
// The rules of this run, from the environment of rank 0.
#pragma once

#include <memory>
#include <vector>

#include <mpi.h>

#include "predict/rules/rule.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold {

/// Rules in the order in which they are asked: the user's own, then the profile's.
using RuleSources = std::vector<std::vector<Rule>>;

/// The rules of ALLTOLD_RULES (a file, or with a "=" in it rules themselves) and of the profile
/// ALLTOLD_PROFILE, the same on every rank of `comm`: its rank 0 reads them, once per process, and
/// broadcasts them. Collective. Fails alike on all ranks where neither is set, and for what cannot
/// be read or is no rule, and as MPI does.
Result<std::shared_ptr<const RuleSources>> rules_of_environment(MPI_Comm comm);

/// The same in two steps, without communication: what this process reads of ALLTOLD_RULES and takes
/// from `profiles`, of which there may be one, and what it says.
Result<std::vector<mpi::NamedText>> read_rule_sources(const std::vector<mpi::NamedText>& profiles);
Result<std::shared_ptr<const RuleSources>>
parse_rule_sources(const std::vector<mpi::NamedText>& texts);

} // namespace alltold
