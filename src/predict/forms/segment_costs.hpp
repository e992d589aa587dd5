// SPDX-License-Identifier: BSD-3-Clause
// What the segments of a message cost the ranks along a pipeline that combines.
#pragma once

#include <algorithm>

#include "network/rounds.hpp"
#include "predict/forms/closed_forms.hpp"

namespace alltold {

/// Every segment takes two ports a gap g(s), and then a processor its combination, s gamma, where
/// gamma is in seconds per byte. The larger segments go first.
class SegmentCosts {
  public:
    SegmentCosts(const PLogP& network, double combine_s_per_byte, const SegmentSizes& segments)
        : latency_s_(network.L_s.value), larger_(segments.larger),
          smaller_(segments.count - segments.larger), gap_s_{network.g_s(segments.larger_bytes),
                                                             network.g_s(segments.smaller_bytes())},
          combine_s_{segments.larger_bytes * combine_s_per_byte,
                     segments.smaller_bytes() * combine_s_per_byte} {}

    /// The first segment from one rank to the next: L + g(s).
    double hop_s() const { return latency_s_ + gap_s_.larger; }
    /// The same with its combination there: L + g(s) + s gamma.
    double combining_hop_s() const { return hop_s() + combine_s_.larger; }
    /// The same for the last segment, without combination.
    double last_hop_s() const { return latency_s_ + gap_s_.smaller; }
    /// A port is busy with all segments so long: g(s) k.
    double gaps_s() const { return sum_s(gap_s_); }
    /// A processor is: m gamma.
    double combinations_s() const { return sum_s(combine_s_); }
    /// From the first segment to the last at a port, or a processor.
    double later_gaps_s() const { return gaps_s() - gap_s_.larger; }
    double later_combinations_s() const { return combinations_s() - combine_s_.larger; }
    /// All segments through a port and then a processor, and the other way round.
    double received_and_combined_s() const { return through_s(gap_s_, combine_s_); }
    double combined_and_sent_s() const { return through_s(combine_s_, gap_s_); }

    /// Whether ports are slower than processors for all segments, or faster for all, and no later
    /// segment is slower than an earlier one: then the sums of a pipeline have no other competitor.
    bool have_one_bottleneck() const {
        return gap_s_.larger >= gap_s_.smaller &&
               (gap_s_.larger >= combine_s_.larger) == (gap_s_.smaller >= combine_s_.smaller);
    }

  private:
    struct Cost {
        double larger, smaller; ///< of one segment
    };

    double sum_s(const Cost& cost) const { return larger_ * cost.larger + smaller_ * cost.smaller; }
    /// Two machines, one after the other: the last segment is through when one segment has gone
    /// from the first to the second at once, with all earlier ones before it there, and all later
    /// ones after it here. The sum is largest at an end of one of the two sizes.
    double through_s(const Cost& first, const Cost& second) const {
        double most_s =
            std::max(first.larger + sum_s(second),
                     larger_ * first.larger + second.larger + smaller_ * second.smaller);
        if (smaller_ > 0)
            most_s = std::max({most_s,
                               larger_ * first.larger + first.smaller + smaller_ * second.smaller,
                               sum_s(first) + second.smaller});
        else
            most_s = std::max(most_s, sum_s(first) + second.larger);
        return most_s;
    }

    double latency_s_;
    double larger_, smaller_; ///< how many
    Cost gap_s_, combine_s_;
};

inline SegmentCosts costs_of(const PLogP& network, const CallShape& call) {
    return {network, call.combine_s_per_byte,
            SegmentSizes::of(call.size_bytes, call.segment_bytes)};
}

} // namespace alltold
