// SPDX-License-Identifier: BSD-3-Clause
// What combining contributions to a reduction costs a rank's processor.
#pragma once

#include "core/estimate.hpp"
#include "network/network.hpp"

namespace alltold {

/// Fitted from the probe "combine": each sample is the seconds that one rank takes for one
/// PMPI_Reduce_local of Point::size_bytes bytes of doubles with MPI_SUM, in buffers as long as the
/// message, while no other rank works. The rate is the slope of fit_rate's line; what a call takes
/// besides is part of a message's start-up. Without it combining costs nothing.
struct Combining {
    Estimate bytes_per_s; ///< of one contribution; above 0
};

/// Seconds per byte at this value or end of the rate; 0 if the rate is not known.
double combine_s_per_byte(const Network& network, double Estimate::*rate = &Estimate::value);

} // namespace alltold
