// SPDX-License-Identifier: BSD-3-Clause
// What can be fitted, the two parts in turn, and whether the result may be kept.
#include "network/congestion/congestion_fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/percent.hpp"
#include "core/units.hpp"
#include "network/congestion/congestion_core.hpp"
#include "network/congestion/congestion_errors.hpp"
#include "network/congestion/congestion_timeouts.hpp"
#include "network/series.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_points = 6;
constexpr std::size_t fewest_congestion_sizes = 4;

Status check(std::span<const CongestedSeries> measured) {
    std::set<int> ns;
    std::set<double> sizes;
    for (const auto& [call, times_s, others] : measured) {
        const auto where = fmt::format("n = {}, m = {}: ", call.n, format_size(call.size_bytes));
        if (times_s.size() < fewest_repetitions)
            return refused(where + fmt::format("{} repetition(s); at least {} needed",
                                               times_s.size(), fewest_repetitions));
        for (const double time_s : times_s)
            if (!(time_s > 0) || !std::isfinite(time_s))
                return refused(where + fmt::format("a time of {} s", time_s));
        if (!(call.wire_s > 0))
            return refused(where + "nothing crosses a link");
        ns.insert(call.n);
        sizes.insert(call.size_bytes);
    }
    if (ns.size() < 2)
        return refused(fmt::format("measured at {} rank count(s); at least 2 needed", ns.size()));
    if (sizes.size() < fewest_congestion_sizes || measured.size() < fewest_points)
        return refused(fmt::format("{} sizes and {} points measured; at least {} and {} needed",
                                   sizes.size(), measured.size(), fewest_congestion_sizes,
                                   fewest_points));
    return Done{};
}

} // namespace

Result<CongestionFit> fit_congestion(std::span<const CongestedSeries> measured,
                                     const CongestionPrior& prior) {
    if (auto ready = check(measured); !ready)
        return ready.error();
    CongestionFit fit;
    fit.buffer_bytes = prior.buffer_bytes;
    // M decides which repetitions share a spread and a rate, and these which are left to find M.
    for (int round = 0; round < 3; ++round)
        if (!choose_core(fit, fit_timeouts(fit, measured, prior.timeout_s)))
            return refused("too few points per n and per m for cross-validation");
    fit.smallest_n = fit.largest_n = measured.front().call.n;
    fit.smallest_bytes = fit.largest_bytes = measured.front().call.size_bytes;
    for (const auto& [call, times_s, others] : measured) {
        fit.fitted.push_back({call.n, call.size_bytes});
        fit.smallest_n = std::min(fit.smallest_n, call.n);
        fit.largest_n = std::max(fit.largest_n, call.n);
        fit.smallest_bytes = std::min(fit.smallest_bytes, call.size_bytes);
        fit.largest_bytes = std::max(fit.largest_bytes, call.size_bytes);
    }
    fit.models = errors_of_congestion(fit, measured, prior);
    if (const auto& best = fit.models.front(); best.name != "congestion") {
        const auto own = std::ranges::find(fit.models, "congestion", &ModelError::name);
        return refused(fmt::format("model '{}' predicts points of other n and m better: median "
                                   "error {} against {}, each predicted from the others",
                                   best.name, format_percent(best.leave_one_out),
                                   format_percent(own->leave_one_out)));
    }
    return fit;
}

} // namespace alltold
