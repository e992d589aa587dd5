// SPDX-License-Identifier: BSD-3-Clause
// Local Group with small clusters, direct exchange between large ones.
#include "schedule/algorithms/local_group.hpp"

namespace alltold::alltoall_lg_small {

extern const Algorithm row{
    .name = "alltoall.lg_small",
    .collective = Collective::alltoall,
    .wins =
        "clusters of different sizes: as lg if the smaller has at most --window ranks, else direct",
    .generate = local_group,
    .window = Algorithm::Use::may,
    .clusters = Algorithm::Use::must,
    .vectors = true,
    .passes_on = collected_blocks,
};

} // namespace alltold::alltoall_lg_small
