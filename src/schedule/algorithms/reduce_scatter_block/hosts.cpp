// SPDX-License-Identifier: BSD-3-Clause
// Blocks are combined on each host and move from host to host.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::reduce_scatter_block_hosts {
namespace {

Schedule generate(const Task& task) {
    return reduce_scatter_block_by_groups(task, Level::host);
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.hosts",
    .collective = Collective::reduce_scatter_block,
    .wins = "several ranks per host: combined in memory before they leave a host",
    .generate = generate,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::reduce_scatter_block_hosts
