// SPDX-License-Identifier: BSD-3-Clause
// The check's version, names and restart.
#include "preload/load.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include "core/environment.hpp"

namespace alltold::preload {
namespace {

/// From a process to what it starts anew.
constexpr const char* restarted_variable = "ALLTOLD_RESTARTED";

/// The name of the folder of a library's preload library; empty for one that we do not know.
std::string_view folder_of_library(std::string_view version) {
    if (version.find("Open MPI") != version.npos)
        return "openmpi";
    if (version.find("MPICH") != version.npos || version.find("Intel(R) MPI") != version.npos)
        return "mpich";
    return "";
}

/// The version of the MPI library that is not ours, if one is loaded, else of ours. Symbols do not
/// tell: those of ours, which we load, come before those of one that only the program's libraries
/// are linked with.
std::string program_version() {
    std::vector<std::string> names;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* into) {
            static_cast<std::vector<std::string>*>(into)->emplace_back(object->dlpi_name);
            return 0;
        },
        &names);
    std::string version;
    for (const auto& name : names) {
        if (name.find("mpi", name.rfind('/') + 1) == name.npos)
            continue;
        void* const object = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        const auto get = reinterpret_cast<decltype(&PMPI_Get_library_version)>(
            object ? dlsym(object, "PMPI_Get_library_version") : nullptr);
        std::string text(MPI_MAX_LIBRARY_VERSION_STRING + 8192, '\0'); // others' may be longer
        int length = 0;
        if (get && get(text.data(), &length) == MPI_SUCCESS &&
            (version.empty() || folder_of_library(version) == ALLTOLD_MPI_NAME))
            version = text.c_str();
        if (object)
            dlclose(object);
    }
    return version;
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

/// The arguments with which this process was started.
std::vector<std::string> own_arguments() {
    std::vector<std::string> arguments;
    std::ifstream file("/proc/self/cmdline");
    for (std::string word; std::getline(file, word, '\0');)
        arguments.push_back(word);
    return arguments;
}

[[gnu::constructor]] void check_before_main() {
    check_library();
}

} // namespace

void check_library() {
    static bool checked = false;
    if (std::exchange(checked, true))
        return;
    const bool restarted = std::getenv(restarted_variable) != nullptr;
    unsetenv(restarted_variable);
    if (restarted) // a program that loads two MPI libraries would start anew for ever
        return;
    const auto version = program_version();
    const auto mpi = folder_of_library(version);
    const char* list = std::getenv("LD_PRELOAD");
    if (version.empty() || mpi == ALLTOLD_MPI_NAME || !list)
        return;
    const auto path = library_path();
    const auto right = sibling(path, mpi);
    const auto next = replaced(list, path, right);
    auto words = own_arguments();
    if (next == list || words.empty())
        return;
    if (const auto process = launched_process(); right.empty() && (!process || process->rank == 0))
        std::fprintf(stderr,
                     "alltold: built for " ALLTOLD_MPI_NAME
                     ", but the program runs on another MPI library (%s); its own collectives "
                     "run\n",
                     version.substr(0, version.find('\n')).c_str());
    setenv("LD_PRELOAD", next.c_str(), 1);
    if (!right.empty())
        setenv(restarted_variable, "1", 1);
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
}

} // namespace alltold::preload
