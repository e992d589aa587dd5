// SPDX-License-Identifier: BSD-3-Clause
// Hashes of host names, compared.
#include "runtime/mpi/hosts.hpp"

#include "core/environment.hpp"
#include "core/hash.hpp"
#include "runtime/mpi/error.hpp"
#include "topology/rank_order.hpp"

namespace alltold::mpi {

Result<std::vector<int>> hosts_of(MPI_Comm comm) {
    Hash name;
    name.add(host_name());
    const std::uint64_t mine = name.value();
    int ranks = 1;
    PMPI_Comm_size(comm, &ranks);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
    ALLTOLD_TRY_DONE(
        ALLTOLD_PMPI(Allgather, &mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm));
    return numbered_by_appearance(all);
}

} // namespace alltold::mpi
