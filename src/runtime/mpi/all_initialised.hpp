// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 5.0 lets a rank end MPI_Init, and send, while others cannot receive yet: they then end
// by SIGSEGV (its issue 12495; seen under srun).
#pragma once

namespace alltold::mpi {

/// Right after MPI_Init: waits until all of MPI_COMM_WORLD have come here. Other MPI libraries need
/// no such wait, and none is made.
void wait_until_all_are_initialised();

} // namespace alltold::mpi
