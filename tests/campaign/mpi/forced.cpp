// SPDX-License-Identifier: BSD-3-Clause
// A forced algorithm of the MPI library is really the one that runs, and only where it was forced:
// one that cannot run on three ranks fails there, and the library's own decision goes on working.
#include <cstdio>
#include <cstdlib>

#include "campaign/run/runner.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/session.hpp"

namespace {

using namespace alltold;

struct Impossible {
    Collective collective;
    const char* name;
};

/// What the library here cannot do on three ranks.
Impossible impossible_here() {
    if (library_named(mpi::Session::library()) == MpiLibrary::mpich)
        return {Collective::allgather, "mpi.recursive_doubling"};
    return {Collective::alltoall, "mpi.two_proc"};
}

template <typename T>
T value_or_abort(Result<T> result) {
    if (!result)
        mpi::Session::abort(result.error());
    return std::move(*result);
}

bool runs(const mpi::ManagedCommunicator& world, Collective collective, const char* name) {
    const auto runner = value_or_abort(
        campaign::Runner::make(world, *parse_choice(name), collective, Clusters({world.size()})));
    const auto specification = Specification::of(collective, world.size(), 0, 100000);
    campaign::Buffers buffers(specification, world.rank());
    buffers.fill(specification, 1);
    return runner.run(specification, buffers) && !buffers.check(specification, 1);
}

int complain(const char* what) {
    std::printf("%s\n", what);
    return 1;
}

} // namespace

int main() {
    // MPICH falls back in silence unless told not to.
    ::setenv("MPIR_CVAR_COLLECTIVE_FALLBACK", "error", 1);
    const auto session = value_or_abort(mpi::Session::open());
    const auto world = session.world();
    const auto [collective, name] = impossible_here();
    int wrong = 0;
    if (runs(world, collective, name))
        wrong = complain("what was forced did not run");
    if (!runs(world, collective, "mpi"))
        wrong = complain("the library's own decision changed");
    for (const auto& row : library_algorithms())
        if (row.library == library_named(mpi::Session::library()) &&
            row.collective != Collective::alltoallv && row.ranks == LibraryAlgorithm::Ranks::any &&
            !runs(world, row.collective, ("mpi." + std::string(row.name)).c_str()))
            wrong = complain(std::string(row.name).c_str());
    return wrong;
}
