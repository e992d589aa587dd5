// SPDX-License-Identifier: BSD-3-Clause
// Finds the clusters of a lab and compares them with the lab's own: hosts a1, a2, ... are one
// cluster, b1, b2, ... another. Prints one line; exit status 1 if they differ.
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/arrange.hpp"
#include "campaign/engine/clock.hpp"
#include "runtime/mpi/session.hpp"

using namespace alltold;

namespace {

/// "ab" of "ab12"
std::string letters_of(const std::string& host) {
    std::string letters;
    for (const char letter : host)
        if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
            letters += letter;
    return letters;
}

/// Whether two hosts share a cluster exactly when they share their letters.
bool right(const campaign::Arrangement& found) {
    std::map<std::string, int> cluster_of;
    for (int rank = 0; rank < found.clusters.ranks(); ++rank) {
        const int cluster = found.clusters.cluster_of(rank);
        const auto letters = letters_of(found.hosts[static_cast<std::size_t>(rank)]);
        if (cluster_of.try_emplace(letters, cluster).first->second != cluster)
            return false;
    }
    return static_cast<int>(cluster_of.size()) == found.clusters.count();
}

/// Whether arranging the ranks changed their order.
bool were_mixed(const mpi::ManagedCommunicator& world, const campaign::Arrangement& found) {
    int result = MPI_IDENT;
    MPI_Comm_compare(world.handle(), found.ranks.handle(), &result);
    return result == MPI_SIMILAR;
}

} // namespace

int main() {
    const auto session = mpi::Session::open();
    if (!session)
        return 3;
    const double started_s = campaign::Clock::true_now_s();
    const auto found = campaign::arrange(session->world(), {automatic, "", ""});
    if (!found)
        mpi::Session::abort(found.error());
    const bool mixed = were_mixed(session->world(), *found);
    if (session->world().rank() != 0)
        return 0;
    const bool is_right = right(*found);
    fmt::print("{} {}{}: {}; {:.2f} s in all\n", is_right ? "right" : "WRONG",
               found->clusters.text(), mixed ? ", ranks mixed" : "", found->how,
               campaign::Clock::true_now_s() - started_s);
    if (!is_right)
        fmt::print("  in order: {}\n", fmt::join(found->hosts, " "));
    return is_right ? 0 : 1;
}
