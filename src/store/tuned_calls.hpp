// SPDX-License-Identifier: BSD-3-Clause
// Which calls are tuned, and which algorithms race for each.
#pragma once

#include <vector>

#include "predict/elimination.hpp"
#include "predict/tuned_rules.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::tune {

/// The calls to tune. Empty lists stand for the defaults.
struct Wishes {
    std::vector<Collective> collectives;    ///< bcast, scatter, gather, alltoall
    std::vector<Clusters> subsets;          ///< see default_subsets
    std::vector<std::uint64_t> sizes_bytes; ///< 8 B to 1 MiB
};

/// One call and the race for it. The points of its candidates stand in the same order.
struct TunedCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    std::vector<Choice> choices; ///< mpi is the first
    Elimination elimination;

    Point point(std::size_t candidate) const;
};

/// A third, two thirds and all of the hosts; of several clusters the first alone, then two thirds
/// and all of each.
std::vector<Clusters> default_subsets(const Clusters& hosts);

/// Every call wished for. The library's own decision races against what the models predict to be
/// quickest, each time another algorithm: three of up to 1.5 times the least prediction, five of up
/// to twice that below 20 ms, eight of up to five times that below 2 ms; the first two that cut
/// messages with half and twice their segment as well. What `measured` holds of the call takes
/// part, and its times are taken into account. No time is expected below the bound, which ends the
/// race for who reached it, unless hosts have several ranks.
std::vector<TunedCall> calls_of(const Profile& profile, const Wishes& wishes,
                                std::span<const PointSamples> measured);

/// Every call for which `measured` holds times of the library's own decision and of an algorithm of
/// ours, or of the former alone where it reached the bound, with all of ours that were timed among
/// its candidates: what races were about, whatever was wished for then.
std::vector<TunedCall> raced_calls(const Profile& profile, std::span<const PointSamples> measured);

/// The winners of the calls that were timed.
std::vector<Won> winners_of(std::span<const TunedCall> calls);

} // namespace alltold::tune
