// SPDX-License-Identifier: BSD-3-Clause
// The version of the project, and of the MPI library from what that says of itself.
#include "alltold_commit.hpp"
#include "cli/command_output.hpp"

#ifdef ALLTOLD_WITH_MPI
#include "runtime/mpi/session.hpp"
#endif

namespace alltold::cli {
namespace {

#ifdef ALLTOLD_WITH_MPI
/// "Open MPI 4.1.4" of "Open MPI v4.1.4, package: ...", "MPICH 4.0.2" of "MPICH Version:\t4.0.2".
std::string mpi_text() {
    auto text = mpi::Session::library();
    text = text.substr(0, text.find(','));
    const auto digit = text.find_first_of("0123456789");
    if (digit == text.npos)
        return text;
    auto name = text.substr(0, digit);
    if (const auto word = name.find("Version"); word != name.npos)
        name.erase(word);
    while (!name.empty() && (name.back() == 'v' || name.back() == ' ' || name.back() == '\t'))
        name.pop_back();
    return name + " " + text.substr(digit);
}
#else
std::string mpi_text() {
    return "built without MPI";
}
#endif

} // namespace

std::string version_text() {
    const std::string commit = ALLTOLD_COMMIT;
    return "alltold " ALLTOLD_VERSION + (commit.empty() ? "" : ", commit " + commit) + ", " +
           mpi_text();
}

} // namespace alltold::cli
