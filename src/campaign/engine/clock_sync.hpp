// SPDX-License-Identifier: BSD-3-Clause
// Compares every rank's clock with that of rank 0.
#pragma once

#include <string>

#include "campaign/engine/clock.hpp"
#include "campaign/engine/tree.hpp"
#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::campaign {

/// How well the clocks of a group agree; known to the root of the tree.
struct ClockQuality {
    double likely_s = 0;    ///< worst of all ranks, if paths are as long both ways
    double bound_s = 0;     ///< worst of all ranks, whatever the paths
    double worst_drift = 0; ///< largest drift corrected, seconds per second
    double worst_deviation_s =
        0; ///< largest deviation from the offset predicted by the last comparison

    /// The worse of both.
    void merge(const ClockQuality& other);
    /// One line: the method and what it reached.
    std::string text() const;
};

/// Compares the clock of every member of `tree` with its parent's, down the tree: Cristian 1989,
/// the quickest of up to 30 ping-pongs (or as many as take 0.3 s), in the hierarchical order of
/// Hunold and Carpen-Amarie 2018, with the tree's fan-out instead of two. A parent serves one child
/// at a time while the others sleep: on oversubscribed machines this outweighs the lost parallel
/// rounds. Collective over the tree's members on `control`.
Result<ClockQuality> compare_clocks(const mpi::ManagedCommunicator& control, const Tree& tree,
                                    GlobalClock& clock);

} // namespace alltold::campaign
