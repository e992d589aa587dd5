// SPDX-License-Identifier: BSD-3-Clause
// fftw_mpi N STEPS: a 3-d transform of N^3 complex numbers forth and back, by FFTW's own MPI plans.
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdlib.h>

#include "clock.h"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    const ptrdiff_t n = argc > 1 ? atoi(argv[1]) : 64;
    const int steps = argc > 2 ? atoi(argv[2]) : 4;
    ptrdiff_t slab = 0, first = 0;
    const ptrdiff_t room = fftw_mpi_local_size_3d(n, n, n, MPI_COMM_WORLD, &slab, &first);
    fftw_complex* data = fftw_alloc_complex((size_t)room);
    const fftw_plan forth =
        fftw_mpi_plan_dft_3d(n, n, n, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    const fftw_plan back =
        fftw_mpi_plan_dft_3d(n, n, n, data, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
    const ptrdiff_t numbers = slab * n * n;
    for (ptrdiff_t i = 0; i < numbers; ++i)
        data[i] = sin((double)(i + first)) + I * cos(3.0 * (double)i);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    for (int step = 0; step < steps; ++step) {
        fftw_execute(forth);
        fftw_execute(back);
        for (ptrdiff_t i = 0; i < numbers; ++i)
            data[i] /= (double)(n * n * n);
    }
    const double step_s = (MPI_Wtime() - start_s) / steps;
    double error = 0, most = 0;
    for (ptrdiff_t i = 0; i < numbers; ++i) {
        const double off = cabs(data[i] - (sin((double)(i + first)) + I * cos(3.0 * (double)i)));
        error = off > error ? off : error;
    }
    MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    char result[64];
    snprintf(result, sizeof result, "error=%.17g", most);
    print_times(step_s, 0, result);
    MPI_Finalize();
    return most < 1e-9 ? 0 : 1;
}
