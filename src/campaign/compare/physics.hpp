// SPDX-License-Identifier: BSD-3-Clause
// The known rates of the links, and the lower bound of a collective.
#pragma once

#include "predict/bounds/bounds.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// Payload rates of the links; without a rate there is no bound.
struct Physics {
    double goodput_bytes_per_s = 0; ///< of each host, each way; 0: not known
    std::optional<Backbone> backbone;
    std::string source; ///< "the lab's truth"; if the rate is not known, the reason
};

/// From --goodput ("50Mbit") when given, else from `profile` (null: none), which was read from
/// `file`, else from the truth file of the lab we are in (ALLTOLD_LAB_TRUTH), else nothing. Fails
/// for a bad rate and for a profile or truth file without one.
Result<Physics> find_physics(const std::string& goodput, const Profile* profile,
                             const std::string& file);

/// Rates, delays and buffers of the links from the truth file of the lab we are in; nothing outside
/// one. Fails for a bad file.
Result<std::optional<LinkNetwork>> find_lab_links();

/// The larger of NIC bound and WAN bound of a collective, or in a loop with so much work the least
/// time per call (period_bound_s); empty if no rate is known.
std::optional<double> bound_s(const Specification& specification, const Clusters& clusters,
                              const Physics& physics, std::optional<double> loop_work_s = {});

} // namespace alltold::campaign
