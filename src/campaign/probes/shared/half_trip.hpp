// SPDX-License-Identifier: BSD-3-Clause
// Round trips of two ranks that need no announcement, since both know that they are due.
#pragma once

#include <cstddef>
#include <span>

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// `trips` round trips of `ball` with rank `other` of the world; `first` begins. Seconds of half a
/// round trip, on both. Fails as MPI does.
Result<double> half_trip_with(const Context& context, int other, bool first,
                              std::span<std::byte> ball, int trips);

} // namespace alltold::campaign
