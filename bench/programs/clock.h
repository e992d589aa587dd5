// SPDX-License-Identifier: BSD-3-Clause
// Time of a program's steps and of its exchanges, printed by rank 0 with a check of the results.
#pragma once

#include <mpi.h>
#include <stdio.h>

/// Prints "time S share F result TEXT": seconds a step and the part of them in exchanges, each the
/// most of all ranks.
static inline void print_times(double step_s, double exchange_s, const char* result) {
    int rank = 0;
    double mine[2] = {step_s, exchange_s}, most[2] = {0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time %.6f share %.3f result %s\n", most[0], most[1] / most[0], result);
}
