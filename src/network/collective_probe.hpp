// SPDX-License-Identifier: BSD-3-Clause
// The probe of a collective: which one, and what precedes its repetitions.
#pragma once

#include "schedule/specification.hpp"

namespace alltold {

/// The pattern in which every repetition calls its collective. After silence all ranks start at an
/// agreed instant, from which the time counts; after a barrier the time is the longest that any
/// rank spends in the collective; in a loop it is the wall time per call of the slowest rank.
enum class StartMode : std::uint8_t {
    silence, ///< nothing precedes a call: queues are empty and connections idle
    barrier, ///< MPI_Barrier precedes it, as in most benchmarks
    loop,    ///< call follows call
};
/// "silence", "barrier" or "loop".
std::string_view name_of(StartMode start_mode);
/// "after a silence", "after a barrier" or "in a loop".
std::string_view in_words(StartMode start_mode);
/// All-to-alls are also measured from another start than a store's other collectives: after a
/// barrier, or after a silence if the others follow something else.
StartMode second_start(StartMode usual);
/// Fails for any other text, naming these.
Result<StartMode> parse_start_mode(std::string_view text);

/// Written "alltoall"; or "barrier:alltoall" if the repetitions have another start mode than the
/// store's other collectives (Provenance::start_mode), and then only corrections are fitted to it;
/// or "within:alltoall" for the ranks of one cluster other than the first, from Point::first_rank
/// on, and then only the cluster's signature is fitted to it.
struct CollectiveProbe {
    Collective collective = Collective::alltoall;
    std::optional<StartMode> start_mode = {};
    bool within = false; ///< then without a start mode of its own

    bool operator==(const CollectiveProbe&) const = default;
    /// Empty for another probe.
    static std::optional<CollectiveProbe> parse(std::string_view text);
    std::string text() const;
};

/// The event that a probe's repetitions follow in a store whose others follow `usual`.
StartMode start_mode_of(std::string_view probe, StartMode usual);

} // namespace alltold
