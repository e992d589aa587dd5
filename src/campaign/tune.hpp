// SPDX-License-Identifier: BSD-3-Clause
// Successive elimination on the network until the winners are known or the budget ends; rules from
// both.
#pragma once

#include <filesystem>
#include <optional>

#include "campaign/arrange.hpp"
#include "campaign/policy.hpp"
#include "runtime/mpi/session.hpp"
#include "store/tuned_calls.hpp"

namespace alltold::campaign {

struct TuneOptions {
    std::filesystem::path store = "net.db"; ///< of a campaign with single messages at least
    std::filesystem::path profile;          ///< to write
    TuneRequest request;
    ClusterRequest clusters;                   ///< for tune_on
    StartMode start_mode = StartMode::silence; ///< what each timing follows
    double budget_s = 60;
    std::uint64_t seed = 1;
};

/// How it went.
struct TuneReport : EngineStatus {
    std::vector<TunedCall> calls;
    Profile profile; ///< as saved
    int timings = 0; ///< taken in this session, warm-ups left out
    double elapsed_s = 0;
    bool out_of_time = false;
};

/// Makes the profile from the store as it is, and its rules: calls that were timed go by the
/// winners of their eliminations, others by the models. Fails where the store cannot be read or the
/// profile not written.
Result<TuneReport> make_tables(const TuneOptions& options);

/// Times what the models cannot tell apart on the ranks of `session`, every repetition committed to
/// the store as it is taken, then does what make_tables does. Collective; rank 0 gets the report or
/// the error, as measure says. After a signal what is known by then is written.
Result<std::optional<TuneReport>> tune_on(const mpi::Session& session, const TuneOptions& options);

} // namespace alltold::campaign
