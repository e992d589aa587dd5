// SPDX-License-Identifier: BSD-3-Clause
// The measurement engine: runs the measurements that a policy requests, synchronises clocks,
// handles signals and commits samples.
#pragma once

#include "campaign/arrange.hpp"
#include "campaign/engine/progress.hpp"
#include "campaign/policy.hpp"

namespace alltold::campaign {

/// Rank 0's side of a session, while the others serve. Errors are those of the store and MPI.
class Engine {
  public:
    /// `store` may be null: samples are then observed but not stored.
    Engine(Ranks& ranks, Campaign* store, const Provenance& here, Watchdog& watchdog,
           const ClockQuality& first_comparison);

    /// Runs the measurements of `policy` until there are no more or a rank receives a signal.
    Status run(Policy& policy);
    const EngineStatus& status() const { return status_; }
    double now_s() const { return ranks_.clock().local().now_s(); }
    Campaign& store() const { return *store_; }
    const Provenance& here() const { return here_; }

  private:
    Status measure(Policy& policy, const Measurement& measurement);
    /// Compares clocks every five seconds, less often if that took long, and checks for signals.
    Status between_measurements();
    Status compare();
    Status note_late(const Point& point);

    Ranks& ranks_;
    Campaign* store_;
    const Provenance& here_;
    Watchdog& watchdog_;
    bool counts_retransmissions_; ///< not where one host's counter would count several times
    double compared_s_;           ///< when clocks were last compared
    double comparison_took_s_ = 0;
    Starts starts_;
    std::map<std::string, double> call_s_; ///< as Recorder::call_s
    EngineStatus status_;
    Progress progress_;
};

struct SessionOptions {
    std::filesystem::path store = {}; ///< empty: none
    StartMode start_mode = StartMode::silence;
    std::uint64_t seed = 1;
    unsigned watchdog_s = 300; ///< a rank that receives nothing for this long gives up
    Extras extras = {};
    std::string smaller = "measure smaller sizes with -m"; ///< what to do without memory
};

/// Opens the store, makes communicators and compares clocks; then rank 0 does `work` while the
/// others serve its engine. Collective. Errors of `work` or of the store are returned on rank 0;
/// the others return one with the same status and no text. MPI errors, and errors on other ranks
/// alone, end all processes.
Status with_engine(const Arrangement& arrangement, const SessionOptions& options,
                   const std::function<Status(Engine&)>& work);

} // namespace alltold::campaign
