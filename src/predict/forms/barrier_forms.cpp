// SPDX-License-Identifier: BSD-3-Clause
// Signals to a root and back, and rounds of signals.
#include "predict/forms/barrier_forms.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "network/rounds.hpp"
#include "predict/forms/bcast_forms.hpp"
#include "predict/forms/fan_in.hpp"

namespace alltold::barrier {
namespace {

double round_s(const PLogP& network) {
    return network.g_s(1) + network.L_s.value;
}

/// When the root of a binomial tree of n nodes has heard from all of them.
double heard_s(const FanInCost& cost, int n, std::map<int, double>& known_s) {
    if (const auto known = known_s.find(n); known != known_s.end())
        return known->second;
    std::vector<FanInSender> children;
    for (int place = 1; place < n; place *= 2)
        children.push_back({heard_s(cost, std::min(place, n - place), known_s), place});
    return known_s[n] = fan_in_s(std::move(children), cost);
}

} // namespace

double flat_s(const PLogP& network, int n) {
    return 2 * bcast::flat_s(network, n, 1);
}

double binomial_s(const PLogP& network, int n) {
    std::map<int, double> known_s;
    return heard_s({network.L_s.value, network.g_s(1), 0}, n, known_s) +
           bcast::binomial_exact_s(network, n, 1);
}

double dissemination_s(const PLogP& network, int n) {
    return log2_up(n) * round_s(network);
}

double recursive_doubling_s(const PLogP& network, int n) {
    const int rounds = log2_down(n);
    return (n == 1 << rounds ? rounds : rounds + 2) * round_s(network);
}

} // namespace alltold::barrier
