// SPDX-License-Identifier: BSD-3-Clause
// gamma, delta and M from measured all-to-all times, and whether the older models do better.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fit/series.hpp"
#include "model/estimate.hpp"
#include "model/hockney.hpp"
#include "model/signature.hpp"

namespace alltold {

/// How one model does on points it was not fitted to.
struct ModelScore {
    std::string name;         ///< "signature", "gamma", "linear", "clement"
    double leave_one_out = 0; ///< median of |predicted - measured| / measured, each point left out
    double leave_one_out_worst = 0;
};

/// Whether the reference run saturated the network, without which its signature does not carry over
/// to other n (the Myrinet case of SMT07 section 6.3).
enum class Saturation { saturated, not_saturated, unknown };

struct SignatureFit {
    Hockney network;          ///< the alpha and beta it is relative to
    Estimate gamma;           ///< at least 1
    Estimate delta_s;         ///< at least 0
    Estimate threshold_bytes; ///< M
    std::array<double, 3>
        covariance{};             ///< var(gamma), cov(gamma, delta), var(delta), at the chosen M
    double residual_relative = 0; ///< spread of measured / fitted about 1 at the reference n
    int reference_n = 0;          ///< n' of SMT07: the process count it was fitted at
    double smallest_bytes = 0;
    double largest_bytes = 0;
    std::vector<ModelScore> models; ///< best first
    Saturation saturation = Saturation::unknown;
    std::string saturation_reason;   ///< one sentence
    std::vector<double> sizes_bytes; ///< every m it was fitted on, ascending

    Signature model() const { return {gamma.value, delta_s.value, threshold_bytes.value}; }
};

/// Fits gamma, delta and M (SMT07 equation 5) at the largest n present, by generalised least
/// squares with the covariance of the repetitions; M is searched over the measured sizes; gamma >=
/// 1 and delta >= 0 are kept. Other n present serve to judge saturation. `network` gives alpha and
/// beta. Refuses (status `no`), naming the reason, fewer than four sizes at that n and fits that
/// cannot be told from noise.
Result<SignatureFit> fit_signature(std::span<const Series> alltoall, const Hockney& network,
                                   std::uint64_t seed = 1);

} // namespace alltold
