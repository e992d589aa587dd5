// SPDX-License-Identifier: BSD-3-Clause
// Few rules that choose about what wins.
#pragma once

#include <vector>

#include "predict/rules/decision_table.hpp"
#include "predict/rules/winner_grid.hpp"

namespace alltold {

/// A rule whose sizes end below so many times the first of them is a sliver.
inline constexpr double least_width = 1.25;

/// Rules for neighbouring n and m with a choice that may run at all of them and is at most
/// `request.tolerance` slower than the winner of each, or half as much again where predictions do
/// not tell the two apart. The fewest by bands of n; between sizes of the grid a rule begins where
/// its choice becomes the quicker one, and the library's own runs where none of ours may.
std::vector<Rule> rules_of_grid(const TableRequest& request, const WinnerGrid& grid);

} // namespace alltold
