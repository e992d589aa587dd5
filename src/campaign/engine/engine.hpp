// SPDX-License-Identifier: BSD-3-Clause
// The one place that times things: has ranks measure what a policy asks for, keeps clocks together,
// listens for signals and commits samples.
#pragma once

#include <filesystem>
#include <functional>

#include "campaign/arrange.hpp"
#include "campaign/engine/progress.hpp"
#include "campaign/policy.hpp"

namespace alltold::campaign {

/// Rank 0's side of a session, while the others serve. Everything fails as the store or MPI does.
class Engine {
  public:
    /// `store` may be null: samples are observed and not kept then.
    Engine(Ranks& ranks, Campaign* store, const Provenance& here, const Watchdog& watchdog,
           const ClockQuality& first_comparison);

    /// Measures what `policy` asks for until it asks for no more or a rank gets a signal.
    Status run(Policy& policy);
    const EngineStatus& status() const { return status_; }
    double now_s() const { return ranks_.clock().local().now_s(); }
    Campaign& store() const { return *store_; }
    const Provenance& here() const { return here_; }

  private:
    Status measure(Policy& policy, const Measurement& measurement);
    /// Compares clocks where that is five seconds ago, and listens for signals.
    Status between_measurements();
    Status compare();
    Status note_late(const Point& point);

    Ranks& ranks_;
    Campaign* store_;
    const Provenance& here_;
    const Watchdog& watchdog_;
    double compared_s_; ///< when clocks were last compared
    Starts starts_;
    EngineStatus status_;
    Progress progress_;
};

struct SessionOptions {
    std::filesystem::path store = {}; ///< empty: none
    StartMode start_mode = StartMode::silence;
    std::uint64_t seed = 1;
    unsigned watchdog_s = 300; ///< a rank that hears nothing for so long gives up
    Extras extras = {};
    std::string smaller = "measure smaller sizes with -m"; ///< what to do without memory
};

/// Opens the store, makes communicators, compares clocks, and has rank 0 do `work` while the others
/// serve its engine. Collective. An error of `work` or of opening the store is rank 0's; the others
/// get one with its status and no text. An error of MPI, or one that only another rank has, ends
/// all processes.
Status with_engine(const Arrangement& arrangement, const SessionOptions& options,
                   const std::function<Status(Engine&)>& work);

} // namespace alltold::campaign
