// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mpi/error.hpp"

#include <fmt/format.h>
#include <mpi.h>

namespace alltold::mpi {
namespace {

/// "3", or "unknown" outside MPI_Init ... MPI_Finalize, where no rank may be asked for.
std::string world_rank() {
    int initialized = 0;
    int finalized = 0;
    int rank = 0;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (!initialized || finalized || PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS)
        return "unknown";
    return std::to_string(rank);
}

} // namespace

Status check(int code, const char* call) {
    if (code == MPI_SUCCESS)
        return Done{};
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (PMPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = 0;
    auto error =
        environment(fmt::format("{} failed on rank {}: {} (code {})", call, world_rank(),
                                std::string_view(text, static_cast<std::size_t>(length)), code));
    error.code = code;
    return error;
}

int code_of(const Status& status) {
    if (status)
        return MPI_SUCCESS;
    return status.error().code != MPI_SUCCESS ? status.error().code : MPI_ERR_OTHER;
}

Error argument_error(int mpi_class, const char* what) {
    auto error = bad_input(what);
    error.code = mpi_class;
    return error;
}

Error out_of_memory() {
    return Error{"out of memory", ExitStatus::environment, MPI_ERR_NO_MEM};
}

} // namespace alltold::mpi
