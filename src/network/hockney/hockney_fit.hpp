// SPDX-License-Identifier: BSD-3-Clause
// Hockney's point-to-point model, the transmission model of SMT07 section 3, and alpha and beta
// from a ping-pong sweep.
#pragma once

#include "core/statistics.hpp"
#include "network/samples.hpp"

namespace alltold {

/// One message of m bytes takes alpha + m * beta.
struct Hockney {
    double alpha_s = 0;         ///< start-up time, seconds
    double beta_s_per_byte = 0; ///< inverse bandwidth, seconds per byte

    double time_s(double size_bytes) const { return alpha_s + size_bytes * beta_s_per_byte; }
};

struct HockneyFit {
    Estimate alpha_s;         ///< start-up time of the line alpha + m beta
    Estimate beta_s_per_byte; ///< slope of that line
    /// One-way time of the smallest message measured, without its bytes if it exceeds a packet.
    Estimate latency_s;
    double residual_relative = 0; ///< root mean square of (measured - line) / line over the sizes
    double smallest_bytes = 0;    ///< range of sizes it was fitted on
    double largest_bytes = 0;

    std::array<double, 3>
        covariance{}; ///< var(alpha), cov(alpha, beta), var(beta); zero when given, not fitted

    Hockney model() const { return {alpha_s.value, beta_s_per_byte.value}; }
};

/// Fits alpha and beta (SMT07 section 3) to one-way times, by weighted least squares on the
/// medians, relative errors weighing the same at every size; alpha >= 0. Several series of one size
/// are different pairs (Series::group): the median pair is fitted. The intervals are from the
/// bootstrap over pairs and repetitions, which holds the scatter of the medians about the line, and
/// at least as wide as Student's t over the lines of the pairs makes them. Refuses (status `no`),
/// naming the reason, fewer than three sizes, fewer than three repetitions, times that are not
/// positive and finite, sizes that span less than a factor of 8, times that do not grow with size,
/// and times no line tells from noise.
Result<HockneyFit> fit_hockney(std::span<const Series> one_way, std::uint64_t seed = 1);

/// alpha beside a beta that is known from elsewhere, within its interval: least squares of relative
/// residuals; latency_s as above. Refuses fewer than three repetitions and times that are not
/// positive and finite, or none.
Result<HockneyFit> fit_alpha(std::span<const Series> one_way, const Estimate& beta_s_per_byte,
                             std::uint64_t seed = 1);

} // namespace alltold
