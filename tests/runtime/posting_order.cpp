// SPDX-License-Identifier: BSD-3-Clause
// The executor posts sends before the receives that are ready with them, in every way it can run a
// schedule. The calls it makes are recorded in front of the MPI library.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "runtime/execute/execution.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace {

std::string posted; ///< 's' for each send, 'r' for each receive, 'x' for an MPI_Sendrecv

} // namespace

// The runtime calls PMPI_ functions; the linker sends these calls here (--wrap).
extern "C" {
int __real_PMPI_Isend(const void* at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                      MPI_Request* request);
int __real_PMPI_Irecv(void* at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      MPI_Request* request);
int __real_PMPI_Recv(void* at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Status* status);
int __real_PMPI_Sendrecv(const void* out, int count, MPI_Datatype type, int to, int tag, void* in,
                         int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                         MPI_Status* status);
int __wrap_PMPI_Isend(const void* at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                      MPI_Request* request) {
    posted += 's';
    return __real_PMPI_Isend(at, count, type, to, tag, comm, request);
}
int __wrap_PMPI_Irecv(void* at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      MPI_Request* request) {
    posted += 'r';
    return __real_PMPI_Irecv(at, count, type, from, tag, comm, request);
}
int __wrap_PMPI_Recv(void* at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Status* status) {
    posted += 'r';
    return __real_PMPI_Recv(at, count, type, from, tag, comm, status);
}
int __wrap_PMPI_Sendrecv(const void* out, int count, MPI_Datatype type, int to, int tag, void* in,
                         int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                         MPI_Status* status) {
    posted += 'x';
    return __real_PMPI_Sendrecv(out, count, type, to, tag, in, in_count, in_type, from, in_tag,
                                comm, status);
}
}

using namespace alltold;

namespace {

int failures = 0;
int rank = 0, ranks = 1;

void expect(bool holds, std::string_view what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "rank %d, wrong: %.*s; posted %s\n", rank, static_cast<int>(what.size()),
                 what.data(), posted.c_str());
}

/// One of the two ways to run a program: phase by phase where it has phases, or as requests
/// complete.
void run(const Program& program, std::vector<std::byte>& send, std::vector<std::byte>& receive,
         bool by_phases) {
    std::vector<std::byte> scratch(program.schedule().scratch_bytes());
    const Memory memory{send.data(), receive.data(), scratch.data()};
    Execution execution;
    posted.clear();
    const int started = by_phases ? execution.run(program, memory, MPI_COMM_WORLD, 0)
                                  : execution.start(program, memory, MPI_COMM_WORLD, 0);
    expect(started == MPI_SUCCESS && (by_phases || execution.wait() == MPI_SUCCESS), "a run");
}

/// What is posted for an all-to-all.
std::string posts_of(std::string_view name, std::uint64_t size_bytes, int window, bool by_phases) {
    Parameters parameters;
    parameters.window = window;
    const Program program(
        (*find_algorithm(name))
            ->generate({Collective::alltoall, rank, ranks, 0, size_bytes, nullptr, parameters}));
    const auto total = static_cast<std::size_t>(ranks) * size_bytes;
    std::vector<std::byte> send(total, std::byte(rank)), receive(total, std::byte(255));
    run(program, send, receive, by_phases);
    for (std::size_t i = 0; i < total; ++i)
        if (receive[i] != std::byte(i / size_bytes))
            expect(false, "what an all-to-all brings");
    return posted;
}

/// Copies that a send waits for come before the receive, others after it.
void copies(bool by_phases) {
    constexpr std::uint64_t bytes = 64;
    Builder builder;
    const auto packed = builder.scratch(bytes);
    const int next = (rank + 1) % ranks, last = (rank - 1 + ranks) % ranks;
    builder.receive({Buffer::receive, 0, bytes}, last);
    builder.receive({Buffer::receive, bytes, bytes}, last);
    const auto copied = builder.copy({Buffer::send, 0, bytes}, packed);
    builder.send(packed, next, {copied});
    builder.send({Buffer::send, bytes, bytes}, next);
    builder.copy({Buffer::send, 0, bytes}, {Buffer::receive, 2 * bytes, bytes});
    const Program program(std::move(builder).finish());
    std::vector<std::byte> send(2 * bytes, std::byte(rank)), receive(3 * bytes, std::byte(255));
    run(program, send, receive, by_phases);
    expect(posted == "ssrr", "sends that wait for a copy come before receives");
    expect(receive[0] == std::byte(last) && receive[2 * bytes - 1] == std::byte(last) &&
               receive[2 * bytes] == std::byte(rank),
           "what sends after copies bring");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto peers = static_cast<std::size_t>(ranks - 1);
    const auto all = std::string(peers, 's') + std::string(peers, 'r');
    for (const std::uint64_t size_bytes : {8, 1 << 20}) {
        for (const bool by_phases : {true, false}) {
            expect(posts_of("alltoall.direct", size_bytes, 0, by_phases) == all, "direct");
            expect(posts_of("alltoall.rotated", size_bytes, 0, by_phases) == all, "rotated");
            // A window makes it wait for single messages, so it has no phases.
            expect(posts_of("alltoall.rotated", size_bytes, 1, by_phases).starts_with("sr"),
                   "rotated with a window");
        }
        std::string rounds;
        for (std::size_t round = 0; round < peers; ++round)
            rounds += "sr";
        expect(posts_of("alltoall.pairwise", size_bytes, 0, true) == rounds, "pairwise");
    }
    copies(true);
    copies(false);
    MPI_Finalize();
    return failures ? 1 : 0;
}
