// SPDX-License-Identifier: BSD-3-Clause
// Round trips between two ranks, for every probe that times them.
#pragma once

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// Half a round trip of a message of m bytes both ways, in seconds. Single round trips until the
/// connection is warm, then as many repetitions as asked for and as fit into the limit, each the
/// mean of as many round trips as fit into 2 ms, at most 10.
Status measure_round_trips(Context& context);

} // namespace alltold::campaign
