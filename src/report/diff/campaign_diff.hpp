// SPDX-License-Identifier: BSD-3-Clause
// The changes between two campaigns beyond noise.
#pragma once

#include <nlohmann/json.hpp>

#include "store/campaign.hpp"

namespace alltold {

/// One point measured by both campaigns.
struct PointChange {
    Point point;
    Estimate before_s, after_s; ///< medians with 95 % intervals
    double log_ratio = 0;       ///< of the medians, after over before
};

/// Points that something in the network slows down or speeds up together.
struct GroupChange {
    std::string what; ///< "alltoall between clusters, 16 KiB and more"
    int points = 0;
    Estimate log_ratio; ///< symmetric_centre over the points, 95 %
    double p = 1;       ///< signed ranks of the points
};

/// The relative change; infinite where it is not known.
double change_of(double log_ratio);

enum class Change { none, slower, faster };

/// "none", "slower", "faster"
std::string_view name_of(Change change);

/// The result of a comparison. A group has a verdict if its p is below its share and its change is
/// at least the threshold.
struct CampaignDiff {
    std::vector<GroupChange> groups;
    std::vector<PointChange> points;
    double threshold = 0.1;
    /// The largest p-value that counts: with it, all comparisons together raise a false alarm in at
    /// most 1 of 20 (Holm).
    double largest_p = 0;
    int only_before = 0, only_after = 0; ///< points that one campaign lacks
    std::vector<std::string> warnings;

    Change change(double log_ratio, double p) const;
    bool regressed() const;
};

/// Compares the points that both measured, times lower being better. Groups are tested by their
/// points. The test needs only that points without a change are as often slower as faster, so it
/// holds for times with time-outs and for noise that differs between campaigns. A single point has
/// no verdict: between campaigns it drifts by more than its repetitions scatter. `threshold` > 0:
/// the relative change of time that matters.
CampaignDiff compare_campaigns(std::span<const PointSamples> before,
                               std::span<const PointSamples> after, double threshold);

/// The changes, at most 100 columns.
std::string diff_text(const CampaignDiff& diff);
nlohmann::ordered_json diff_to_json(const CampaignDiff& diff);

} // namespace alltold
