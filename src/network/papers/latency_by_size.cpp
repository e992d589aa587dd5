// SPDX-License-Identifier: BSD-3-Clause
// The step function of Chun's model.
#include "network/papers/latency_by_size.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace alltold {

LatencyBySize::LatencyBySize(std::vector<Step> steps, double beta_s_per_byte)
    : steps_(std::move(steps)), beta_s_per_byte_(beta_s_per_byte) {
    assert(!steps_.empty() && steps_.front().from_bytes == 0);
    assert(std::is_sorted(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
        return a.from_bytes < b.from_bytes;
    }));
}

double LatencyBySize::latency_s(double size_bytes) const {
    assert(size_bytes >= 0);
    const auto above =
        std::upper_bound(steps_.begin(), steps_.end(), size_bytes,
                         [](double size, const Step& step) { return size < step.from_bytes; });
    return std::prev(above)->latency_s;
}

double LatencyBySize::time_s(double size_bytes) const {
    return latency_s(size_bytes) + size_bytes * beta_s_per_byte_;
}

double LatencyBySize::alltoall_time_s(int n, double size_bytes) const {
    return (n - 1) * time_s(size_bytes);
}

} // namespace alltold
