// SPDX-License-Identifier: BSD-3-Clause
// What precedes a timed collective.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.hpp"

namespace alltold {

/// What precedes every repetition. After silence all ranks start at an agreed instant, from which
/// the time counts; otherwise the time is the longest that any rank spends in the collective.
enum class StartMode : std::uint8_t {
    silence,      ///< nothing: queues are empty and connections idle
    barrier,      ///< MPI_Barrier, as most benchmarks do
    back_to_back, ///< the same collective, untimed
};
/// "silence", "barrier" or "back-to-back".
std::string_view name_of(StartMode start_mode);
/// "a silence", "a barrier" or "the same call".
std::string_view what_precedes(StartMode start_mode);
/// All-to-alls are also measured from another start than a store's other collectives: after a
/// barrier, or after a silence if the others follow something else.
StartMode second_start(StartMode usual);
/// Fails for any other text, naming these.
Result<StartMode> parse_start_mode(std::string_view text);

} // namespace alltold
