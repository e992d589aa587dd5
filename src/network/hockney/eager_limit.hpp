// SPDX-License-Identifier: BSD-3-Clause
// The size up to which the MPI library sends a message before its receive is posted.
#pragma once

#include "core/estimate.hpp"
#include "core/result.hpp"
#include "network/samples.hpp"

namespace alltold {

/// The median limit that the searches found, in bytes, from the lowest to the highest. The limit is
/// the library's own constant: any spread is an error of the search. Refuses (status `no`) no
/// samples, and limits of all that was tried.
Result<Estimate> fit_eager_limit(const PointSamples& searches);

} // namespace alltold
