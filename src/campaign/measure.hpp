// SPDX-License-Identifier: BSD-3-Clause
// A whole measuring campaign, from MPI's start to its end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "campaign/arrange.hpp"
#include "campaign/director.hpp"
#include "campaign/plan.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::measure {

struct Options {
    std::filesystem::path store = "net.db";
    ClusterWish clusters; ///< for run on a session
    Wishes wishes;
    Goal goal; ///< no sizes are added where `wishes` name them
    double budget_s = 90;
    StartMode start_mode = StartMode::silence; ///< of collectives
    std::uint64_t seed = 1;
    unsigned watchdog_s = 300; ///< a rank that hears nothing for so long gives up
    OnSample on_sample;        ///< rank 0; may be empty
};

/// What rank 0 has to say at the end.
struct Report {
    Outcome outcome;
    Provenance provenance;
};

/// Arranges the ranks, then measures what `options` ask for on all ranks of `session` into the
/// store, which rank 0 alone opens. Collective. Rank 0 gets the report or the error; the others
/// nothing, or when rank 0 had an error before or after measuring, an Error with its status and an
/// empty message. An error of MPI, or one that only another rank has, ends all processes.
Result<std::optional<Report>> run(const mpi::Session& session, const Options& options);

/// The same on ranks already arranged.
Result<std::optional<Report>> run(const Arrangement& arrangement, const Options& options);

/// What rank 0 has in hand while the others wait for its commands.
struct Helm {
    Team& team;
    Campaign& campaign;
    const Provenance& here;
    const ClockQuality& clocks; ///< of the first comparison
    const Watchdog& watchdog;
};

/// Opens the store of `options` and has rank 0 `steer` the visits to points of `plan`, which must
/// be the same on all ranks. Collective. Fails as run does, and as `steer` does.
Status conduct(const Arrangement& arrangement, const Options& options, std::vector<Point> plan,
               const std::function<Status(Helm&)>& steer);

} // namespace alltold::measure
