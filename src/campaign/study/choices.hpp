// SPDX-License-Identifier: BSD-3-Clause
// The rules' choices for calls on all hosts, compared with the MPI library's own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/median.hpp"
#include "schedule/specification.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// One call and what algorithm auto would run for it; times once they are known.
struct ChosenCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    std::string algorithm = "mpi"; ///< as a choice is written
    double bound_s = 0;            ///< 0 where no rate is known
    Estimate chosen_s{}, library_s{};
    bool timed = false;

    std::string name() const { return std::string(name_of(collective)); }
};

/// A broadcast, a scatter, a gather and an all-to-all on all of the profile's hosts, by its rules.
std::vector<ChosenCall> chosen_calls(const Profile& profile,
                                     std::span<const std::uint64_t> sizes_bytes);

/// Takes what `measured` holds of them.
void add_times(std::span<ChosenCall> calls, std::span<const PointSamples> measured);

/// One line a call: what was chosen, its time, the library's, the ratio, the time over the bound.
std::string choice_table(std::span<const ChosenCall> calls);

nlohmann::ordered_json choices_to_json(std::span<const ChosenCall> calls);

} // namespace alltold::campaign
