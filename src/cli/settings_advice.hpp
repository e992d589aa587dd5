// SPDX-License-Identifier: BSD-3-Clause
// What to do with a setting of the MPI library that gains, beside what alltold's algorithms gain.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "network/start_mode.hpp"
#include "schedule/specification.hpp"
#include "store/campaign.hpp"

namespace alltold::cli {

/// Our quickest algorithm for a call, as a study timed it.
struct OurTime {
    std::string name; ///< without the collective
    double time_s = 0;
};

/// Medians of one size.
struct SettingTimes {
    std::uint64_t size_bytes = 0;
    double default_s = 0, setting_s = 0;
    std::optional<OurTime> ours = {};
};

/// The least median that `measured` has of ours for this call on these hosts, from this start in a
/// study from `usual`; empty if none has three repetitions.
std::optional<OurTime> our_time(std::span<const PointSamples> measured, const Clusters& hosts,
                                StartMode usual, Collective collective, std::uint64_t size_bytes,
                                StartMode start_mode);

/// The line to type and, as comments of the shell, what it gains and what to do then.
std::string settings_advice(const std::string& setting, Collective collective, StartMode start_mode,
                            std::span<const SettingTimes> sizes);

} // namespace alltold::cli
