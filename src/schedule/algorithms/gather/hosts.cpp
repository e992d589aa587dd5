// SPDX-License-Identifier: BSD-3-Clause
// One rank of each host collects its host's blocks and sends them in one message.
#include "schedule/algorithms/relayed.hpp"

namespace alltold::gather_hosts {
namespace {

Schedule generate(const Task& task) {
    return relayed_gather(task, Level::host, "gather.flat");
}

} // namespace

extern const Algorithm row{
    .name = "gather.hosts",
    .collective = Collective::gather,
    .wins = "several ranks per host: collected in the memory of each host, one message from each",
    .generate = generate,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::gather_hosts
