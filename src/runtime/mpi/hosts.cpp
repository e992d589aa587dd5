// SPDX-License-Identifier: BSD-3-Clause
// Hashes of host names, compared.
#include "runtime/mpi/hosts.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>

#include <unistd.h>

#include "core/hash.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::mpi {

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

Result<std::vector<int>> hosts_of(MPI_Comm comm) {
    Hash name;
    name.add(host_name());
    const std::uint64_t mine = name.value();
    int ranks = 1;
    PMPI_Comm_size(comm, &ranks);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
    if (auto gathered =
            check(PMPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm),
                  "MPI_Allgather");
        !gathered)
        return gathered.error();
    std::unordered_map<std::uint64_t, int> numbers;
    std::vector<int> hosts;
    for (const auto one : all)
        hosts.push_back(numbers.try_emplace(one, static_cast<int>(numbers.size())).first->second);
    return hosts;
}

} // namespace alltold::mpi
