// SPDX-License-Identifier: BSD-3-Clause
// The C interface of requests and settings.
#include <string_view>

#include <fmt/format.h>

#include "library/entry.hpp"

using namespace alltold;
using namespace alltold::library;

namespace {

/// Unpacks what a finished request received and frees it.
int conclude(alltold_request* request, const Status& done) {
    const std::unique_ptr<alltold_request_state> state(std::exchange(*request, nullptr));
    return report(state->comm, code_of(done ? state->pending.finish() : done));
}

Result<bool> test_library(MPI_Request& request) {
    int completed = 0;
    if (auto tested = mpi::check(PMPI_Test(&request, &completed, MPI_STATUS_IGNORE), "MPI_Test");
        !tested)
        return tested.error();
    return completed != 0;
}

/// Every rank's number, by rank. Collective.
Result<std::vector<int>> of_all_ranks(int mine, const CommunicatorState& state) {
    std::vector<int> all(static_cast<std::size_t>(state.caller().size));
    if (auto gathered =
            mpi::check(PMPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, state.plain()),
                       "MPI_Allgather");
        !gathered)
        return gathered.error();
    return all;
}

} // namespace

extern "C" {

int alltold_test(alltold_request* request, int* flag) {
    *flag = 1;
    if (!*request)
        return MPI_SUCCESS;
    auto& state = **request;
    const auto done = state.by_library ? test_library(state.library) : state.pending.test();
    if (!done)
        return conclude(request, done.error());
    *flag = *done;
    return *done ? conclude(request, Done{}) : MPI_SUCCESS;
}

int alltold_wait(alltold_request* request) {
    if (!*request)
        return MPI_SUCCESS;
    return conclude(request,
                    (*request)->by_library
                        ? mpi::check(PMPI_Wait(&(*request)->library, MPI_STATUS_IGNORE), "MPI_Wait")
                        : (*request)->pending.wait());
}

int alltold_set_algorithm(MPI_Comm comm, const char* choice) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        if (std::string_view(choice) == "auto")
            return mine.choose_by_rules();
        const auto parsed = parse_choice(choice);
        if (!parsed)
            return parsed.error();
        if (parsed->is_default()) {
            mine.choose_library();
            return Done{};
        }
        if (!parsed->algorithm)
            return bad_input(fmt::format("{}: the MPI library chooses among its own "
                                         "algorithms; use mpi or one of alltold's",
                                         choice));
        return mine.choose(*parsed, true);
    });
}

int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        std::vector<int> cluster_of;
        for (int c = 0; c < count; ++c) {
            if (sizes[c] < 1)
                return bad_input("a cluster must have at least 1 rank");
            cluster_of.insert(cluster_of.end(), static_cast<std::size_t>(sizes[c]), c);
        }
        if (std::ssize(cluster_of) != mine.caller().size)
            return bad_input("the cluster sizes must add up to the communicator's size");
        return mine.set_clusters(std::move(cluster_of));
    });
}

int alltold_set_cluster(MPI_Comm comm, int cluster) {
    return with(comm, [&](CommunicatorState& mine) {
        auto cluster_of = of_all_ranks(cluster, mine);
        return cluster_of ? mine.set_clusters(std::move(*cluster_of)) : cluster_of.error();
    });
}

int alltold_set_host(MPI_Comm comm, int host) {
    return with(comm, [&](CommunicatorState& mine) {
        auto host_of = of_all_ranks(host, mine);
        return host_of ? mine.set_hosts(std::move(*host_of)) : host_of.error();
    });
}

const char* alltold_last_error(void) {
    return last_error().c_str();
}

} // extern "C"
