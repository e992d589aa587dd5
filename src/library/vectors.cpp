// SPDX-License-Identifier: BSD-3-Clause
// The C interface of collectives with a count for every rank.
#include <algorithm>
#include <optional>

#include "library/entry.hpp"

using namespace alltold;
using namespace alltold::library;

namespace {

/// Whether calls like an all-to-all-v run what was chosen for it.
bool chosen_for_pairs(const CommunicatorState& mine) {
    return mine.choices().chosen(Collective::alltoallv) &&
           mine.choices().choice_of(Collective::alltoallv, 0).algorithm;
}

/// The block of every rank, where all have the same size, which all ranks see alike.
std::optional<Side> common_block(const VectorSide& side, int ranks) {
    if (!side.counts || side.type == MPI_DATATYPE_NULL)
        return {};
    const bool equal = std::all_of(side.counts, side.counts + ranks,
                                   [&](int count) { return count == side.counts[0]; });
    if (equal)
        return Side{side.buffer, side.counts[0], side.type};
    MPI_Count type_bytes = 0;
    if (PMPI_Type_size_x(side.type, &type_bytes) == MPI_SUCCESS && type_bytes == 0)
        return Side{side.buffer, 0, side.type};
    return {};
}

/// Whether an allgatherv has equal blocks and an algorithm of ours is chosen for allgathers of
/// them.
bool gathers_alike(const CommunicatorState& mine, const Side& send, const VectorSide& receive) {
    const auto block = common_block(receive, mine.caller().size);
    return block && !runs_library(mine, {Collective::allgather, send, *block});
}

/// The reduce_scatter_block that a reduce_scatter of equal blocks is.
std::optional<Arguments> scatters_alike(const CommunicatorState& mine, const void* send,
                                        const VectorSide& receive, MPI_Op op) {
    const auto block = common_block(receive, mine.caller().size);
    if (!block)
        return {};
    return Arguments{
        Collective::reduce_scatter_block, {send, block->count, block->type}, *block, 0, op};
}

/// Runs what `make` makes if `ours`, else the library's own.
template <typename Make, typename Library>
Status run_either(CommunicatorState& mine, bool ours, Make&& make, Library&& library,
                  const char* name) {
    if (ours)
        return run_ours(mine, make(mine.caller()));
    mine.open_calls()->complete(); // the library's own would not advance them
    return mpi::check(library(mine.plain()), name);
}

/// The same, started.
template <typename Make, typename Library>
Status start_either(CommunicatorState& mine, MPI_Comm comm, alltold_request* request, bool ours,
                    Make&& make, Library&& library, const char* name) {
    if (ours)
        return start(mine, request, comm, make(mine.caller()));
    return start_with(request, comm, [&](MPI_Request* started) {
        return mpi::check(library(mine.plain(), started), name);
    });
}

/// Whether all-to-all-vs run an algorithm of ours.
bool exchanges(const CommunicatorState& mine) {
    return mine.choices().choice_of(Collective::alltoallv, 0).algorithm != nullptr;
}

template <typename AnySide>
void* into(const AnySide& receive) {
    return const_cast<void*>(receive.buffer);
}

// What the nonblocking and the persistent form of a collective start.

Status start_alltoallv(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                       const VectorSide& send, const VectorSide& receive) {
    return start_either(
        mine, comm, request, exchanges(mine),
        [&](const Caller& caller) { return Call::alltoallv(caller, send, receive); },
        [&](MPI_Comm own, MPI_Request* started) {
            return PMPI_Ialltoallv(send.buffer, send.counts, send.displacements, send.type,
                                   into(receive), receive.counts, receive.displacements,
                                   receive.type, own, started);
        },
        "MPI_Ialltoallv");
}

Status start_alltoallw(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                       const TypedSide& send, const TypedSide& receive) {
    return start_either(
        mine, comm, request, chosen_for_pairs(mine),
        [&](const Caller& caller) { return Call::alltoallw(caller, send, receive); },
        [&](MPI_Comm own, MPI_Request* started) {
            return PMPI_Ialltoallw(send.buffer, send.counts, send.displacements_bytes, send.types,
                                   into(receive), receive.counts, receive.displacements_bytes,
                                   receive.types, own, started);
        },
        "MPI_Ialltoallw");
}

Status start_gatherv(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                     const Side& send, const VectorSide& receive, int root) {
    return start_either(
        mine, comm, request, chosen_for_pairs(mine),
        [&](const Caller& caller) { return Call::gatherv(caller, send, receive, root); },
        [&](MPI_Comm own, MPI_Request* started) {
            return PMPI_Igatherv(send.buffer, send.count, send.type, into(receive), receive.counts,
                                 receive.displacements, receive.type, root, own, started);
        },
        "MPI_Igatherv");
}

Status start_scatterv(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                      const VectorSide& send, const Side& receive, int root) {
    return start_either(
        mine, comm, request, chosen_for_pairs(mine),
        [&](const Caller& caller) { return Call::scatterv(caller, send, receive, root); },
        [&](MPI_Comm own, MPI_Request* started) {
            return PMPI_Iscatterv(send.buffer, send.counts, send.displacements, send.type,
                                  into(receive), receive.count, receive.type, root, own, started);
        },
        "MPI_Iscatterv");
}

Status start_allgatherv(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                        const Side& send, const VectorSide& receive) {
    return start_either(
        mine, comm, request, gathers_alike(mine, send, receive),
        [&](const Caller& caller) { return Call::allgatherv(caller, send, receive); },
        [&](MPI_Comm own, MPI_Request* started) {
            return PMPI_Iallgatherv(send.buffer, send.count, send.type, into(receive),
                                    receive.counts, receive.displacements, receive.type, own,
                                    started);
        },
        "MPI_Iallgatherv");
}

Status start_reduce_scatter(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                            const void* send, const VectorSide& receive, MPI_Op op) {
    const auto alike = scatters_alike(mine, send, receive, op);
    return start_either(
        mine, comm, request, alike && !starts_library(mine, *alike),
        [&](const Caller& caller) { return Call::of(caller, *alike); },
        [&](MPI_Comm own, MPI_Request* started) {
            return PMPI_Ireduce_scatter(send, into(receive), receive.counts, receive.type, op, own,
                                        started);
        },
        "MPI_Ireduce_scatter");
}

} // namespace

