// SPDX-License-Identifier: BSD-3-Clause
// The data that the page of a campaign shows, and its measured calls: the library's time and the
// best of ours, over the bound.
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
    /// The network that predicted the calls of `validation`; null: that of `fitted`.
    const Network* predicting = nullptr;
    /// Lines that set up the MPI library, and after "# " why; may be empty.
    std::string settings = {};
};

/// One call: the collective, what its repetitions follow, its ranks and its size.
struct CallTimes {
    Collective collective = Collective::bcast;
    std::optional<StartMode> start_mode = {}; ///< as ValidatedPoint's
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    double bound_s = 0; ///< 0: not known
    /// A measured time is below it, so the links' rates are not known well enough; bound_s is 0.
    bool bound_wrong = false;
    const ValidatedPoint* library = nullptr; ///< null: not measured
    const ValidatedPoint* ours = nullptr;    ///< our quickest that was measured; null: none

    /// The library's median over that of ours; 0 where one is missing.
    double gain() const {
        return library && ours ? library->measured_s.value / ours->measured_s.value : 0;
    }
};

/// Every call of which some time was measured, by collective, start, number of ranks and size.
std::vector<CallTimes> call_times(const PageInput& input);

/// Time over bound, at least 1, since bounds are known to a few percent only; 0 where the bound is
/// not known.
double over_bound(const Estimate& time_s, double bound_s);

/// The call with the largest gain over the library among those from the usual start on the most
/// ranks whose medians have three repetitions or more; null if none gains 5 %.
const CallTimes* best_gain(std::span<const CallTimes> calls);

} // namespace alltold
