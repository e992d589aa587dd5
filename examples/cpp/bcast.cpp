// SPDX-License-Identifier: BSD-3-Clause
// A pipelined broadcast of a vector and a nonblocking all-to-all, with spans.
#include <alltold/alltold.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool right = true;
    {
        const alltold::Communicator world(MPI_COMM_WORLD);
        world.choose("bcast.chain_segmented segment=8KiB");
        std::vector<double> values(10'000);
        if (rank == 0)
            std::iota(values.begin(), values.end(), 0.0);
        world.bcast(std::span(values), 0);
        right = values.back() == 9999.0;

        std::vector<int> send(static_cast<std::size_t>(size), rank);
        std::vector<int> receive(send.size());
        auto exchange = world.ialltoall(std::span<const int>(send), std::span(receive));
        exchange.wait();
        for (int i = 0; i < size; ++i)
            right = right && receive[static_cast<std::size_t>(i)] == i;
    }
    if (rank == 0)
        std::printf("%s\n", right ? "right" : "wrong");
    MPI_Finalize();
    return right ? 0 : 1;
}
