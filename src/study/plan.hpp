// SPDX-License-Identifier: BSD-3-Clause
// What a study measures: the points it fits, and the points it keeps back to be predicted.
#pragma once

#include <cstdint>
#include <vector>

#include "store/campaign.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// A study's all-to-all points: every layout at every size. A layout says how many of the first
/// ranks of each cluster take part.
struct StudyPlan {
    std::vector<Clusters> fitted_layouts;   ///< within one cluster; the last is the reference n'
    std::vector<Clusters> held_out_layouts; ///< other process counts, or several clusters at once
    std::vector<std::uint64_t> fitted_sizes;
    std::vector<std::uint64_t> held_out_sizes;
    /// Our algorithms, on all hosts, at these sizes; none of them is fitted.
    std::vector<std::string> ours;
    std::vector<std::uint64_t> sizes_of_ours;

    /// Whether the fit may see this point: ping-pongs always, an all-to-all when both its layout
    /// and its size are among the fitted ones.
    bool fits(const Point& point) const;
    std::vector<Clusters> layouts() const;    ///< all of them
    std::vector<std::uint64_t> sizes() const; ///< all of them, ascending
};

/// On one cluster of N hosts: fitted at about N/3 and 2N/3 processes, N/2 and N held out. On
/// several: fitted on half of the first cluster and all of it, held out on half of each and all of
/// each. `hosts` must have at least 2 ranks.
StudyPlan plan_study(const Clusters& hosts);

} // namespace alltold
