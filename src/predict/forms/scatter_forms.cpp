// SPDX-License-Identifier: BSD-3-Clause
// BM04's table 2, row by row.
#include "predict/forms/scatter_forms.hpp"

#include <cmath>

#include "network/rounds.hpp"
#include "predict/forms/binomial_recursion.hpp"

namespace alltold::scatter {

double flat_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * network.g_s(size_bytes) + network.L_s.value;
}

double chain_s(const PLogP& network, int n, double size_bytes) {
    double gaps_s = 0;
    for (int blocks = 1; blocks < n; ++blocks)
        gaps_s += network.g_s(blocks * size_bytes);
    return gaps_s + (n - 1) * network.L_s.value;
}

double binomial_s(const PLogP& network, int n, double size_bytes) {
    double gaps_s = 0;
    for (int j = 0; j < log2_up(n); ++j)
        gaps_s += network.g_s(std::ldexp(size_bytes, j));
    return gaps_s + log2_up(n) * network.L_s.value;
}

double binomial_exact_s(const PLogP& network, int n, double size_bytes) {
    return binomial_recursion_s(
        n, network.L_s.value, [](int) { return 0.0; },
        [&](int blocks) { return network.g_s(blocks * size_bytes); });
}

} // namespace alltold::scatter
