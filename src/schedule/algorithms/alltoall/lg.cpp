// SPDX-License-Identifier: BSD-3-Clause
// Local Group between any two clusters (Jeannot and Steffenel 2007).
#include "schedule/algorithms/local_group.hpp"

namespace alltold::alltoall_lg {

extern const Algorithm row{
    .name = "alltoall.lg",
    .collective = Collective::alltoall,
    .wins = "clusters whose backbone suffers from many flows or messages, with local bandwidth to "
            "spare",
    .generate = local_group,
    .clusters = Algorithm::Use::must,
    .vectors = true,
    .passes_on = collected_blocks,
};

} // namespace alltold::alltoall_lg
