// SPDX-License-Identifier: BSD-3-Clause
// The random order of measurements.
#pragma once

#include <utility>
#include <vector>

#include "core/random.hpp"

namespace alltold::campaign {

/// Fisher and Yates; the same order for the same numbers.
template <typename T>
void shuffle(std::vector<T>& values, Random& random) {
    for (auto i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[random.index(i)]);
}

} // namespace alltold::campaign
