// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mpi/session.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "core/environment.hpp"
#include "core/text.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/forcing.hpp"

namespace alltold::mpi {
Result<Session> Session::open() {
    const auto process = launched_process();
    if (!process)
        return bad_input("not started by mpirun, mpiexec or srun");
    allow_forcing();
    leave_component_out();
    int provided = MPI_THREAD_SINGLE;
    ALLTOLD_TRY_DONE(
        check(PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init"));
    Session session;
    if (session.world().size() == 1 && process->size > 1)
        return bad_input(fmt::format("started as {} processes that do not see each other: the "
                                     "launcher is not the one of this program's MPI ({}){}",
                                     process->size, library(),
                                     is_below_srun() ? "; try another --mpi of srun --mpi=list, or "
                                                       "mpirun within an allocation"
                                                     : ""));
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
    say(fmt::format("alltold: {}\n", one_line(error.message)));
    PMPI_Abort(MPI_COMM_WORLD, static_cast<int>(error.status));
    std::_Exit(static_cast<int>(error.status));
}

} // namespace alltold::mpi
