// SPDX-License-Identifier: BSD-3-Clause
// Comparing two uncertain times.
#pragma once

#include "core/estimate.hpp"

namespace alltold {

/// How likely one positive number is larger than another, both log-normal, independent, with 90 %
/// intervals; one half where an interval has no end.
double chance_of_more(const Estimate& one, const Estimate& other);

} // namespace alltold
