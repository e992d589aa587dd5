// SPDX-License-Identifier: BSD-3-Clause
// Clusters wait for their ranks, then for each other, then release their ranks.
#include "schedule/algorithms/through_heads.hpp"

namespace alltold::barrier_clustered {
namespace {

Schedule generate(const Task& task) {
    return through_heads(task, Level::cluster, Heads::direct);
}

} // namespace

extern const Algorithm row{
    .name = "barrier.clustered",
    .collective = Collective::barrier,
    .wins = "clusters: one latency between them, both ways at once",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::barrier_clustered
