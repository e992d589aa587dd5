// SPDX-License-Identifier: BSD-3-Clause
// fft N STEPS: a 3-d transform of N^3 complex numbers in slabs, forth and back, with FFTW's serial
// plans and a transpose by MPI_Alltoall, as many codes have it. N is a multiple of the ranks.
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

typedef double complex Number;

typedef struct {
    int n; ///< along each axis
    int ranks;
    int slab;     ///< planes of a rank
    Number* data; ///< slab x n x n
    Number* packed;
    double exchange_s;
} Grid;

/// data[x][y][z] of my x becomes data[y][x][z] of my y; the same again undoes it.
static void transpose(Grid* grid) {
    const size_t n = (size_t)grid->n, slab = (size_t)grid->slab;
    const size_t row = n, block = slab * slab * row;
    Number* to = grid->packed;
    for (size_t rank = 0; rank < (size_t)grid->ranks; ++rank)
        for (size_t y = rank * slab; y < (rank + 1) * slab; ++y)
            for (size_t x = 0; x < slab; ++x, to += row)
                memcpy(to, grid->data + (x * n + y) * row, row * sizeof(Number));
    Number* received = grid->data;
    const double start_s = MPI_Wtime();
    MPI_Alltoall(grid->packed, (int)(2 * block), MPI_DOUBLE, received, (int)(2 * block), MPI_DOUBLE,
                 MPI_COMM_WORLD);
    grid->exchange_s += MPI_Wtime() - start_s;
    memcpy(grid->packed, received, slab * n * row * sizeof(Number));
    const Number* from = grid->packed;
    for (size_t rank = 0; rank < (size_t)grid->ranks; ++rank)
        for (size_t y = 0; y < slab; ++y)
            for (size_t x = rank * slab; x < (rank + 1) * slab; ++x, from += row)
                memcpy(grid->data + (y * n + x) * row, from, row * sizeof(Number));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int n = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 4;
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (n < 1 || steps < 1 || n % ranks) {
        fprintf(stderr, "fft N STEPS: N must be a multiple of the %d ranks\n", ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    Grid grid = {n, ranks, n / ranks, NULL, NULL, 0};
    const size_t numbers = (size_t)grid.slab * (size_t)n * (size_t)n;
    grid.data = fftw_malloc(numbers * sizeof(Number));
    grid.packed = fftw_malloc(numbers * sizeof(Number));
    const int plane[] = {n, n}, line[] = {n};
    fftw_plan planes[2], lines[2];
    for (int back = 0; back < 2; ++back) {
        const int sign = back ? FFTW_BACKWARD : FFTW_FORWARD;
        planes[back] = fftw_plan_many_dft(2, plane, grid.slab, grid.data, NULL, 1, n * n, grid.data,
                                          NULL, 1, n * n, sign, FFTW_ESTIMATE);
        // One line for every z of a plane, its numbers n apart.
        lines[back] = fftw_plan_many_dft(1, line, n, grid.data, NULL, n, 1, grid.data, NULL, n, 1,
                                         sign, FFTW_ESTIMATE);
    }
    for (size_t i = 0; i < numbers; ++i)
        grid.data[i] = sin((double)i + rank) + I * cos(3.0 * (double)i);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    for (int step = 0; step < steps; ++step)
        for (int back = 0; back < 2; ++back) {
            if (!back)
                fftw_execute(planes[0]);
            else
                for (int y = 0; y < grid.slab; ++y)
                    fftw_execute_dft(lines[1], grid.data + (size_t)y * (size_t)(n * n),
                                     grid.data + (size_t)y * (size_t)(n * n));
            transpose(&grid);
            if (back)
                fftw_execute(planes[1]);
            else
                for (int y = 0; y < grid.slab; ++y)
                    fftw_execute_dft(lines[0], grid.data + (size_t)y * (size_t)(n * n),
                                     grid.data + (size_t)y * (size_t)(n * n));
            for (size_t i = 0; back && i < numbers; ++i)
                grid.data[i] /= (double)n * n * n;
        }
    const double step_s = (MPI_Wtime() - start_s) / steps;
    double error = 0, most = 0;
    for (size_t i = 0; i < numbers; ++i) {
        const double off = cabs(grid.data[i] - (sin((double)i + rank) + I * cos(3.0 * (double)i)));
        error = off > error ? off : error;
    }
    MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    char result[64];
    snprintf(result, sizeof result, "error=%.17g", most);
    print_times(step_s, grid.exchange_s / steps, result);
    MPI_Finalize();
    return most < 1e-9 ? 0 : 1;
}
