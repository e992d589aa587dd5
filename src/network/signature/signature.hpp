// SPDX-License-Identifier: BSD-3-Clause
// The contention signature of a network (SMT07, equations 4 and 5).
#pragma once

#include "network/hockney/hockney.hpp"

namespace alltold {

/// What all-to-all adds to the contention-free bound: a ratio gamma on the bandwidth term, and
/// delta seconds per message from M bytes upwards.
struct Signature {
    double gamma = 1;           ///< contention ratio, at least 1
    double delta_s = 0;         ///< start-up cost per message, seconds, at least 0
    double threshold_bytes = 0; ///< M: delta is paid by messages of at least this size
};

/// Time of an all-to-all of n processes, m bytes per pair: SMT07 equation 5,
/// (n-1)(alpha + m beta gamma + [m >= M] delta). With delta = 0 it is equation 4.
inline double alltoall_time_s(const Hockney& network, const Signature& signature, int n,
                              double size_bytes) {
    const double delta_s = size_bytes >= signature.threshold_bytes ? signature.delta_s : 0;
    const double per_message_s =
        network.alpha_s + size_bytes * network.beta_s_per_byte * signature.gamma + delta_s;
    return (n - 1) * per_message_s;
}

} // namespace alltold
