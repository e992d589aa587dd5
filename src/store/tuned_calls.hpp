// SPDX-License-Identifier: BSD-3-Clause
// The calls to tune, and the candidates for each.
#pragma once

#include "predict/design/elimination.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold {

/// The calls to tune. An empty list means the default.
struct TuneRequest {
    std::vector<Collective> collectives;    ///< of one block size; papers_collectives
    std::vector<Clusters> subsets;          ///< see default_subsets
    std::vector<std::uint64_t> sizes_bytes; ///< 8 B to 1 MiB; a barrier has one size, 0
};

/// TunedCall::stake where predictions do not tell.
inline constexpr double unknown_stake = 2;

/// One call and the elimination among its candidates, whose points are in the same order.
struct TunedCall {
    CollectiveProbe probe;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    std::vector<Choice> choices; ///< mpi is the first
    Elimination elimination;
    /// What the call is expected to lose while none of its candidates was timed, as a share of its
    /// time.
    double stake = unknown_stake;
    double weight = 1; ///< how much the call counts

    Point point(std::size_t candidate) const;
};

/// A third, two thirds and all of the hosts; of several clusters the first alone, then two thirds
/// and all of each.
std::vector<Clusters> default_subsets(const Clusters& hosts);

/// Every call of the request. Its candidates are the library's own choice and the algorithms that
/// the models predict to be fastest: three within 1.5 times the least prediction, five within twice
/// that below 20 ms, eight within five times that below 2 ms; the first two segmented ones also
/// with half and twice their segment. Choices that `measured` holds for the call are candidates as
/// well, and their times count. A candidate that reaches the bound ends the elimination, unless
/// hosts have several ranks.
std::vector<TunedCall> calls_to_tune(const Profile& profile, const TuneRequest& request,
                                     std::span<const PointSamples> measured);

/// One call whose candidates are the library's own, which is timed in any case, and `choices`.
/// Their times in `measured` count.
TunedCall call_among(const Profile& profile, const CollectiveProbe& probe, const Clusters& clusters,
                     std::uint64_t size_bytes, std::span<const Choice> choices,
                     std::span<const PointSamples> measured);

} // namespace alltold
