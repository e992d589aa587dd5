// SPDX-License-Identifier: BSD-3-Clause
// From 30 kept labs (docs/site.md).
#include "site/usual_trials.hpp"

namespace alltold::site {

// Segments of one Ethernet packet below 16 KiB, else of 8 KiB.
const std::string_view usual_trials = R"(
bcast:256-2KiB:one cluster:per-host=1 = mpi | trial bcast.binomial_segmented segment=1400 silence=0.82 | trial bcast.chain loop=0.58
bcast:2KiB-16KiB:one cluster:per-host=1 = mpi | trial bcast.circulant segment=1400 silence=0.69 | trial bcast.chain_segmented segment=1400 loop=0.48
bcast:16KiB-:one cluster:per-host=1 = mpi | trial bcast.circulant segment=8KiB silence=0.69 loop=0.67 | trial bcast.chain_segmented segment=8KiB silence=0.73 loop=0.48
bcast:256-16KiB:clusters>=2:per-host=1 = mpi | trial bcast.clustered segment=1400 silence=0.73 loop=0.58 | trial bcast.chain_segmented segment=1400 loop=0.57
bcast:16KiB-:clusters>=2:per-host=1 = mpi | trial bcast.clustered segment=8KiB silence=0.77 loop=0.56 | trial bcast.chain_segmented segment=8KiB silence=0.82 loop=0.51
bcast:256-16KiB:hosts>=2:per-host>=2 = mpi | trial bcast.host_chain segment=1400 loop=0.37
bcast:16KiB-:hosts>=2:per-host>=2 = mpi | trial bcast.host_chain segment=8KiB silence=0.51 loop=0.28
allgather:256-2KiB:one cluster:per-host=1 = mpi | trial allgather.direct silence=0.82
allgather:2KiB-:one cluster:per-host=1 = mpi | trial allgather.ring silence=0.91
allgather:256-:clusters>=2:per-host=1 = mpi | trial allgather.clustered silence=0.55 | trial allgather.direct silence=0.62
allgather:256-:hosts>=2:per-host>=2 = mpi | trial allgather.hosts silence=0.55
reduce:256-16KiB:one cluster:per-host=1 = mpi | trial reduce.circulant segment=1400 silence=0.93 | trial reduce.chain_segmented segment=1400 loop=0.6
reduce:16KiB-:one cluster:per-host=1 = mpi | trial reduce.circulant segment=8KiB silence=0.71 | trial reduce.chain_segmented segment=8KiB silence=0.78 loop=0.72
reduce:256-16KiB:clusters>=2:per-host=1 = mpi | trial reduce.clustered_short silence=0.72 loop=0.62 | trial reduce.chain_segmented segment=1400 loop=0.54
reduce:16KiB-:clusters>=2:per-host=1 = mpi | trial reduce.clustered segment=8KiB silence=0.74 | trial reduce.chain_segmented segment=8KiB loop=0.61
reduce:256-16KiB:hosts>=2:per-host>=2 = mpi | trial reduce.hosts segment=1400 silence=0.6 loop=0.5
reduce:16KiB-:hosts>=2:per-host>=2 = mpi | trial reduce.hosts segment=8KiB silence=0.6 loop=0.76
allreduce:2KiB-:one cluster:per-host=1 = mpi | trial allreduce.ring silence=0.87 | trial allreduce.circulant silence=0.88
allreduce:256-2KiB:clusters>=2:per-host=1 = mpi | trial allreduce.clustered_short silence=0.61
allreduce:2KiB-:clusters>=2:per-host=1 = mpi | trial allreduce.clustered segment=8KiB silence=0.57
allreduce:256-2KiB:hosts>=2:per-host>=2 = mpi | trial allreduce.hosts_short silence=0.7
allreduce:2KiB-:hosts>=2:per-host>=2 = mpi | trial allreduce.hosts segment=8KiB silence=0.55
scatter:256-:one cluster:hosts>=2 = mpi | trial scatter.flat silence=0.9
scatter:256-:clusters>=2 = mpi | trial scatter.clustered silence=0.82 | trial scatter.flat silence=0.86
gather:256-2KiB:hosts>=2 = mpi | trial gather.flat silence=0.9
alltoall:2KiB-:one cluster:hosts>=2 = mpi | trial alltoall.paced barrier=0.99
alltoall:2KiB-:clusters>=2 = mpi | trial alltoall.paced silence=0.75 barrier=0.75
)";

} // namespace alltold::site
