// SPDX-License-Identifier: BSD-3-Clause
// SMT07 equation 5 with its interval, and how far a signature reaches: process counts, sizes,
// saturation.
#include "network/signature/signature_time.hpp"

#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"

namespace alltold {
namespace {

std::string beyond(const SignatureFit& fit) {
    if (fit.saturation == Saturation::not_saturated)
        return fmt::format("not saturated when fitted, so unreliable at other n: {}",
                           fit.saturation_reason);
    if (fit.saturation == Saturation::unknown)
        return fmt::format("possibly not saturated when fitted: {}", fit.saturation_reason);
    return "";
}

bool delta_in_doubt(const SignatureFit& fit, double size_bytes) {
    return fit.delta_s.value > 0 && fit.threshold_bytes.low < size_bytes &&
           size_bytes < fit.threshold_bytes.value;
}

/// A time about which measured ones spread with this standard deviation.
Estimate with_spread(double time_s, double deviation_s) {
    const double half_s = normal_quantile(0.975) * deviation_s;
    return {time_s, std::max(0.0, time_s - half_s), time_s + half_s};
}

/// Caveats of trusting a fit for n processes and m bytes.
std::vector<std::string> caveats_of(const SignatureFit& fit, int n, double size_bytes) {
    std::vector<std::string> caveats;
    if (n != fit.reference_n)
        if (auto text = beyond(fit); !text.empty())
            caveats.push_back(std::move(text));
    if (n > fit.reference_n && fit.reference_n > 0)
        caveats.push_back(
            fmt::format("n = {} is above n = {}, where it was fitted", n, fit.reference_n));
    if (n < fit.reference_n)
        caveats.push_back(fmt::format("n = {} is below n = {}, where it was fitted: fewer ranks "
                                      "may contend less",
                                      n, fit.reference_n));
    const bool range_known = fit.largest_bytes > 0;
    if (range_known && (size_bytes < fit.smallest_bytes || size_bytes > fit.largest_bytes))
        caveats.push_back(fmt::format("m = {} is outside the fitted range of {} to {}",
                                      format_size(size_bytes), format_size(fit.smallest_bytes),
                                      format_size(fit.largest_bytes)));
    if (delta_in_doubt(fit, size_bytes))
        caveats.push_back(fmt::format("delta may apply at m = {}: M is between {} and {}",
                                      format_size(size_bytes), format_size(fit.threshold_bytes.low),
                                      format_size(fit.threshold_bytes.value)));
    return caveats;
}

} // namespace

std::string lacks_signature(const Network& network) {
    return network.alltoall ? "" : "an all-to-all signature";
}

std::string lacks_parameters(const Network& network, const ContentionModel& model) {
    if (auto lacking = lacks_signature(network); !lacking.empty())
        return lacking;
    const auto known = [&](const SignatureFit& fit) {
        return std::ranges::all_of(model.parameters, [&](const ContentionParameter& parameter) {
            return fit.papers.contains(parameter.key);
        });
    };
    return known(*network.alltoall) &&
                   std::ranges::all_of(network.alltoall_of_clusters | std::views::values, known)
               ? ""
               : "a signature with the papers' other models beside it (fit the campaign again)";
}

/// SMT07 equation 5. The variance is that of gamma and delta carried through the equation, plus
/// the spread of the reference run about its own fit, and delta where M leaves it open.
Estimate signature_time(const Network& network, int cluster, int n, double size_bytes) {
    const auto& fit = network.signature_in(cluster);
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

std::vector<std::string> signature_caveats(const Network& network, const Clusters& clusters,
                                           double size_bytes) {
    std::map<const SignatureFit*, int> largest; // the largest cluster that goes by it
    std::vector<int> borrowers;
    const auto numbers = network.numbers_of(clusters);
    const auto number = [&](int c) { return numbers[static_cast<std::size_t>(c)]; };
    for (int c = 0; c < clusters.count(); ++c) {
        const auto* fit = &network.signature_in(number(c));
        if (number(c) > 0 && fit == &*network.alltoall)
            borrowers.push_back(number(c));
        if (auto& other = largest.try_emplace(fit, c).first->second;
            clusters.size(c) > clusters.size(other))
            other = c;
    }
    std::vector<std::string> caveats;
    for (int c = 0; c < clusters.count(); ++c)
        if (const auto* fit = &network.signature_in(number(c)); largest[fit] == c)
            for (const auto& text : caveats_of(*fit, clusters.size(c), size_bytes))
                caveats.push_back(
                    (largest.size() > 1 ? fmt::format("cluster {}: ", number(c)) : std::string()) +
                    text);
    if (!borrowers.empty())
        caveats.push_back(fmt::format("cluster {} has the signature of cluster 0: its own was not "
                                      "measured",
                                      fmt::join(borrowers, ", ")));
    return caveats;
}

} // namespace alltold
