// SPDX-License-Identifier: BSD-3-Clause
// The guard around MPI_Init and MPI_Finalize.
#include "runtime/mpi/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <mpi.h>

#include "core/one_line.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/forcing.hpp"

namespace alltold::mpi {
namespace {

/// What each launcher sets for its processes: number of processes, as far as it says.
constexpr const char* size_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                          "SLURM_STEP_NUM_TASKS"};
/// Slurm sets SLURM_PROCID in a job's script, too, but the number of tasks of a step only in those
/// that srun starts.
constexpr const char* rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                          "SLURM_STEP_NUM_TASKS"};

int launched_size() {
    for (const auto* name : size_variables)
        if (const char* text = std::getenv(name))
            return std::atoi(text);
    return 1;
}

} // namespace

bool Session::launched() {
    for (const auto* name : rank_variables)
        if (std::getenv(name) != nullptr)
            return true;
    return false;
}

Result<Session> Session::open() {
    if (!launched())
        return bad_input("not started by mpirun, mpiexec or srun");
    allow_forcing();
    int provided = MPI_THREAD_SINGLE;
    if (auto done =
            check(PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init");
        !done)
        return done.error();
    Session session;
    if (session.world().size() == 1 && launched_size() > 1)
        return bad_input(fmt::format("started as {} processes that do not see each other: the "
                                     "launcher is not the one of this program's MPI ({})",
                                     launched_size(), library()));
    return session;
}

Session::Session(Session&& other) noexcept : open_(std::exchange(other.open_, false)) {}

Session::~Session() {
    if (open_)
        PMPI_Finalize();
}

std::string Session::library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    // Open MPI counts the closing zero into the length.
    const std::string all(text);
    return all.substr(0, all.find('\n'));
}

void Session::abort(const Error& error) {
    fmt::print(stderr, "alltold: {}\n", one_line(error.message));
    std::fflush(stderr);
    PMPI_Abort(MPI_COMM_WORLD, static_cast<int>(error.status));
    std::_Exit(static_cast<int>(error.status));
}

} // namespace alltold::mpi
