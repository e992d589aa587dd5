// SPDX-License-Identifier: BSD-3-Clause
// The mirrors of BM04's table 2, and a window.
#include "predict/forms/gather_forms.hpp"

#include <algorithm>

#include "predict/forms/scatter_forms.hpp"

namespace alltold::gather {

double flat_s(const PLogP& network, int n, double size_bytes) {
    return scatter::flat_s(network, n, size_bytes);
}

double chain_s(const PLogP& network, int n, double size_bytes) {
    return scatter::chain_s(network, n, size_bytes);
}

double binomial_s(const PLogP& network, int n, double size_bytes) {
    return scatter::binomial_s(network, n, size_bytes);
}

double windowed_s(const PLogP& network, int n, double size_bytes, int window) {
    if (n < 2)
        return 0;
    const int senders = n - 1;
    const int width = window > 0 ? std::min(window, senders) : senders;
    const int later_rounds = (senders + width - 1) / width - 1;
    const double gap_s = network.g_s(size_bytes), signal_s = network.g_s(1) + network.L_s.value;
    const double round_s = gap_s + 3 * signal_s;
    return 2 * signal_s + network.L_s.value +
           std::max(senders * gap_s,
                    later_rounds * round_s + (senders - later_rounds * width) * gap_s);
}

} // namespace alltold::gather
