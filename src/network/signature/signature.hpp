// SPDX-License-Identifier: BSD-3-Clause
// Equations of an all-to-all by alpha and beta: without contention, with the contention signature
// (SMT07, equations 1 and 3 to 5), and those that SMT07's section 2 cites.
#pragma once

#include "network/hockney/hockney_fit.hpp"

namespace alltold {

/// Contention of an all-to-all, beside the contention-free bound: a ratio gamma on the bandwidth
/// term, and delta seconds per message from M bytes upwards.
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

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, as n - 1 messages one after the
/// other: SMT07 equation 1, (n-1)(alpha + m beta). Proposition 1 makes it the lower bound of a
/// total exchange without forwarding on a homogeneous network.
inline double linear_time_s(const Hockney& network, int n, double size_bytes) {
    return (n - 1) * network.time_s(size_bytes);
}

/// Time of an exchange in which all n >= 1 processes send m bytes at once over one shared medium:
/// SMT07 equation 3 after Clement et al. 1996, alpha + beta m gamma with gamma = n.
inline double clement_time_s(const Hockney& network, int n, double size_bytes) {
    return network.alpha_s + network.beta_s_per_byte * size_bytes * n;
}

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, when contention stretches the
/// bandwidth term by gamma >= 1: SMT07 equation 4, (n-1)(alpha + m beta gamma).
inline double contention_ratio_time_s(const Hockney& network, double gamma, int n,
                                      double size_bytes) {
    return (n - 1) * (network.alpha_s + size_bytes * network.beta_s_per_byte * gamma);
}

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, when the whole of the
/// contention-free time, start-ups too, is stretched by `slowdown` >= 1: Bruck et al. 1997 as cited
/// in SMT07 section 2, slowdown (n-1)(alpha + m beta).
inline double slowdown_time_s(const Hockney& network, double slowdown, int n, double size_bytes) {
    return slowdown * linear_time_s(network, n, size_bytes);
}

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, whose n(n-1) messages pass over
/// `buses` >= 1 in ceil(n(n-1) / buses) waves of alpha + m beta each: Labarta et al. 1996 as cited
/// in SMT07 section 2. With n buses, one per process, it is SMT07 equation 1.
inline double waves_time_s(const Hockney& network, double buses, int n, double size_bytes) {
    return std::ceil(double(n) * (n - 1) / buses) * network.time_s(size_bytes);
}

} // namespace alltold
