// SPDX-License-Identifier: BSD-3-Clause
// Time and interval of each model.
#include "predict/alltoall_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/normal.hpp"
#include "network/clement.hpp"
#include "network/contention_ratio.hpp"
#include "network/linear.hpp"

namespace alltold {
namespace {

/// A time about which measured ones spread with this standard deviation.
Estimate with_spread(double time_s, double deviation_s) {
    const double half_s = normal_quantile(0.975) * deviation_s;
    return {time_s, std::max(0.0, time_s - half_s), time_s + half_s};
}

/// SMT07 equation 5. The variance is that of gamma and delta carried through the equation, plus
/// the spread of the reference run about its own fit, and delta where M leaves it open.
Estimate signature_time(const Network& network, int n, double size_bytes) {
    const auto& fit = *network.alltoall;
    const double time_s = alltoall_time_s(fit.network, fit.model(), n, size_bytes);
    const double per_gamma_s = (n - 1) * size_bytes * fit.network.beta_s_per_byte;
    const double per_delta = size_bytes >= fit.threshold_bytes.value ? n - 1 : 0;
    const auto& [gamma_gamma, gamma_delta, delta_delta] = fit.covariance;
    const double parameters = per_gamma_s * per_gamma_s * gamma_gamma +
                              2 * per_gamma_s * per_delta * gamma_delta +
                              per_delta * per_delta * delta_delta;
    const double residual_s = fit.residual_relative * time_s;
    auto time = with_spread(time_s, std::sqrt(std::max(0.0, parameters) + residual_s * residual_s));
    if (delta_in_doubt(fit, size_bytes))
        time.high += (n - 1) * fit.delta_s.high;
    return time;
}

/// SMT07 equation 4, with the signature's gamma.
Estimate gamma_time(const Network& network, int n, double size_bytes) {
    const auto& fit = *network.alltoall;
    const auto time_s = [&](double gamma) {
        return contention_ratio_time_s(fit.network, gamma, n, size_bytes);
    };
    return {time_s(fit.gamma.value), time_s(std::max(0.0, fit.gamma.low)), time_s(fit.gamma.high)};
}

/// An equation of alpha and beta alone, between the ends of their intervals.
template <double (*equation)(const Hockney&, int, double)>
Estimate hockney_time(const Network& network, int n, double size_bytes) {
    const auto local = local_network(network);
    const auto low =
        Hockney{std::max(0.0, local.alpha_s.low), std::max(0.0, local.beta_s_per_byte.low)};
    const auto high = Hockney{local.alpha_s.high, local.beta_s_per_byte.high};
    return {equation(local.model(), n, size_bytes), equation(low, n, size_bytes),
            equation(high, n, size_bytes)};
}

using Needs = AlltoallModel::Needs;
constexpr std::array models{
    AlltoallModel{"signature", "SMT07 equation 5", Needs::signature, signature_time},
    AlltoallModel{"gamma", "SMT07 equation 4", Needs::signature, gamma_time},
    AlltoallModel{"linear", "SMT07 equation 1", Needs::hockney, hockney_time<linear_time_s>},
    AlltoallModel{"clement", "SMT07 equation 3", Needs::hockney, hockney_time<clement_time_s>},
    AlltoallModel{"congestion", "docs/congestion.md", Needs::congestion, nullptr},
};

} // namespace

std::span<const AlltoallModel> alltoall_models() {
    return models;
}

Result<AlltoallModel> alltoall_model(std::string_view name) {
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const AlltoallModel& model) { return model.name == name; });
    if (found != models.end())
        return *found;
    std::vector<std::string> names;
    for (const auto& model : models)
        names.emplace_back(model.name);
    return bad_input(
        fmt::format("unknown model '{}'; use one of {}", name, fmt::join(names, ", ")));
}

AlltoallModel preferred_alltoall_model(const Network& network, const Clusters& clusters) {
    const bool fits = network.congestion && network.congestion->clusters == clusters.count();
    return *alltoall_model(fits ? "congestion" : network.alltoall ? "signature" : "linear");
}

bool delta_in_doubt(const SignatureFit& fit, double size_bytes) {
    return fit.delta_s.value > 0 && fit.threshold_bytes.low < size_bytes &&
           size_bytes < fit.threshold_bytes.value;
}

HockneyFit local_network(const Network& network) {
    if (network.local)
        return *network.local;
    HockneyFit fit;
    fit.alpha_s = fit.latency_s = Estimate::exact(network.alltoall->network.alpha_s);
    fit.beta_s_per_byte = Estimate::exact(network.alltoall->network.beta_s_per_byte);
    return fit;
}

} // namespace alltold
