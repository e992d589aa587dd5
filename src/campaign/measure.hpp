// SPDX-License-Identifier: BSD-3-Clause
// Measures a network into a store.
#pragma once

#include "campaign/arrange.hpp"
#include "campaign/plan.hpp"
#include "campaign/policies/calibrate.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {

struct MeasureOptions : CalibrateOptions {
    std::filesystem::path store = "net.db";
    ClusterRequest clusters;
    Request request;           ///< no sizes are added to those it names
    unsigned watchdog_s = 300; ///< a rank that receives nothing for this long gives up
};

/// The result, on rank 0.
struct MeasureReport : EngineStatus {
    std::vector<PointProgress> points; ///< every point of the plan and why it stopped
    int samples = 0;                   ///< taken in this session, warm-ups included
    double elapsed_s = 0;
    Provenance provenance;
};

/// Arranges the ranks, then runs the measurements of `options` on all ranks of `session` and stores
/// them; rank 0 alone opens the store. Collective. Rank 0 gets the report or the error. The others
/// get nothing or, if rank 0 failed before or after measuring, an Error with its status and an
/// empty message. MPI errors, and errors on other ranks alone, end all processes.
Result<std::optional<MeasureReport>> measure(const mpi::Session& session,
                                             const MeasureOptions& options);

} // namespace alltold::campaign
