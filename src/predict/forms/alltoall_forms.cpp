// SPDX-License-Identifier: BSD-3-Clause
// BM04's table 3, and the exchanges of our own.
#include "predict/forms/alltoall_forms.hpp"

#include <algorithm>
#include <cstdint>

namespace alltold::alltoall {

double upper_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * (network.g_s(size_bytes) + network.o_r(size_bytes)) + network.L_s;
}

double lower_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * (network.o_s(size_bytes) + network.o_r(size_bytes)) + network.L_s;
}

double between_s(const PLogP& network, int n, double size_bytes, double gamma) {
    const double lower = lower_s(network, n, size_bytes);
    return lower + (upper_s(network, n, size_bytes) - lower) * gamma;
}

double direct_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (2.0 * n - 3) * network.g_s(size_bytes) + network.L_s;
}

double rotated_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * network.g_s(size_bytes) + network.L_s;
}

double pairwise_s(const PLogP& network, int n, double size_bytes) {
    return (n - 1) * (network.g_s(size_bytes) + network.L_s);
}

double bruck_s(const PLogP& network, int n, double size_bytes) {
    double time_s = 0;
    for (std::int64_t hop = 1; hop < n; hop *= 2) {
        const auto whole = n / (2 * hop) * hop;
        const auto blocks = whole + std::max<std::int64_t>(0, n % (2 * hop) - hop);
        time_s += network.g_s(static_cast<double>(blocks) * size_bytes) + network.L_s;
    }
    return time_s;
}

} // namespace alltold::alltoall
