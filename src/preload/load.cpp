// SPDX-License-Identifier: BSD-3-Clause
// Checks, before the program's main, that it runs on the MPI library that we were built for.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include "core/environment.hpp"

namespace {

/// The name of the folder of a library's preload library; empty for one that we do not know.
std::string_view name_of(std::string_view version) {
    if (version.find("Open MPI") != version.npos)
        return "openmpi";
    if (version.find("MPICH") != version.npos || version.find("Intel(R) MPI") != version.npos)
        return "mpich";
    return "";
}

std::string loaded_version() {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING + 8192, '\0'); // others' may be longer
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    return text.c_str();
}

std::string library_path() {
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(&library_path), &info) ? info.dli_fname : "";
}

/// Our library for `mpi` that is installed beside this one; empty where there is none.
std::string sibling(const std::string& path, std::string_view mpi) {
    const auto file = path.rfind('/');
    const auto folder = file == path.npos || file == 0 ? file : path.rfind('/', file - 1);
    if (mpi.empty() || folder == path.npos)
        return "";
    auto beside = path.substr(0, folder + 1) + std::string(mpi) + path.substr(file);
    return access(beside.c_str(), R_OK) == 0 ? beside : "";
}

/// LD_PRELOAD with `to` instead of `from`, or without it.
std::string replaced(std::string_view list, std::string_view from, std::string_view to) {
    std::string result;
    for (std::size_t at = 0; at <= list.size();) {
        const auto end = std::min(list.find_first_of(": ", at), list.size());
        const auto entry = list.substr(at, end - at);
        const auto kept = entry == from ? to : entry;
        if (!kept.empty() && !result.empty())
            result += ':';
        result += kept;
        at = end + 1;
    }
    return result;
}

/// Every handle of the other library would be another type: nothing of ours may be called. So the
/// program starts anew, with the right one or none.
[[gnu::constructor]] void check_library(int, char** arguments, char**) {
    const auto version = loaded_version();
    const auto mpi = name_of(version);
    const char* list = std::getenv("LD_PRELOAD");
    if (mpi == ALLTOLD_MPI_NAME || !list)
        return;
    const auto path = library_path();
    const auto right = sibling(path, mpi);
    const auto next = replaced(list, path, right);
    if (next == list)
        return;
    if (const auto process = alltold::launched_process();
        right.empty() && (!process || process->rank == 0))
        std::fprintf(stderr,
                     "alltold: built for " ALLTOLD_MPI_NAME
                     ", but the program runs on another MPI library (%s); its own collectives "
                     "run\n",
                     version.substr(0, version.find('\n')).c_str());
    setenv("LD_PRELOAD", next.c_str(), 1);
    execv("/proc/self/exe", arguments);
}

} // namespace
