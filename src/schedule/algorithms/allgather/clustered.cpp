// SPDX-License-Identifier: BSD-3-Clause
// Every block crosses once to each other cluster and moves around its ranks.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::allgather_clustered {
namespace {

Schedule generate(const Task& task) {
    return allgather_by_groups(task, Level::cluster);
}

} // namespace

extern const Algorithm row{
    .name = "allgather.clustered",
    .collective = Collective::allgather,
    .wins = "clusters: every block crosses once to each other one, over all ranks at once",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::allgather_clustered
