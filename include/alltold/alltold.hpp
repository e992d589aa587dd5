// SPDX-License-Identifier: BSD-3-Clause
// alltold's collectives for C++20: spans in place of addresses, counts and datatypes.
#ifndef ALLTOLD_ALLTOLD_HPP
#define ALLTOLD_ALLTOLD_HPP

#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "alltold/request.hpp"

namespace alltold {

/// A view of an MPI communicator, which must outlive it; copies are cheap. Every member function is
/// collective and throws CollectiveError if the communicator's error handler returns.
class Communicator {
  public:
    explicit Communicator(MPI_Comm comm) : comm_(comm) {
        detail::check(MPI_Comm_size(comm, &size_));
    }

    /// See alltold_set_algorithm.
    void choose(const std::string& choice) const {
        detail::check(alltold_set_algorithm(comm_, choice.c_str()));
    }
    /// See alltold_set_clusters.
    void set_clusters(const std::vector<int>& sizes) const {
        detail::check(alltold_set_clusters(comm_, static_cast<int>(sizes.size()), sizes.data()));
    }

    /// Copies the root's `values` to every rank; all ranks pass the same number of elements.
    template <typename T>
    void bcast(std::span<T> values, int root) const {
        detail::check(alltold_bcast(values.data(), detail::count<T>(values.size()),
                                    detail::datatype<T>(), root, comm_));
    }
    /// Sends each rank its `receive.size()` elements of the root's `send`, which holds size() times
    /// as many and is read on the root only.
    template <typename T>
    void scatter(std::span<const T> send, std::span<T> receive, int root) const {
        const int n = detail::count<T>(receive.size());
        detail::check(alltold_scatter(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                      detail::datatype<T>(), root, comm_));
    }
    /// Collects every rank's `send` on the root, in rank order; `receive` is used on the root only.
    template <typename T>
    void gather(std::span<const T> send, std::span<T> receive, int root) const {
        const int n = detail::count<T>(send.size());
        detail::check(alltold_gather(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                     detail::datatype<T>(), root, comm_));
    }
    /// Block j of rank i's `send` becomes block i of rank j's `receive`; both hold size() equal
    /// blocks.
    template <typename T>
    void alltoall(std::span<const T> send, std::span<T> receive) const {
        const int n = block<T>(send.size());
        detail::check(alltold_alltoall(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                       detail::datatype<T>(), comm_));
    }
    /// Starts alltoall; both spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ialltoall(std::span<const T> send, std::span<T> receive) const {
        const int n = block<T>(send.size());
        return started([&](alltold_request* request) {
            return alltold_ialltoall(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                     detail::datatype<T>(), comm_, request);
        });
    }
    /// Starts bcast; the span must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ibcast(std::span<T> values, int root) const {
        return started([&](alltold_request* request) {
            return alltold_ibcast(values.data(), detail::count<T>(values.size()),
                                  detail::datatype<T>(), root, comm_, request);
        });
    }
    /// Starts scatter; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iscatter(std::span<const T> send, std::span<T> receive, int root) const {
        const int n = detail::count<T>(receive.size());
        return started([&](alltold_request* request) {
            return alltold_iscatter(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                    detail::datatype<T>(), root, comm_, request);
        });
    }
    /// Starts gather; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request igather(std::span<const T> send, std::span<T> receive, int root) const {
        const int n = detail::count<T>(send.size());
        return started([&](alltold_request* request) {
            return alltold_igather(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                   detail::datatype<T>(), root, comm_, request);
        });
    }

    /// Collects every rank's `send` everywhere, in rank order; `receive` holds size() times as
    /// many.
    template <typename T>
    void allgather(std::span<const T> send, std::span<T> receive) const {
        const int n = detail::count<T>(send.size());
        detail::check_size(receive.size(), send.size() * ranks());
        detail::check(alltold_allgather(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                        detail::datatype<T>(), comm_));
    }
    /// Starts allgather; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iallgather(std::span<const T> send, std::span<T> receive) const {
        const int n = detail::count<T>(send.size());
        detail::check_size(receive.size(), send.size() * ranks());
        return started([&](alltold_request* request) {
            return alltold_iallgather(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                      detail::datatype<T>(), comm_, request);
        });
    }
    /// Combines the elements of all ranks' `send` at the same place with `op`; `receive` is used on
    /// the root only. Elements of reductions are of a type that MPI has.
    template <typename T>
    void reduce(std::span<const T> send, std::span<T> receive, MPI_Op op, int root) const {
        detail::check(alltold_reduce(send.data(), receive.data(), detail::count<T>(send.size()),
                                     detail::item<T>(), op, root, comm_));
    }
    /// Starts reduce; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ireduce(std::span<const T> send, std::span<T> receive, MPI_Op op,
                                  int root) const {
        return started([&](alltold_request* request) {
            return alltold_ireduce(send.data(), receive.data(), detail::count<T>(send.size()),
                                   detail::item<T>(), op, root, comm_, request);
        });
    }
    /// The same for all ranks, which get the same bits.
    template <typename T>
    void allreduce(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        detail::check(alltold_allreduce(send.data(), receive.data(), detail::count<T>(send.size()),
                                        detail::item<T>(), op, comm_));
    }
    /// Starts allreduce; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iallreduce(std::span<const T> send, std::span<T> receive,
                                     MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        return started([&](alltold_request* request) {
            return alltold_iallreduce(send.data(), receive.data(), detail::count<T>(send.size()),
                                      detail::item<T>(), op, comm_, request);
        });
    }
    /// Allreduce in place: `values` are a rank's own before and the combined ones after.
    template <typename T>
    void allreduce(std::span<T> values, MPI_Op op) const {
        detail::check(alltold_allreduce(MPI_IN_PLACE, values.data(),
                                        detail::count<T>(values.size()), detail::item<T>(), op,
                                        comm_));
    }
    /// Block j of what reduce would combine becomes rank j's `receive`; `send` holds size() blocks.
    template <typename T>
    void reduce_scatter_block(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(send.size(), receive.size() * ranks());
        detail::check(alltold_reduce_scatter_block(send.data(), receive.data(),
                                                   detail::count<T>(receive.size()),
                                                   detail::item<T>(), op, comm_));
    }
    /// Starts reduce_scatter_block; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ireduce_scatter_block(std::span<const T> send, std::span<T> receive,
                                                MPI_Op op) const {
        detail::check_size(send.size(), receive.size() * ranks());
        return started([&](alltold_request* request) {
            return alltold_ireduce_scatter_block(send.data(), receive.data(),
                                                 detail::count<T>(receive.size()),
                                                 detail::item<T>(), op, comm_, request);
        });
    }
    /// Combines the elements of ranks 0 up to this one.
    template <typename T>
    void scan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        detail::check(alltold_scan(send.data(), receive.data(), detail::count<T>(send.size()),
                                   detail::item<T>(), op, comm_));
    }
    /// Starts scan; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iscan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        return started([&](alltold_request* request) {
            return alltold_iscan(send.data(), receive.data(), detail::count<T>(send.size()),
                                 detail::item<T>(), op, comm_, request);
        });
    }
    /// Combines those of the ranks before this one; leaves `receive` as it is on rank 0.
    template <typename T>
    void exscan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        detail::check(alltold_exscan(send.data(), receive.data(), detail::count<T>(send.size()),
                                     detail::item<T>(), op, comm_));
    }
    /// Starts exscan; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iexscan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        return started([&](alltold_request* request) {
            return alltold_iexscan(send.data(), receive.data(), detail::count<T>(send.size()),
                                   detail::item<T>(), op, comm_, request);
        });
    }
    /// Returns once all ranks have called it.
    void barrier() const { detail::check(alltold_barrier(comm_)); }
    /// Starts barrier; the request completes once all ranks have called it.
    [[nodiscard]] Request ibarrier() const {
        return started([&](alltold_request* request) { return alltold_ibarrier(comm_, request); });
    }

    /// In the vector forms, `counts` and `displacements` count elements and have one entry per
    /// rank. Collects every rank's `send` on the root, each in its place.
    template <typename T>
    void gatherv(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                 std::span<const int> displacements, int root) const {
        detail::check(alltold_gatherv(send.data(), detail::count<T>(send.size()), detail::item<T>(),
                                      receive.data(), counts.data(), displacements.data(),
                                      detail::item<T>(), root, comm_));
    }
    /// Starts gatherv; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request igatherv(std::span<const T> send, std::span<T> receive,
                                   std::span<const int> counts, std::span<const int> displacements,
                                   int root) const {
        return started([&](alltold_request* request) {
            return alltold_igatherv(send.data(), detail::count<T>(send.size()), detail::item<T>(),
                                    receive.data(), counts.data(), displacements.data(),
                                    detail::item<T>(), root, comm_, request);
        });
    }
    /// Sends each rank its block of the root's `send`; the first three are used on the root only.
    template <typename T>
    void scatterv(std::span<const T> send, std::span<const int> counts,
                  std::span<const int> displacements, std::span<T> receive, int root) const {
        detail::check(alltold_scatterv(
            send.data(), counts.data(), displacements.data(), detail::item<T>(), receive.data(),
            detail::count<T>(receive.size()), detail::item<T>(), root, comm_));
    }
    /// Starts scatterv; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iscatterv(std::span<const T> send, std::span<const int> counts,
                                    std::span<const int> displacements, std::span<T> receive,
                                    int root) const {
        return started([&](alltold_request* request) {
            return alltold_iscatterv(
                send.data(), counts.data(), displacements.data(), detail::item<T>(), receive.data(),
                detail::count<T>(receive.size()), detail::item<T>(), root, comm_, request);
        });
    }
    /// Collects every rank's `send` everywhere, each in its place.
    template <typename T>
    void allgatherv(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                    std::span<const int> displacements) const {
        check_vectors({counts, displacements});
        detail::check(alltold_allgatherv(send.data(), detail::count<T>(send.size()),
                                         detail::item<T>(), receive.data(), counts.data(),
                                         displacements.data(), detail::item<T>(), comm_));
    }
    /// Starts allgatherv; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request iallgatherv(std::span<const T> send, std::span<T> receive,
                                      std::span<const int> counts,
                                      std::span<const int> displacements) const {
        check_vectors({counts, displacements});
        return started([&](alltold_request* request) {
            return alltold_iallgatherv(send.data(), detail::count<T>(send.size()),
                                       detail::item<T>(), receive.data(), counts.data(),
                                       displacements.data(), detail::item<T>(), comm_, request);
        });
    }
    /// Block j of rank i's `send` becomes block i of rank j's `receive`.
    template <typename T>
    void alltoallv(std::span<const T> send, std::span<const int> send_counts,
                   std::span<const int> send_displacements, std::span<T> receive,
                   std::span<const int> receive_counts,
                   std::span<const int> receive_displacements) const {
        check_vectors({send_counts, send_displacements, receive_counts, receive_displacements});
        detail::check(alltold_alltoallv(send.data(), send_counts.data(), send_displacements.data(),
                                        detail::item<T>(), receive.data(), receive_counts.data(),
                                        receive_displacements.data(), detail::item<T>(), comm_));
    }
    /// Starts alltoallv; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ialltoallv(std::span<const T> send, std::span<const int> send_counts,
                                     std::span<const int> send_displacements, std::span<T> receive,
                                     std::span<const int> receive_counts,
                                     std::span<const int> receive_displacements) const {
        check_vectors({send_counts, send_displacements, receive_counts, receive_displacements});
        return started([&](alltold_request* request) {
            return alltold_ialltoallv(send.data(), send_counts.data(), send_displacements.data(),
                                      detail::item<T>(), receive.data(), receive_counts.data(),
                                      receive_displacements.data(), detail::item<T>(), comm_,
                                      request);
        });
    }
    /// The same with a datatype for every rank and displacements in bytes.
    void alltoallw(const void* send, std::span<const int> send_counts,
                   std::span<const int> send_displacements,
                   std::span<const MPI_Datatype> send_types, void* receive,
                   std::span<const int> receive_counts, std::span<const int> receive_displacements,
                   std::span<const MPI_Datatype> receive_types) const {
        check_vectors({send_counts, send_displacements, receive_counts, receive_displacements});
        detail::check_size(send_types.size(), ranks());
        detail::check_size(receive_types.size(), ranks());
        detail::check(alltold_alltoallw(send, send_counts.data(), send_displacements.data(),
                                        send_types.data(), receive, receive_counts.data(),
                                        receive_displacements.data(), receive_types.data(), comm_));
    }
    /// Starts alltoallw; its spans must stay valid until the request has completed.
    [[nodiscard]] Request ialltoallw(const void* send, std::span<const int> send_counts,
                                     std::span<const int> send_displacements,
                                     std::span<const MPI_Datatype> send_types, void* receive,
                                     std::span<const int> receive_counts,
                                     std::span<const int> receive_displacements,
                                     std::span<const MPI_Datatype> receive_types) const {
        check_vectors({send_counts, send_displacements, receive_counts, receive_displacements});
        detail::check_size(send_types.size(), ranks());
        detail::check_size(receive_types.size(), ranks());
        return started([&](alltold_request* request) {
            return alltold_ialltoallw(send, send_counts.data(), send_displacements.data(),
                                      send_types.data(), receive, receive_counts.data(),
                                      receive_displacements.data(), receive_types.data(), comm_,
                                      request);
        });
    }
    /// As reduce_scatter_block, with counts[j] elements for rank j.
    template <typename T>
    void reduce_scatter(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                        MPI_Op op) const {
        check_vectors({counts});
        detail::check(alltold_reduce_scatter(send.data(), receive.data(), counts.data(),
                                             detail::item<T>(), op, comm_));
    }
    /// Starts reduce_scatter; its spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ireduce_scatter(std::span<const T> send, std::span<T> receive,
                                          std::span<const int> counts, MPI_Op op) const {
        check_vectors({counts});
        return started([&](alltold_request* request) {
            return alltold_ireduce_scatter(send.data(), receive.data(), counts.data(),
                                           detail::item<T>(), op, comm_, request);
        });
    }

    /// Persistent forms, to be made by all ranks in the same order. Spans and what they refer to
    /// must stay valid until the request is gone.
    template <typename T>
    [[nodiscard]] PersistentRequest bcast_init(std::span<T> values, int root) const {
        return made([&](alltold_request* request) {
            return alltold_bcast_init(values.data(), detail::count<T>(values.size()),
                                      detail::datatype<T>(), root, comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest scatter_init(std::span<const T> send, std::span<T> receive,
                                                 int root) const {
        const int n = detail::count<T>(receive.size());
        return made([&](alltold_request* request) {
            return alltold_scatter_init(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                        detail::datatype<T>(), root, comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest gather_init(std::span<const T> send, std::span<T> receive,
                                                int root) const {
        const int n = detail::count<T>(send.size());
        return made([&](alltold_request* request) {
            return alltold_gather_init(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                       detail::datatype<T>(), root, comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest alltoall_init(std::span<const T> send,
                                                  std::span<T> receive) const {
        const int n = block<T>(send.size());
        return made([&](alltold_request* request) {
            return alltold_alltoall_init(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                         detail::datatype<T>(), comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest allgather_init(std::span<const T> send,
                                                   std::span<T> receive) const {
        detail::check_size(receive.size(), send.size() * ranks());
        const int n = detail::count<T>(send.size());
        return made([&](alltold_request* request) {
            return alltold_allgather_init(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                          detail::datatype<T>(), comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest reduce_init(std::span<const T> send, std::span<T> receive,
                                                MPI_Op op, int root) const {
        return made([&](alltold_request* request) {
            return alltold_reduce_init(send.data(), receive.data(), detail::count<T>(send.size()),
                                       detail::item<T>(), op, root, comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest allreduce_init(std::span<const T> send, std::span<T> receive,
                                                   MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        return made([&](alltold_request* request) {
            return alltold_allreduce_init(send.data(), receive.data(),
                                          detail::count<T>(send.size()), detail::item<T>(), op,
                                          comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    reduce_scatter_block_init(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        detail::check_size(send.size(), receive.size() * ranks());
        return made([&](alltold_request* request) {
            return alltold_reduce_scatter_block_init(
                send.data(), receive.data(), detail::count<T>(receive.size()), detail::item<T>(),
                op, comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest scan_init(std::span<const T> send, std::span<T> receive,
                                              MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        return made([&](alltold_request* request) {
            return alltold_scan_init(send.data(), receive.data(), detail::count<T>(send.size()),
                                     detail::item<T>(), op, comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest exscan_init(std::span<const T> send, std::span<T> receive,
                                                MPI_Op op) const {
        detail::check_size(receive.size(), send.size());
        return made([&](alltold_request* request) {
            return alltold_exscan_init(send.data(), receive.data(), detail::count<T>(send.size()),
                                       detail::item<T>(), op, comm_, MPI_INFO_NULL, request);
        });
    }
    [[nodiscard]] PersistentRequest barrier_init() const {
        return made([&](alltold_request* request) {
            return alltold_barrier_init(comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    gatherv_init(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                 std::span<const int> displacements, int root) const {
        return made([&](alltold_request* request) {
            return alltold_gatherv_init(send.data(), detail::count<T>(send.size()),
                                        detail::item<T>(), receive.data(), counts.data(),
                                        displacements.data(), detail::item<T>(), root, comm_,
                                        MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    scatterv_init(std::span<const T> send, std::span<const int> counts,
                  std::span<const int> displacements, std::span<T> receive, int root) const {
        return made([&](alltold_request* request) {
            return alltold_scatterv_init(send.data(), counts.data(), displacements.data(),
                                         detail::item<T>(), receive.data(),
                                         detail::count<T>(receive.size()), detail::item<T>(), root,
                                         comm_, MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest allgatherv_init(std::span<const T> send, std::span<T> receive,
                                                    std::span<const int> counts,
                                                    std::span<const int> displacements) const {
        check_vectors({counts, displacements});
        return made([&](alltold_request* request) {
            return alltold_allgatherv_init(send.data(), detail::count<T>(send.size()),
                                           detail::item<T>(), receive.data(), counts.data(),
                                           displacements.data(), detail::item<T>(), comm_,
                                           MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    alltoallv_init(std::span<const T> send, std::span<const int> send_counts,
                   std::span<const int> send_displacements, std::span<T> receive,
                   std::span<const int> receive_counts,
                   std::span<const int> receive_displacements) const {
        check_vectors({send_counts, send_displacements, receive_counts, receive_displacements});
        return made([&](alltold_request* request) {
            return alltold_alltoallv_init(
                send.data(), send_counts.data(), send_displacements.data(), detail::item<T>(),
                receive.data(), receive_counts.data(), receive_displacements.data(),
                detail::item<T>(), comm_, MPI_INFO_NULL, request);
        });
    }
    [[nodiscard]] PersistentRequest
    alltoallw_init(const void* send, std::span<const int> send_counts,
                   std::span<const int> send_displacements,
                   std::span<const MPI_Datatype> send_types, void* receive,
                   std::span<const int> receive_counts, std::span<const int> receive_displacements,
                   std::span<const MPI_Datatype> receive_types) const {
        check_vectors({send_counts, send_displacements, receive_counts, receive_displacements});
        detail::check_size(send_types.size(), ranks());
        detail::check_size(receive_types.size(), ranks());
        return made([&](alltold_request* request) {
            return alltold_alltoallw_init(send, send_counts.data(), send_displacements.data(),
                                          send_types.data(), receive, receive_counts.data(),
                                          receive_displacements.data(), receive_types.data(), comm_,
                                          MPI_INFO_NULL, request);
        });
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    reduce_scatter_init(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                        MPI_Op op) const {
        check_vectors({counts});
        return made([&](alltold_request* request) {
            return alltold_reduce_scatter_init(send.data(), receive.data(), counts.data(),
                                               detail::item<T>(), op, comm_, MPI_INFO_NULL,
                                               request);
        });
    }

    int size() const { return size_; }

  private:
    /// `start` is given the request's address.
    template <typename Start>
    static Request started(Start&& start) {
        alltold_request request = ALLTOLD_REQUEST_NULL;
        detail::check(start(&request));
        return Request(request);
    }
    template <typename Make>
    static PersistentRequest made(Make&& make) {
        alltold_request request = ALLTOLD_REQUEST_NULL;
        detail::check(make(&request));
        return PersistentRequest(request);
    }
    std::size_t ranks() const { return static_cast<std::size_t>(size_); }
    void check_vectors(std::initializer_list<std::span<const int>> vectors) const {
        for (const auto& vector : vectors)
            detail::check_size(vector.size(), ranks());
    }
    template <typename T>
    int block(std::size_t elements) const {
        if (elements % ranks() != 0)
            throw std::invalid_argument(
                "alltoall: the number of elements must be a multiple of the number of ranks");
        return detail::count<T>(elements / ranks());
    }

    MPI_Comm comm_;
    int size_ = 1;
};

} // namespace alltold

#endif
