// SPDX-License-Identifier: BSD-3-Clause
// Labarta's communication waves over a limited number of buses (SMT07, section 2).
#pragma once

#include <cassert>
#include <cstdint>

#include "network/hockney/hockney.hpp"

namespace alltold {

/// Waves in which `messages` ready messages pass over buses >= 1: ceil(messages / buses), Labarta
/// et al. 1996 as cited in SMT07 section 2.
inline std::uint64_t communication_waves(std::uint64_t messages, std::uint64_t buses) {
    assert(buses >= 1);
    return messages / buses + (messages % buses != 0);
}

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, whose n(n-1) messages pass in such
/// waves of alpha + m beta each. With n buses, one per process, it is SMT07 equation 1.
inline double waves_time_s(const Hockney& network, std::uint64_t buses, int n, double size_bytes) {
    const auto processes = static_cast<std::uint64_t>(n);
    const auto waves = communication_waves(processes * (processes - 1), buses);
    return static_cast<double>(waves) * network.time_s(size_bytes);
}

} // namespace alltold
