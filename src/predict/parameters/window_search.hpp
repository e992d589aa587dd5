// SPDX-License-Identifier: BSD-3-Clause
// Windows found by prediction: the paced exchange's, with its segments, and gathers'.
#pragma once

#include "predict/parameters/parameter_search.hpp"

namespace alltold {

/// Segment and windows of a paced exchange across clusters with which it takes least such time and
/// overflows nothing, as far as simulations tell. Tries it without limits, as `given`, and descends
/// from packets that take turns without limits and from limited_pace, also with other segments and
/// fewer in flight within clusters. limited_pace where all overflow. About thirty simulations of a
/// few thousand messages each. The same on every rank that knows the same network.
Parameters find_pace(const SearchedCall& call, const Parameters& given);

/// The windows of a gather: those of gather_windows, or less where these overflow queues or nearly
/// do, as far as simulations tell.
Parameters find_gather_windows(const SearchedCall& call, const Parameters& start);

} // namespace alltold
