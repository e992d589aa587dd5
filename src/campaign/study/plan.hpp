// SPDX-License-Identifier: BSD-3-Clause
// What a study measures: the points it fits, and the points it keeps back to be predicted.
#pragma once

#include <cstdint>
#include <vector>

#include "store/campaign.hpp"
#include "topology/clusters.hpp"

namespace alltold::campaign {

/// A study's all-to-all points: every layout at every size. A layout says how many of the first
/// ranks of each cluster take part.
struct StudyPlan {
    std::vector<Clusters> fitted_layouts;   ///< within one cluster; the last is the reference n'
    std::vector<Clusters> held_out_layouts; ///< other process counts, or several clusters at once
    std::vector<std::uint64_t> fitted_sizes;
    std::vector<std::uint64_t> held_out_sizes;
    /// Our algorithms: measured on fewer hosts to learn from, then on all hosts, which are
    /// predicted.
    std::vector<std::string> ours;
    std::vector<Clusters> learnt_layouts; ///< those fewer hosts
    std::vector<std::uint64_t> learnt_sizes;
    std::vector<std::uint64_t> predicted_sizes; ///< on all hosts
    std::uint64_t chosen_bytes = 0;             ///< of the calls for which an algorithm is chosen

    /// Whether the fit may see this point: ping-pongs always, the library's all-to-all when both
    /// its layout and its size are among the fitted ones, ours when both are among the learnt ones.
    bool fits(const Point& point) const;
    std::vector<Clusters> layouts() const;    ///< all of them
    std::vector<std::uint64_t> sizes() const; ///< all of them, ascending
};

/// On one cluster of N hosts: fitted at about N/3 and 2N/3 processes, N/2 and N held out. On
/// several: fitted on half of the first cluster and all of it, held out on half of each and all of
/// each. `hosts` must have at least 2 ranks.
StudyPlan plan_study(const Clusters& hosts);

} // namespace alltold::campaign
