// SPDX-License-Identifier: BSD-3-Clause
// Races on the network until their winners are known or the budget ends; rules from both.
#pragma once

#include <filesystem>
#include <optional>

#include "campaign/measure.hpp"
#include "store/tuned_calls.hpp"

namespace alltold::tune {

struct Options {
    std::filesystem::path store = "net.db"; ///< of a campaign with single messages at least
    std::filesystem::path profile;          ///< to write
    Wishes wishes;
    measure::ClusterWish clusters;             ///< for verify
    StartMode start_mode = StartMode::silence; ///< what each timing follows
    double budget_s = 60;
    std::uint64_t seed = 1;
};

/// How it went.
struct Report {
    std::vector<TunedCall> calls;
    Profile profile; ///< as saved
    int timings = 0; ///< taken in this session, warm-ups left out
    double elapsed_s = 0;
    measure::Conduct conduct;
    bool out_of_time = false;
};

/// Makes the profile from the store as it is, and its rules: calls that were timed go by the
/// winners of their races, others by the models. Fails where the store cannot be read or the
/// profile not written.
Result<Report> make_tables(const Options& options);

/// Times what the models cannot tell apart on the ranks of `session`, every repetition committed to
/// the store as it is taken, then does what make_tables does. Collective; rank 0 gets the report or
/// the error, as measure::run says. After a signal what is known by then is written.
Result<std::optional<Report>> verify(const mpi::Session& session, const Options& options);

} // namespace alltold::tune
