// SPDX-License-Identifier: BSD-3-Clause
// alpha and beta as a fit found them.
#include "store/profile_parts.hpp"

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const HockneyFit& fit) {
    return {{"alpha_s", to_json(fit.alpha_s)},
            {"beta_s_per_byte", to_json(fit.beta_s_per_byte)},
            {"latency_s", to_json(fit.latency_s)},
            {"covariance",
             {{"alpha_alpha_s2", fit.covariance[0]},
              {"alpha_beta_s2_per_byte", fit.covariance[1]},
              {"beta_beta_s2_per_byte2", fit.covariance[2]}}},
            {"residual_relative", fit.residual_relative},
            {"smallest_bytes", fit.smallest_bytes},
            {"largest_bytes", fit.largest_bytes}};
}

HockneyFit read_hockney(JsonCursor at) {
    HockneyFit fit;
    fit.alpha_s = read_estimate(at.member("alpha_s"), in_seconds);
    fit.beta_s_per_byte = read_estimate(at.member("beta_s_per_byte"), in_seconds_per_byte);
    fit.latency_s = read_estimate(at.member("latency_s"), in_seconds);
    fit.covariance =
        read_covariance(at.member("covariance"),
                        {"alpha_alpha_s2", "alpha_beta_s2_per_byte", "beta_beta_s2_per_byte2"});
    fit.residual_relative = at.member("residual_relative").number(from_zero);
    fit.smallest_bytes = at.member("smallest_bytes").number(in_bytes);
    fit.largest_bytes = at.member("largest_bytes").number({"bytes", fit.smallest_bytes});
    at.only({"alpha_s", "beta_s_per_byte", "latency_s", "covariance", "residual_relative",
             "smallest_bytes", "largest_bytes"});
    return fit;
}

} // namespace alltold
