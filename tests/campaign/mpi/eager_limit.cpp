// SPDX-License-Identifier: BSD-3-Clause
// The probe of the eager limit on two ranks, beside what the library itself says of its transport,
// "sm" or "tcp". MPICH does not say it; there the searches must only agree.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include <unistd.h>

#include "campaign/measure.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

/// An unsigned control variable of the library; empty if it has none of that name.
std::optional<double> control_variable(const std::string& name) {
    int count = 0;
    std::optional<double> value;
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count; ++i) {
        char found[256] = "";
        int length = sizeof found, verbosity = 0, binding = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum values = MPI_T_ENUM_NULL;
        if (MPI_T_cvar_get_info(i, found, &length, &verbosity, &type, &values, nullptr, nullptr,
                                &binding, &scope) != MPI_SUCCESS ||
            name != found)
            continue;
        MPI_T_cvar_handle handle;
        int items = 0;
        unsigned long long read = 0;
        if (MPI_T_cvar_handle_alloc(i, nullptr, &handle, &items) == MPI_SUCCESS) {
            MPI_T_cvar_read(handle, &read); // 4 or 8 bytes, little-endian
            MPI_T_cvar_handle_free(&handle);
            value = static_cast<double>(read);
        }
    }
    return value;
}

/// The limit of the transport's fragments, headers included.
std::optional<double> library_limit(const std::string& transport) {
    if (transport == "tcp")
        return control_variable("btl_tcp_eager_limit");
    // Shared memory's name differs between versions.
    const auto vader = control_variable("btl_vader_eager_limit");
    return vader ? vader : control_variable("btl_sm_eager_limit");
}

bool right(const PointProgress& searched, const std::string& transport) {
    constexpr double most_header_bytes = 128;
    if (searched.times_s.size() < 3)
        return false;
    const double found = searched.times_s.front();
    const auto limit = library_limit(transport);
    std::printf("found %.0f B, the library says %.0f B\n", found, limit.value_or(0));
    for (const double other : searched.times_s)
        if (other != found)
            return false;
    if (!limit)
        return found > 0 && found < static_cast<double>(searched.point.size_bytes);
    return found <= *limit && found >= *limit - most_header_bytes;
}

} // namespace

int main(int argc, char** argv) {
    const auto session = mpi::Session::open();
    int provided = 0; // never finalized: MPICH 4.0 cannot open the interface twice
    if (!session || argc != 2 || MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
        return 2;
    MeasureOptions options;
    options.store = std::filesystem::temp_directory_path() / ("eager." + std::to_string(getpid()));
    options.request.only = {"p2p"};
    options.request.sizes_bytes = {1};
    options.goal.exactly = 3;
    options.clusters.flag = "2";
    const auto measured = measure(*session, options);
    if (!measured)
        mpi::Session::abort(measured.error());
    if (!*measured)
        return 0;
    std::filesystem::remove(options.store);
    for (const auto& point : (*measured)->points)
        if (point.point.probe == "eager")
            return right(point, argv[1]) ? 0 : 1;
    return 1;
}
