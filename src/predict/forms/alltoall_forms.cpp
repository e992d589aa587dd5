// SPDX-License-Identifier: BSD-3-Clause
// The exchanges of our own.
#include "predict/forms/alltoall_forms.hpp"

#include <algorithm>
#include <cstdint>

namespace alltold::alltoall {

double direct_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (2.0 * n - 3) * network.g_s(size_bytes) + network.L_s.value;
}

double rotated_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * network.g_s(size_bytes) + network.L_s.value;
}

double pairwise_s(const PLogP& network, int n, double size_bytes) {
    return (n - 1) * (network.g_s(size_bytes) + network.L_s.value);
}

double bruck_s(const PLogP& network, int n, double size_bytes) {
    double time_s = 0;
    for (std::int64_t hop = 1; hop < n; hop *= 2) {
        const auto whole = n / (2 * hop) * hop;
        const auto blocks = whole + std::max<std::int64_t>(0, n % (2 * hop) - hop);
        time_s += network.g_s(static_cast<double>(blocks) * size_bytes) + network.L_s.value;
    }
    return time_s;
}

} // namespace alltold::alltoall
