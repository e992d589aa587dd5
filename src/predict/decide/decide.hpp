// SPDX-License-Identifier: BSD-3-Clause
// Which of several choices runs in place of the MPI library's own.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "predict/call_time.hpp"

namespace alltold {

/// The two numbers by which a user says when another choice may replace the library's own.
struct Terms {
    double worth = 0.03; ///< least expected gain, as a share of the library's time
    double risk = 0.05;  ///< most probability of losing more than `worth`
};

/// One way in which the call may come: from one start, on one spread of its ranks. Ways are as
/// likely as one another.
struct Setting {
    /// Times of the candidates, the library's own first; empty where one is not known.
    std::vector<std::optional<CallTime>> times = {};
    double timeout_s = 0.2; ///< cost of a TCP time-out here
    double work_s = 0;      ///< between the calls of a loop, which a program pays beside each call
};

/// A candidate beside the library's own.
struct Odds {
    double ratio = std::numeric_limits<double>::infinity(); ///< expected time over the library's
    double chance_of_loss = 1; ///< probability of losing more than Terms::worth

    /// Whether the candidate may run on these terms.
    bool may_run(const Terms& terms) const {
        return ratio * (1 + terms.worth) <= 1 && chance_of_loss <= terms.risk;
    }
};

/// The odds of each candidate, from draws of worlds that all of them share: the errors of models
/// and corrections from their joint posterior, rates of links, TCP's windows large or small,
/// time-outs that simulations do not have, repetitions of which a quarter are quick, and the
/// settings. Settings in which the library's time is not known tell nothing. The library's own odds
/// are a ratio of 1 without a chance of loss. Pure, and the same for the same arguments.
std::vector<Odds> odds_of(std::span<const Setting> settings, const Terms& terms = {});

/// Those in one setting, none where the library's time is not known; and over several settings.
std::vector<Odds> odds_in(const Setting& setting, const Terms& terms = {});
std::vector<Odds> mean_of(std::span<const std::vector<Odds>> settings, std::size_t candidates);

/// By how much the candidate at `chosen` is expected to be slower than the quickest of all, in the
/// same worlds, as a share of that one's time; at most 2.
double regret_of(std::span<const Setting> settings, std::size_t chosen);

/// The place of the candidate that costs least on average among those that may run; 0, the
/// library's own, if none may.
std::size_t decide(std::span<const Odds> odds, const Terms& terms = {});

/// The place of the candidate that costs least on average, if that is worth it, at whatever risk:
/// for programs, which try it in blocks of calls before they stay with it.
std::size_t worth_trying(std::span<const Odds> odds, const Terms& terms = {});

} // namespace alltold
