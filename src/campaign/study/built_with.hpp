// SPDX-License-Identifier: BSD-3-Clause
// Compares a lab's configuration with the measurements.
#pragma once

#include <optional>
#include <string>

#include "store/profile.hpp"

namespace alltold::campaign {

/// The content of a lab's --truth file that ping-pongs can verify.
struct LabTruth {
    std::string text;              ///< "12 hosts, 50 Mbit/s, 64 KiB a switch port"
    double goodput_byte_per_s = 0; ///< of a host's link, headers taken off
    double wan_delay_s = 0;        ///< one way; 0 on one cluster

    /// Fails naming the file and field.
    static Result<LabTruth> read(const std::string& path);
};

/// The fitted rate beside the link's goodput, and the fitted one-way delay of the backbone
/// (inter-cluster latency less local latency) beside the lab's. Nothing when the profile has no
/// ping-pong.
struct Recovered {
    double rate_error = 0; ///< (fitted - built) / built
    std::optional<double> delay_error;
    std::string text; ///< two lines for the page
};
std::optional<Recovered> recovered(const LabTruth& truth, const Profile& profile);

} // namespace alltold::campaign
