// SPDX-License-Identifier: BSD-3-Clause
// How far a signature reaches: process counts, sizes, saturation.
#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/alltoall_prediction.hpp"

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

} // namespace

std::vector<std::string> signature_caveats(const SignatureFit& fit, int n, double size_bytes) {
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

} // namespace alltold
