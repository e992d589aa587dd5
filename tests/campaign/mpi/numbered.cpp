// SPDX-License-Identifier: BSD-3-Clause
// MPICH's own reading of an algorithm's name in its environment, and the number that we write for
// it: the same for every algorithm that we name. Built with MPICH only.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predict/library/library_algorithms.hpp"
#include "runtime/mpi/forcing.hpp"
#include "runtime/mpi/session.hpp"

namespace {

using namespace alltold;

/// In a process of its own: MPICH reads its environment once.
bool same_number(const LibraryAlgorithm& row) {
    const std::string collective(name_of(row.collective)), name(row.name);
    std::string variable = "MPIR_CVAR_" + collective + "_INTRA_ALGORITHM";
    for (auto& letter : variable)
        letter = static_cast<char>(std::toupper(letter));
    const bool renamed = name == "dissemination" && MPICH_NUMVERSION >= 40100000;
    ::setenv(variable.c_str(), renamed ? "k_dissemination" : name.c_str(), 1);
    const auto known = mpi::ControlVariable::find(variable);
    auto forcing = mpi::Forcing::mpich({collective, name});
    if (!known || !forcing) {
        std::printf("%s\n", (known ? forcing.error() : known.error()).message.c_str());
        return false;
    }
    const auto theirs = known->read();
    if (!theirs || *theirs <= 0 || !known->write(0) || !forcing->on())
        return false;
    const auto ours = known->read();
    std::printf("%s %s: %d, we say %d\n", collective.c_str(), name.c_str(), *theirs,
                ours ? *ours : -1);
    return ours && *ours == *theirs;
}

} // namespace

int main() {
    if (library_named(mpi::Session::library()) != MpiLibrary::mpich)
        return 1;
    int wrong = 0;
    for (const auto& row : library_algorithms()) {
        if (row.library != MpiLibrary::mpich)
            continue;
        const pid_t child = fork();
        if (child == 0)
            return same_number(row) ? 0 : 1;
        int status = 0;
        waitpid(child, &status, 0);
        wrong += status != 0;
    }
    return wrong;
}
