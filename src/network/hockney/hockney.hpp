// SPDX-License-Identifier: BSD-3-Clause
// Hockney's point-to-point model, the transmission model of SMT07 section 3.
#pragma once

namespace alltold {

/// One message of m bytes takes alpha + m * beta.
struct Hockney {
    double alpha_s = 0;         ///< start-up time, seconds
    double beta_s_per_byte = 0; ///< inverse bandwidth, seconds per byte

    double time_s(double size_bytes) const { return alpha_s + size_bytes * beta_s_per_byte; }
};

} // namespace alltold
