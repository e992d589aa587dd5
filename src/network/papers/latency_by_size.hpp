// SPDX-License-Identifier: BSD-3-Clause
// Chun's model: contention as a latency that depends on the message size (SMT07, section 2).
#pragma once

#include <vector>

namespace alltold {

/// Chun 2001 as cited in SMT07 section 2: the latency is a step function of the message size, the
/// bandwidth is constant.
class LatencyBySize {
  public:
    /// Messages of at least `from_bytes` have `latency_s`.
    struct Step {
        double from_bytes = 0;
        double latency_s = 0;
    };

    /// One or more steps in increasing order of from_bytes, the first at 0.
    LatencyBySize(std::vector<Step> steps, double beta_s_per_byte);

    double latency_s(double size_bytes) const;
    /// One message of m bytes: latency(m) + m beta.
    double time_s(double size_bytes) const;
    /// All-to-all of n >= 1 processes, m bytes per pair: (n-1)(latency(m) + m beta).
    double alltoall_time_s(int n, double size_bytes) const;

  private:
    std::vector<Step> steps_;
    double beta_s_per_byte_;
};

} // namespace alltold
