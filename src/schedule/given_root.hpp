// SPDX-License-Identifier: BSD-3-Clause
// The root that a user gives for a call.
#pragma once

#include <optional>

#include "core/result.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// Rank 0 where none is given. Fails, naming --root, where one is given to a collective without
/// root, or is no rank.
Result<int> given_root(Collective collective, int ranks, std::optional<int> root);

} // namespace alltold
