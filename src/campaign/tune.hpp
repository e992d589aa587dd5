// SPDX-License-Identifier: BSD-3-Clause
// Successive elimination on the network until the winners are known or the budget ends; rules from
// both.
#pragma once

#include "campaign/arrange.hpp"
#include "campaign/policy.hpp"
#include "runtime/mpi/session.hpp"
#include "store/tuned_calls.hpp"

namespace alltold::campaign {

struct TuneOptions {
    std::filesystem::path store = "net.db"; ///< of a campaign with at least single messages
    std::filesystem::path profile;          ///< to write
    TuneRequest request;
    ClusterRequest clusters;                   ///< for tune_on
    StartMode start_mode = StartMode::silence; ///< what each timing follows
    double budget_s = 60;
    std::uint64_t seed = 1;
};

/// The result of a tuning.
struct TuneReport : EngineStatus {
    std::vector<TunedCall> calls;
    Profile profile;    ///< as saved
    std::string advice; ///< forced_advice
    int timings = 0;    ///< taken in this session, warm-ups left out
    double elapsed_s = 0;
    bool out_of_time = false;
};

/// Times the candidates that the models cannot distinguish on the ranks of `session`, commits every
/// repetition to the store at once, then makes the profile and its rules from the store: timed
/// calls use the winners of their eliminations, others the models. Fails if the store cannot be
/// read or the profile cannot be written. Collective; rank 0 gets the report or the error, as with
/// measure. After a signal it writes what is known by then.
Result<std::optional<TuneReport>> tune_on(const mpi::Session& session, const TuneOptions& options);

} // namespace alltold::campaign
