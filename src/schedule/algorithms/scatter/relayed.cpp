// SPDX-License-Identifier: BSD-3-Clause
// One message to the first rank of each cluster, then binomial scatters in all clusters.
#include "schedule/algorithms/relayed.hpp"

namespace alltold::scatter_relayed {
namespace {

Schedule generate(const Task& task) {
    return relayed_scatter(task, Level::cluster, "scatter.binomial");
}

} // namespace

extern const Algorithm row{
    .name = "scatter.relayed",
    .collective = Collective::scatter,
    .wins = "short messages to many ranks in clusters: one message per cluster, then trees",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::scatter_relayed