extern "C" {

int alltold_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) {
        return run_either(
            mine, exchanges(mine),
            [&](const Caller& caller) {
                return Call::alltoallv(caller, {sendbuf, sendcounts, sdispls, sendtype},
                                       {recvbuf, recvcounts, rdispls, recvtype});
            },
            [&](MPI_Comm own) {
                return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                      rdispls, recvtype, own);
            },
            "MPI_Alltoallv");
    });
}

int alltold_ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_alltoallv(mine, comm, started, {sendbuf, sendcounts, sdispls, sendtype},
                               {recvbuf, recvcounts, rdispls, recvtype});
    });
}

int alltold_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                           alltold_request* request) {
    return persistent_by(comm, request, [=](CommunicatorState& mine, alltold_request* started) {
        return start_alltoallv(mine, comm, started, {sendbuf, sendcounts, sdispls, sendtype},
                               {recvbuf, recvcounts, rdispls, recvtype});
    });
}

int alltold_alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                      const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) {
        return run_either(
            mine, chosen_for_pairs(mine),
            [&](const Caller& caller) {
                return Call::alltoallw(caller, {sendbuf, sendcounts, sdispls, sendtypes},
                                       {recvbuf, recvcounts, rdispls, recvtypes});
            },
            [&](MPI_Comm own) {
                return PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                      rdispls, recvtypes, own);
            },
            "MPI_Alltoallw");
    });
}

int alltold_ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                       const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                       alltold_request* request) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_alltoallw(mine, comm, started, {sendbuf, sendcounts, sdispls, sendtypes},
                               {recvbuf, recvcounts, rdispls, recvtypes});
    });
}

int alltold_alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                           MPI_Info, alltold_request* request) {
    return persistent_by(comm, request, [=](CommunicatorState& mine, alltold_request* started) {
        return start_alltoallw(mine, comm, started, {sendbuf, sendcounts, sdispls, sendtypes},
                               {recvbuf, recvcounts, rdispls, recvtypes});
    });
}

