// SPDX-License-Identifier: BSD-3-Clause
// Hosts wait for their ranks, then for each other by dissemination, then release their ranks.
#include "schedule/algorithms/through_heads.hpp"

namespace alltold::barrier_hosts {
namespace {

Schedule generate(const Task& task) {
    return through_heads(task, Level::host, Heads::doubling);
}

} // namespace

extern const Algorithm row{
    .name = "barrier.hosts",
    .collective = Collective::barrier,
    .wins = "several ranks per host: log2 rounds of the number of hosts on the network",
    .generate = generate,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::barrier_hosts
