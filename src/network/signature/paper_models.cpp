// SPDX-License-Identifier: BSD-3-Clause
// One equation per model.
#include "network/signature/paper_models.hpp"

#include "network/bm04/alltoall_bounds.hpp"
#include "network/clement/clement.hpp"
#include "network/gamma/contention_ratio.hpp"
#include "network/linear/linear.hpp"
#include "network/slowdown/slowdown.hpp"
#include "network/waves/waves.hpp"

namespace alltold {

std::vector<double> paper_times_s(const PaperModels& models, const Hockney& network,
                                  const PLogP* plogp, int n, double size_bytes) {
    const double m = size_bytes;
    std::vector<double> times_s{alltoall_time_s(network, models.signature, n, m),
                                contention_ratio_time_s(network, models.gamma, n, m),
                                linear_time_s(network, n, m),
                                clement_time_s(network, n, m),
                                slowdown_time_s(network, models.slowdown, n, m),
                                waves_time_s(network, models.buses, n, m),
                                alltoall_time_s(network, models.latency, n, m)};
    if (plogp)
        times_s.push_back(alltoall::between_s(*plogp, n, m, models.bm04_gamma));
    return times_s;
}

} // namespace alltold