int alltold_gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                    MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) {
        return run_either(
            mine, chosen_for_pairs(mine),
            [&](const Caller& caller) {
                return Call::gatherv(caller, {sendbuf, sendcount, sendtype},
                                     {recvbuf, recvcounts, displs, recvtype}, root);
            },
            [&](MPI_Comm own) {
                return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                    recvtype, root, own);
            },
            "MPI_Gatherv");
    });
}

int alltold_igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                     MPI_Comm comm, alltold_request* request) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_gatherv(mine, comm, started, {sendbuf, sendcount, sendtype},
                             {recvbuf, recvcounts, displs, recvtype}, root);
    });
}

int alltold_gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm, MPI_Info, alltold_request* request) {
    return persistent_by(comm, request, [=](CommunicatorState& mine, alltold_request* started) {
        return start_gatherv(mine, comm, started, {sendbuf, sendcount, sendtype},
                             {recvbuf, recvcounts, displs, recvtype}, root);
    });
}

int alltold_scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                     MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                     int root, MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) {
        return run_either(
            mine, chosen_for_pairs(mine),
            [&](const Caller& caller) {
                return Call::scatterv(caller, {sendbuf, sendcounts, displs, sendtype},
                                      {recvbuf, recvcount, recvtype}, root);
            },
            [&](MPI_Comm own) {
                return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                     recvtype, root, own);
            },
            "MPI_Scatterv");
    });
}

int alltold_iscatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                      MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                      int root, MPI_Comm comm, alltold_request* request) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_scatterv(mine, comm, started, {sendbuf, sendcounts, displs, sendtype},
                              {recvbuf, recvcount, recvtype}, root);
    });
}

int alltold_scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                          MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                          alltold_request* request) {
    return persistent_by(comm, request, [=](CommunicatorState& mine, alltold_request* started) {
        return start_scatterv(mine, comm, started, {sendbuf, sendcounts, displs, sendtype},
                              {recvbuf, recvcount, recvtype}, root);
    });
}

int alltold_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                       MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) {
        return run_either(
            mine,
            gathers_alike(mine, {sendbuf, sendcount, sendtype},
                          {recvbuf, recvcounts, displs, recvtype}),
            [&](const Caller& caller) {
                return Call::allgatherv(caller, {sendbuf, sendcount, sendtype},
                                        {recvbuf, recvcounts, displs, recvtype});
            },
            [&](MPI_Comm own) {
                return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                       recvtype, own);
            },
            "MPI_Allgatherv");
    });
}

int alltold_iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                        MPI_Comm comm, alltold_request* request) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_allgatherv(mine, comm, started, {sendbuf, sendcount, sendtype},
                                {recvbuf, recvcounts, displs, recvtype});
    });
}

int alltold_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                            alltold_request* request) {
    return persistent_by(comm, request, [=](CommunicatorState& mine, alltold_request* started) {
        return start_allgatherv(mine, comm, started, {sendbuf, sendcount, sendtype},
                                {recvbuf, recvcounts, displs, recvtype});
    });
}

int alltold_reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        const auto alike =
            scatters_alike(mine, sendbuf, {recvbuf, recvcounts, nullptr, datatype}, op);
        if (alike && !runs_library(mine, *alike))
            return run_regular(mine, *alike);
        mine.open_calls()->complete(); // the library's own would not advance them
        return mpi::check(
            PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, mine.plain()),
            "MPI_Reduce_scatter");
    });
}

int alltold_ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                            alltold_request* request) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_reduce_scatter(mine, comm, started, sendbuf,
                                    {recvbuf, recvcounts, nullptr, datatype}, op);
    });
}

int alltold_reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                                alltold_request* request) {
    return persistent_by(comm, request, [=](CommunicatorState& mine, alltold_request* started) {
        return start_reduce_scatter(mine, comm, started, sendbuf,
                                    {recvbuf, recvcounts, nullptr, datatype}, op);
    });
}

} // extern "C"
