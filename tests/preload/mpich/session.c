// SPDX-License-Identifier: BSD-3-Clause
// A broadcast of a program that has no MPI_COMM_WORLD.
#include <mpi.h>
#include <stdio.h>

int main(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    int value = rank == 0 ? 7 : 0;
    MPI_Bcast(&value, 1, MPI_INT, 0, comm);
    printf(value == 7 ? "right\n" : "wrong\n");
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
