// SPDX-License-Identifier: BSD-3-Clause
// Two ranks exchange messages, one of them late: receives posted first, sends posted first, or
// MPI_Sendrecv; the late rank spends its skew inside MPI or asleep. Times over that of one message.
//
//   ./alltold lab --clusters 2 --nic 50Mbit -- mpirun -n 2 build/release/bin/bench_order
//
// Messages from the library's eager limit on are announced before they are sent. Where the late
// rank finds an announcement and posts its receive first, the two messages travel one after the
// other (about 2); else at the same time (about 1).
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include <mpi.h>

#include "timing.hpp"

using alltold_bench::median;

namespace {

constexpr double skew_s = 0.24e-3;
constexpr int turns = 15;

using Bytes = std::vector<char>;

void pass_in_mpi(double seconds) {
    const double until_s = MPI_Wtime() + seconds;
    int flag = 0;
    while (MPI_Wtime() < until_s)
        MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

void pass_asleep(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

using Exchange = void (*)(Bytes& send, Bytes& receive, int peer);

void receives_first(Bytes& send, Bytes& receive, int peer) {
    MPI_Request requests[2];
    MPI_Irecv(receive.data(), static_cast<int>(receive.size()), MPI_BYTE, peer, 0, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(send.data(), static_cast<int>(send.size()), MPI_BYTE, peer, 0, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void sends_first(Bytes& send, Bytes& receive, int peer) {
    MPI_Request sending;
    MPI_Isend(send.data(), static_cast<int>(send.size()), MPI_BYTE, peer, 0, MPI_COMM_WORLD,
              &sending);
    MPI_Recv(receive.data(), static_cast<int>(receive.size()), MPI_BYTE, peer, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
}

void sendrecv(Bytes& send, Bytes& receive, int peer) {
    MPI_Sendrecv(send.data(), static_cast<int>(send.size()), MPI_BYTE, peer, 0, receive.data(),
                 static_cast<int>(receive.size()), MPI_BYTE, peer, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/// Seconds from the late rank's start until both have finished.
double timed(int rank, Exchange exchange, void (*pass)(double), Bytes& send, Bytes& receive) {
    MPI_Barrier(MPI_COMM_WORLD);
    pass_asleep(20e-3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        pass(skew_s);
    const double start_s = MPI_Wtime() + (rank == 1 ? 0 : skew_s);
    exchange(send, receive, 1 - rank);
    double took_s = MPI_Wtime() - start_s;
    MPI_Allreduce(MPI_IN_PLACE, &took_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return took_s;
}

/// Seconds of one message from rank 0 to rank 1.
void one_way(Bytes& send, Bytes& receive, int peer) {
    if (peer == 1)
        MPI_Ssend(send.data(), static_cast<int>(send.size()), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(receive.data(), static_cast<int>(receive.size()), MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        std::fprintf(stderr, "bench_order: needs 2 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const struct {
        const char* name;
        Exchange exchange;
    } orders[] = {{"receives first", receives_first},
                  {"MPI_Sendrecv", sendrecv},
                  {"sends first", sends_first}};
    const struct {
        const char* name;
        void (*pass)(double);
    } skews[] = {{"late inside MPI", pass_in_mpi}, {"late asleep", pass_asleep}};
    for (const std::size_t bytes : {1 << 14, 1 << 16, 1 << 18, 1 << 20}) {
        Bytes send(bytes, 's'), receive(bytes, 'r');
        std::vector<double> alone_s, exchange_s[2][3];
        for (int turn = 0; turn <= turns; ++turn) {
            const double once_s = timed(rank, one_way, pass_asleep, send, receive);
            if (turn > 0) // the first opens connections
                alone_s.push_back(once_s);
            for (int skew = 0; skew < 2; ++skew)
                for (int order = 0; order < 3; ++order) {
                    const double took_s =
                        timed(rank, orders[order].exchange, skews[skew].pass, send, receive);
                    if (turn > 0)
                        exchange_s[skew][order].push_back(took_s);
                }
        }
        if (rank == 0)
            for (int skew = 0; skew < 2; ++skew) {
                std::printf("%8zu B  %-16s", bytes, skews[skew].name);
                for (int order = 0; order < 3; ++order)
                    std::printf("  %s %.2f", orders[order].name,
                                median(exchange_s[skew][order]) / median(alone_s));
                std::printf("\n");
            }
    }
    MPI_Finalize();
}
