// SPDX-License-Identifier: BSD-3-Clause
// Inside a lab: messages on the backbone during exactly one exchange of each algorithm named, a
// line each: name, out of the first cluster, into the second, out of the second, into the first.
//
// Barriers and clocks cross the backbone too, so nothing but sleeping happens between two readings
// of the counters besides the exchange itself: all ranks leave one barrier, the network falls
// silent, rank 0 reads, all start by their own clocks, the network falls silent, rank 0 reads.
// Connections are set up and used before. "nothing" is the same without an exchange.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "campaign/run/runner.hpp"
#include "lab/state.hpp"
#include "runtime/mpi/session.hpp"

using namespace alltold;
using namespace std::chrono_literals;

namespace {

/// Small enough for the coordinators' 24 blocks, with MPI's header, to be one TCP segment.
constexpr std::uint64_t block_bytes = 16;

template <typename T>
T value_or_abort(Result<T> result) {
    if (!result)
        mpi::Session::abort(result.error());
    return std::move(*result);
}

struct Crossed {
    long up_a = 0, down_b = 0, up_b = 0, down_a = 0;
};

Crossed read() {
    const auto backbone = value_or_abort(lab::read_counters())["backbone"];
    return {backbone["a"]["up"]["messages"], backbone["b"]["down"]["messages"],
            backbone["b"]["up"]["messages"], backbone["a"]["down"]["messages"]};
}

/// Leaves the barrier, and runs `exchange` between two quiet readings, which rank 0 gets; `late`
/// when this rank was so late that its reading or its exchange ran into something else.
template <typename Exchange>
Crossed crossed_during(const mpi::ManagedCommunicator& world, Exchange exchange, bool& late) {
    MPI_Barrier(world.handle());
    const auto start = std::chrono::steady_clock::now();
    const auto wait = [&](auto until) { std::this_thread::sleep_until(start + until); };
    const auto pass = [&](auto limit) {
        late = late || std::chrono::steady_clock::now() > start + limit;
    };
    Crossed before, after;
    wait(150ms);
    if (world.rank() == 0)
        before = read();
    pass(300ms);
    wait(350ms);
    exchange();
    pass(450ms);
    wait(500ms);
    if (world.rank() == 0)
        after = read();
    pass(750ms);
    // Nobody goes on before rank 0 has read.
    wait(800ms);
    return {after.up_a - before.up_a, after.down_b - before.down_b, after.up_b - before.up_b,
            after.down_a - before.down_a};
}

/// The same, again where a rank was late; a machine that never keeps time ends the program.
template <typename Exchange>
Crossed crossed_during(const mpi::ManagedCommunicator& world, Exchange exchange) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        bool late = false;
        const auto crossed = crossed_during(world, exchange, late);
        int anyone_late = late;
        MPI_Allreduce(MPI_IN_PLACE, &anyone_late, 1, MPI_INT, MPI_LOR, world.handle());
        if (!anyone_late)
            return crossed;
    }
    mpi::Session::abort(environment("the ranks could not keep time"));
}

void print(const std::string& name, const Crossed& crossed) {
    std::printf("%s %ld %ld %ld %ld\n", name.c_str(), crossed.up_a, crossed.down_b, crossed.up_b,
                crossed.down_a);
}

/// The same, having run twice before; aborts when a byte is wrong.
Crossed count(const mpi::ManagedCommunicator& world, const Clusters& clusters,
              const std::string& name) {
    const auto choice = value_or_abort(parse_choice(name));
    const auto runner =
        value_or_abort(campaign::Runner::make(world, choice, Collective::alltoall, clusters));
    const auto specification =
        Specification::of(Collective::alltoall, world.size(), 0, block_bytes);
    campaign::Buffers buffers(specification, world.rank());
    const auto run_once = [&] { value_or_abort(runner.run(specification, buffers)); };
    run_once();
    run_once();
    buffers.fill(specification, 1);
    const auto crossed = crossed_during(world, run_once);
    if (const auto wrong = buffers.check(specification, 1))
        mpi::Session::abort(refused(text_of(*wrong)));
    return crossed;
}

} // namespace

int main(int argc, char** argv) {
    const auto session = value_or_abort(mpi::Session::open());
    const auto world = session.world();
    const char* here = std::getenv("ALLTOLD_CLUSTERS");
    const auto clusters = value_or_abort(Clusters::parse(here ? here : ""));
    // Every connection is set up and has been used by the time the first barrier matters.
    count(world, clusters, "alltoall.direct");
    const auto quiet = crossed_during(world, [] {});
    if (world.rank() == 0)
        print("nothing", quiet);
    for (int i = 1; i < argc; ++i) {
        const auto crossed = count(world, clusters, argv[i]);
        if (world.rank() == 0)
            print(argv[i], crossed);
    }
    return 0;
}
