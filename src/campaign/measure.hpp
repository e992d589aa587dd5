// SPDX-License-Identifier: BSD-3-Clause
// Measures a network into a store.
#pragma once

#include <filesystem>
#include <optional>

#include "campaign/arrange.hpp"
#include "campaign/plan.hpp"
#include "campaign/policies/calibrate.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {

struct MeasureOptions : CalibrateOptions {
    std::filesystem::path store = "net.db";
    ClusterRequest clusters;
    Request request;           ///< no sizes are added to those it names
    unsigned watchdog_s = 300; ///< a rank that hears nothing for so long gives up
};

/// What rank 0 has to say at the end.
struct MeasureReport : EngineStatus {
    std::vector<PointProgress> points; ///< every point of the plan and why it stopped
    int samples = 0;                   ///< taken in this session, warm-ups included
    double elapsed_s = 0;
    Provenance provenance;
};

/// Arranges the ranks, then measures what `options` ask for on all ranks of `session` into the
/// store, which rank 0 alone opens. Collective. Rank 0 gets the report or the error; the others
/// nothing, or when rank 0 had an error before or after measuring, an Error with its status and an
/// empty message. An error of MPI, or one that only another rank has, ends all processes.
Result<std::optional<MeasureReport>> measure(const mpi::Session& session,
                                             const MeasureOptions& options);

} // namespace alltold::campaign
