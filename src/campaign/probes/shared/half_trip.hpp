// SPDX-License-Identifier: BSD-3-Clause
// Round trips of two ranks, both of which already know that they are to make them.
#pragma once

#include <cstddef>
#include <span>

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// Sends the message `ball` to rank `other` of the world and back `trips` times; the rank with
/// `first` begins. Returns seconds of half a round trip, on both ranks. Fails as MPI does.
Result<double> half_trip_with(const Context& context, int other, bool first,
                              std::span<std::byte> ball, int trips);

} // namespace alltold::campaign
