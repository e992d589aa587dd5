// SPDX-License-Identifier: BSD-3-Clause
// Length, then text.
#include "runtime/mpi/broadcast_text.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold::mpi {

Status broadcast_text(std::string& text, MPI_Comm comm) {
    int length = static_cast<int>(text.size());
    if (auto sent = check(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "MPI_Bcast"); !sent)
        return sent;
    text.resize(static_cast<std::size_t>(length));
    return check(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "MPI_Bcast");
}

} // namespace alltold::mpi
