// SPDX-License-Identifier: BSD-3-Clause
// The data that the page of a campaign shows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/diff/campaign_diff.hpp"
#include "report/validation.hpp"
#include "store/call_trace.hpp"
#include "store/profile.hpp"

namespace alltold {

/// One call: the collective, its ranks and its size.
struct PageCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
};

/// A campaign and what follows from it. Refers to values of the caller.
struct PageInput {
    std::string campaign; ///< its file, as the user names it
    std::string profile;  ///< the profile's file, for the command to type next; empty if none
    const Profile& fitted;
    std::span<const PointSamples> measured;
    const Validation& validation;          ///< predictions of the measured calls
    const std::vector<std::string>& notes; ///< the campaign's log
    std::string before = {};               ///< an earlier campaign; empty if none
    const CampaignDiff* since = nullptr;   ///< what changed since then; null if none
    const CallTrace* trace = nullptr;      ///< of one call on this network; null if none
    std::string command = "alltold";       ///< how the user calls this program
    std::optional<PageCall> headline = {}; ///< what the first sentence is about; empty: best_gain
    /// What predicted the calls of `validation`; null: `fitted`.
    const Network* predicting = nullptr;
    std::string settings =
        {}; ///< of the MPI library: lines to set, and after "# " why; may be empty
};

} // namespace alltold
