// SPDX-License-Identifier: BSD-3-Clause
// What the oracle tries of each kind of collective. The communicator's algorithm is chosen.
#pragma once

#include <string>

#include "world.hpp"

namespace oracle {

/// Blocks of one size, by the collective's name.
void block_cases(const World& world, const std::string& collective);
/// All-to-all-v and the vector forms that run as one.
void vector_cases(const World& world);
/// Allgatherv, of equal blocks in any places and of others.
void allgatherv_cases(const World& world);
/// Reductions, by the collective's name.
void reduction_cases(const World& world, const std::string& collective);
void barrier_cases(const World& world);

} // namespace oracle
