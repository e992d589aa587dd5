// SPDX-License-Identifier: BSD-3-Clause
// sort KEYS STEPS: a sample sort of KEYS 64-bit keys a rank, new ones in every step; each rank
// sends its keys by MPI_Alltoallv to the ranks whose they are.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { samples_per_rank = 64 };

static int compare(const void* a, const void* b) {
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

static uint64_t random_number(uint64_t* state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// splitters[i]: the least key of rank i + 1.
static void find_splitters(const uint64_t* sorted, int keys, int ranks, uint64_t* splitters) {
    uint64_t mine[samples_per_rank];
    uint64_t* all = malloc(sizeof *all * samples_per_rank * (size_t)ranks);
    for (int i = 0; i < samples_per_rank; ++i)
        mine[i] = sorted[(int64_t)keys * i / samples_per_rank];
    MPI_Allgather(mine, samples_per_rank, MPI_UINT64_T, all, samples_per_rank, MPI_UINT64_T,
                  MPI_COMM_WORLD);
    qsort(all, (size_t)(samples_per_rank * ranks), sizeof *all, compare);
    for (int i = 1; i < ranks; ++i)
        splitters[i - 1] = all[i * samples_per_rank];
    free(all);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int keys = argc > 1 ? atoi(argv[1]) : 65536, steps = argc > 2 ? atoi(argv[2]) : 8;
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const size_t bytes = sizeof(uint64_t) * (size_t)keys,
                 counts_bytes = sizeof(int) * (size_t)ranks;
    uint64_t* mine = malloc(bytes);
    uint64_t* received = malloc(bytes * (size_t)ranks);
    uint64_t* splitters = malloc(sizeof(uint64_t) * (size_t)ranks);
    int *to = malloc(counts_bytes), *from = malloc(counts_bytes);
    int *to_places = malloc(counts_bytes), *from_places = malloc(counts_bytes);
    uint64_t state = (uint64_t)rank + 1, check = 0;
    double exchange_s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < keys; ++i) // more small keys than large ones
            mine[i] = random_number(&state) >> (random_number(&state) % 3);
        qsort(mine, (size_t)keys, sizeof *mine, compare);
        find_splitters(mine, keys, ranks, splitters);
        memset(to, 0, counts_bytes);
        for (int i = 0, target = 0; i < keys; ++i) {
            while (target < ranks - 1 && mine[i] >= splitters[target])
                ++target;
            ++to[target];
        }
        const double exchange_start_s = MPI_Wtime();
        MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
        int total = 0;
        for (int i = 0, sent = 0; i < ranks; sent += to[i], total += from[i], ++i) {
            to_places[i] = sent;
            from_places[i] = total;
        }
        MPI_Alltoallv(mine, to, to_places, MPI_UINT64_T, received, from, from_places, MPI_UINT64_T,
                      MPI_COMM_WORLD);
        exchange_s += MPI_Wtime() - exchange_start_s;
        qsort(received, (size_t)total, sizeof *received, compare);
        for (int i = 0; i < total; ++i)
            check = check * 31 + received[i];
    }
    const double step_s = (MPI_Wtime() - start_s) / steps;
    uint64_t sum = 0;
    check *= 2 * (uint64_t)rank + 1;
    MPI_Allreduce(&check, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    char result[64];
    snprintf(result, sizeof result, "check=%016llx", (unsigned long long)sum);
    print_times(step_s, exchange_s / steps, result);
    MPI_Finalize();
    return 0;
}
