// SPDX-License-Identifier: BSD-3-Clause
// Decisions of MPICH 4.0.2 to 5.0.1 without a file, one a line.
#include "rulefile/mpich_tree.hpp"

namespace alltold::rulefile {

// A search takes "comm_size<8" for "<=8", but only below a condition on the call (alltoall); a
// communicator's own conditions are settled when it is made, and right (bcast). Both are written
// as what happens.
constexpr std::string_view lines = R"(
bcast intra size<=7 level=parent avg<=0 -> intra_smp
bcast intra size<=7 level=parent avg=any -> intra_binomial
bcast intra size<=7 level=any avg=any -> intra_binomial
bcast intra size=pow2 level=parent avg<=0 -> intra_smp
bcast intra size=pow2 level=parent avg<=12288 -> intra_binomial
bcast intra size=pow2 level=parent avg<=524288 -> intra_scatter_recursive_doubling_allgather
bcast intra size=pow2 level=parent avg=any -> intra_scatter_ring_allgather
bcast intra size=pow2 level=any avg<=12288 -> intra_binomial
bcast intra size=pow2 level=any avg<=524288 -> intra_scatter_recursive_doubling_allgather
bcast intra size=pow2 level=any avg=any -> intra_scatter_ring_allgather
bcast intra size=any level=parent avg<=0 -> intra_smp
bcast intra size=any level=parent avg<=12288 -> intra_binomial
bcast intra size=any level=parent avg=any -> intra_scatter_ring_allgather
bcast intra size=any level=any avg<=12288 -> intra_binomial
bcast intra size=any level=any avg=any -> intra_scatter_ring_allgather
bcast inter -> inter_remote_send_local_bcast
allreduce intra avg<=0 commutative=yes -> intra_smp
allreduce intra avg<=0 commutative=no -> intra_recursive_doubling
allreduce intra avg<=8 -> intra_recursive_doubling
allreduce intra avg=any builtin=no -> intra_recursive_doubling
allreduce intra avg=any builtin=yes count<pow2 -> intra_recursive_doubling
allreduce intra avg=any builtin=yes count=any -> intra_reduce_scatter_allgather
allreduce inter -> inter_reduce_exchange_bcast
allgather intra size=pow2 total<524288 -> intra_recursive_doubling
allgather intra size=pow2 total=any -> intra_ring
allgather intra size=any total<81920 -> intra_brucks
allgather intra size=any total=any -> intra_ring
allgather inter -> inter_local_gather_remote_bcast
allgatherv intra size=pow2 total<524288 -> intra_recursive_doubling
allgatherv intra size=pow2 total=any -> intra_ring
allgatherv intra size=any total<81920 -> intra_brucks
allgatherv intra size=any total=any -> intra_ring
allgatherv inter -> inter_remote_gather_local_bcast
reduce intra level=parent avg<=0 commutative=yes -> intra_smp
reduce intra level=parent avg<=0 commutative=no -> intra_binomial
reduce intra level=parent avg<=2048 -> intra_binomial
reduce intra level=parent avg=any builtin=yes count<pow2 -> intra_binomial
reduce intra level=parent avg=any builtin=yes count=any -> intra_reduce_scatter_gather
reduce intra level=parent avg=any builtin=no -> intra_binomial
reduce intra level=any avg<=2048 -> intra_binomial
reduce intra level=any avg=any builtin=yes count<pow2 -> intra_binomial
reduce intra level=any avg=any builtin=yes count=any -> intra_reduce_scatter_gather
reduce intra level=any avg=any builtin=no -> intra_binomial
reduce inter -> inter_local_reduce_remote_send
reduce_scatter intra commutative=yes total<524288 -> intra_recursive_halving
reduce_scatter intra commutative=yes total=any -> intra_pairwise
reduce_scatter intra commutative=no regular=yes size=pow2 -> intra_noncommutative
reduce_scatter intra commutative=no regular=yes size=any -> intra_recursive_doubling
reduce_scatter intra commutative=no regular=no -> intra_recursive_doubling
reduce_scatter inter -> inter_remote_reduce_local_scatter
reduce_scatter_block intra commutative=yes total<524288 -> intra_recursive_halving
reduce_scatter_block intra commutative=yes total=any -> intra_pairwise
reduce_scatter_block intra commutative=no size=pow2 -> intra_noncommutative
reduce_scatter_block intra commutative=no size=any -> intra_recursive_doubling
reduce_scatter_block inter -> inter_remote_reduce_local_scatter
gather intra -> intra_binomial
gather inter total<2048 -> inter_local_gather_remote_send
gather inter total=any -> inter_linear
scatter intra -> intra_binomial
scatter inter total<2048 -> inter_remote_send_local_scatter
scatter inter total=any -> inter_linear
gatherv -> allcomm_linear
scatterv -> allcomm_linear
scan intra consecutive=yes -> intra_smp
scan intra consecutive=no -> intra_recursive_doubling
scan inter -> intra_smp
exscan -> intra_recursive_doubling
barrier intra level=parent -> intra_smp
barrier intra level=any -> intra_dissemination
barrier inter -> inter_bcast
alltoall intra inplace=yes -> intra_pairwise_sendrecv_replace
alltoall intra inplace=no size<=8 avg<=32768 -> intra_scattered
alltoall intra inplace=no size<=8 avg=any -> intra_pairwise
alltoall intra inplace=no size=any avg<=256 -> intra_brucks
alltoall intra inplace=no size=any avg<=32768 -> intra_scattered
alltoall intra inplace=no size=any avg=any -> intra_pairwise
alltoall inter -> inter_pairwise_exchange
alltoallv intra inplace=yes -> intra_pairwise_sendrecv_replace
alltoallv intra inplace=no -> intra_scattered
alltoallv inter -> inter_pairwise_exchange
alltoallw intra inplace=yes -> intra_pairwise_sendrecv_replace
alltoallw intra inplace=no -> intra_scattered
alltoallw inter -> inter_pairwise_exchange
neighbor_allgather -> allcomm_nb
neighbor_allgatherv -> allcomm_nb
neighbor_alltoall -> allcomm_nb
neighbor_alltoallv -> allcomm_nb
neighbor_alltoallw -> allcomm_nb
ibarrier intra -> intra_sched_recursive_doubling
ibarrier inter -> inter_sched_bcast
iallreduce intra avg<=2048 -> intra_sched_recursive_doubling
iallreduce intra avg=any builtin=no -> intra_sched_recursive_doubling
iallreduce intra avg=any builtin=yes count<pow2 -> intra_sched_recursive_doubling
iallreduce intra avg=any builtin=yes count=any -> intra_sched_reduce_scatter_allgather
iallreduce inter -> inter_sched_remote_reduce_local_bcast
iallgather intra size=pow2 total<524288 -> intra_sched_recursive_doubling
iallgather intra size=pow2 total=any -> intra_sched_ring
iallgather intra size=any total<81920 -> intra_sched_brucks
iallgather intra size=any total=any -> intra_sched_ring
iallgather inter -> inter_sched_local_gather_remote_bcast
iallgatherv intra size=pow2 total<524288 -> intra_sched_recursive_doubling
iallgatherv intra size=pow2 total=any -> intra_sched_ring
iallgatherv intra size=any total<81920 -> intra_sched_brucks
iallgatherv intra size=any total=any -> intra_sched_ring
iallgatherv inter -> inter_sched_remote_gather_local_bcast
ibcast intra level=parent -> intra_sched_smp
ibcast intra level=any size<=7 avg=any -> intra_sched_binomial
ibcast intra level=any size=pow2 avg<12288 -> intra_sched_binomial
ibcast intra level=any size=pow2 avg<524288 -> intra_sched_scatter_recursive_doubling_allgather
ibcast intra level=any size=pow2 avg=any -> intra_sched_scatter_ring_allgather
ibcast intra level=any size=any avg<12288 -> intra_sched_binomial
ibcast intra level=any size=any avg=any -> intra_sched_scatter_ring_allgather
ibcast inter -> inter_sched_flat
ireduce intra level=parent commutative=yes -> intra_sched_smp
ireduce intra level=parent commutative=no -> intra_sched_binomial
ireduce intra level=any avg<=2048 -> intra_sched_binomial
ireduce intra level=any avg=any builtin=yes count<pow2 -> intra_sched_binomial
ireduce intra level=any avg=any builtin=yes count=any -> intra_sched_reduce_scatter_gather
ireduce intra level=any avg=any builtin=no -> intra_sched_binomial
ireduce inter -> inter_sched_local_reduce_remote_send
ireduce_scatter intra commutative=yes total<524288 -> intra_sched_recursive_halving
ireduce_scatter intra commutative=yes total=any -> intra_sched_pairwise
ireduce_scatter intra commutative=no regular=yes size=pow2 -> intra_sched_noncommutative
ireduce_scatter intra commutative=no regular=yes size=any -> intra_sched_recursive_doubling
ireduce_scatter intra commutative=no regular=no -> intra_sched_recursive_doubling
ireduce_scatter inter -> inter_sched_remote_reduce_local_scatterv
igather intra -> intra_sched_binomial
igather inter total<2048 -> inter_sched_short
igather inter total=any -> inter_sched_long
iscatter intra -> intra_sched_binomial
iscatter inter total<2048 -> inter_sched_remote_send_local_scatter
iscatter inter total=any -> inter_sched_linear
igatherv -> allcomm_sched_linear
iscatterv -> allcomm_sched_linear
iexscan -> intra_sched_recursive_doubling
ialltoall intra inplace=yes -> intra_sched_inplace
ialltoall intra inplace=no size<=8 avg<=32768 -> intra_sched_permuted_sendrecv
ialltoall intra inplace=no size<=8 avg=any -> intra_sched_pairwise
ialltoall intra inplace=no size=any avg<=2048 -> intra_sched_brucks
ialltoall intra inplace=no size=any avg<=32768 -> intra_sched_permuted_sendrecv
ialltoall intra inplace=no size=any avg=any -> intra_sched_pairwise
ialltoall inter -> inter_sched_pairwise_exchange
ialltoallv intra inplace=yes -> intra_sched_inplace
ialltoallv intra inplace=no -> intra_sched_blocked
ialltoallv inter -> inter_sched_pairwise_exchange
ialltoallw intra inplace=yes -> intra_sched_inplace
ialltoallw intra inplace=no -> intra_sched_blocked
ialltoallw inter -> inter_sched_pairwise_exchange
ireduce_scatter_block intra commutative=yes total<524288 -> intra_sched_recursive_halving
ireduce_scatter_block intra commutative=yes total=any -> intra_sched_pairwise
ireduce_scatter_block intra commutative=no size=pow2 -> intra_sched_noncommutative
ireduce_scatter_block intra commutative=no size=any -> intra_sched_recursive_doubling
ireduce_scatter_block inter -> inter_sched_remote_reduce_local_scatterv
iscan level=parent -> intra_sched_smp
iscan level=any -> intra_sched_recursive_doubling
ineighbor_allgather -> allcomm_sched_linear
ineighbor_allgatherv -> allcomm_sched_linear
ineighbor_alltoall -> allcomm_sched_linear
ineighbor_alltoallv -> allcomm_sched_linear
ineighbor_alltoallw -> allcomm_sched_linear
)";

std::string_view mpich_default_lines() {
    return lines;
}

} // namespace alltold::rulefile
