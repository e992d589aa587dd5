// SPDX-License-Identifier: BSD-3-Clause
// One message to one rank of each host, which hands the blocks out on its host.
#include "schedule/algorithms/relayed.hpp"

namespace alltold::scatter_hosts {
namespace {

Schedule generate(const Task& task) {
    return relayed_scatter(task, Level::host, "scatter.flat");
}

} // namespace

extern const Algorithm row{
    .name = "scatter.hosts",
    .collective = Collective::scatter,
    .wins = "several ranks per host: one message to each host, handed out in its memory",
    .generate = generate,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::scatter_hosts
