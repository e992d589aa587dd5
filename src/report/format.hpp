// SPDX-License-Identifier: BSD-3-Clause
// Intervals and estimates as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/estimate.hpp"

namespace alltold {

/// "1.2 .. 1.4 ms", "900 us .. 1.1 ms", or "-" where there is no interval.
std::string format_interval(const Estimate& time_s);

/// "1.3 ms (1.2 .. 1.4 ms)", or without the parentheses if the estimate is exact. `format` prints
/// one end as number, blank, unit.
std::string format_estimate(const Estimate& estimate,
                            const std::function<std::string(double)>& format);

/// The unit of a probe's samples: "s", but "B" of the eager limit and "packets" of a flood's queue.
std::string_view sample_unit(std::string_view probe);

} // namespace alltold
