// SPDX-License-Identifier: BSD-3-Clause
// alltold's collectives for C++20: spans in place of addresses, counts and datatypes.
#ifndef ALLTOLD_ALLTOLD_HPP
#define ALLTOLD_ALLTOLD_HPP

#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "alltold/arguments.hpp"
#include "alltold/request.hpp"

namespace alltold {

/// A view of an MPI communicator, which must outlive it; copies are cheap. Every member function is
/// collective and throws CollectiveError if the communicator's error handler returns.
///
/// Each collective has three forms: bcast returns once it has completed, ibcast starts it, and
/// bcast_init makes it persistent, which all ranks must do in the same order. Spans and what they
/// refer to must stay valid until the request has completed, or until a persistent one is gone.
class Communicator {
  public:
    explicit Communicator(MPI_Comm comm) : comm_(comm) {
        detail::check(MPI_Comm_size(comm, &size_));
    }
    int size() const { return size_; }

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
        completed(alltold_bcast, detail::whole(values, root));
    }
    template <typename T>
    [[nodiscard]] Request ibcast(std::span<T> values, int root) const {
        return started(alltold_ibcast, detail::whole(values, root));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest bcast_init(std::span<T> values, int root) const {
        return made(alltold_bcast_init, detail::whole(values, root));
    }

    /// Sends each rank its `receive.size()` elements of the root's `send`, which holds size() times
    /// as many and is read on the root only.
    template <typename T>
    void scatter(std::span<const T> send, std::span<T> receive, int root) const {
        completed(alltold_scatter,
                  detail::with_root(detail::blocks(send, receive, receive.size()), root));
    }
    template <typename T>
    [[nodiscard]] Request iscatter(std::span<const T> send, std::span<T> receive, int root) const {
        return started(alltold_iscatter,
                       detail::with_root(detail::blocks(send, receive, receive.size()), root));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest scatter_init(std::span<const T> send, std::span<T> receive,
                                                 int root) const {
        return made(alltold_scatter_init,
                    detail::with_root(detail::blocks(send, receive, receive.size()), root));
    }

    /// Collects every rank's `send` on the root, in rank order; `receive` is used on the root only.
    template <typename T>
    void gather(std::span<const T> send, std::span<T> receive, int root) const {
        completed(alltold_gather,
                  detail::with_root(detail::blocks(send, receive, send.size()), root));
    }
    template <typename T>
    [[nodiscard]] Request igather(std::span<const T> send, std::span<T> receive, int root) const {
        return started(alltold_igather,
                       detail::with_root(detail::blocks(send, receive, send.size()), root));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest gather_init(std::span<const T> send, std::span<T> receive,
                                                int root) const {
        return made(alltold_gather_init,
                    detail::with_root(detail::blocks(send, receive, send.size()), root));
    }

    /// Block j of rank i's `send` becomes block i of rank j's `receive`; both hold size() equal
    /// blocks.
    template <typename T>
    void alltoall(std::span<const T> send, std::span<T> receive) const {
        completed(alltold_alltoall,
                  detail::blocks(send, receive, detail::block(ranks(), send.size())));
    }
    template <typename T>
    [[nodiscard]] Request ialltoall(std::span<const T> send, std::span<T> receive) const {
        return started(alltold_ialltoall,
                       detail::blocks(send, receive, detail::block(ranks(), send.size())));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest alltoall_init(std::span<const T> send,
                                                  std::span<T> receive) const {
        return made(alltold_alltoall_init,
                    detail::blocks(send, receive, detail::block(ranks(), send.size())));
    }

    /// Collects every rank's `send` everywhere, in rank order; `receive` holds size() times as
    /// many.
    template <typename T>
    void allgather(std::span<const T> send, std::span<T> receive) const {
        completed(alltold_allgather, detail::gathered(ranks(), send, receive));
    }
    template <typename T>
    [[nodiscard]] Request iallgather(std::span<const T> send, std::span<T> receive) const {
        return started(alltold_iallgather, detail::gathered(ranks(), send, receive));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest allgather_init(std::span<const T> send,
                                                   std::span<T> receive) const {
        return made(alltold_allgather_init, detail::gathered(ranks(), send, receive));
    }

    /// Combines the elements of all ranks' `send` at the same place with `op`; `receive` is used on
    /// the root only. Elements of reductions are of a type that MPI has.
    template <typename T>
    void reduce(std::span<const T> send, std::span<T> receive, MPI_Op op, int root) const {
        completed(alltold_reduce,
                  detail::with_root(detail::combined(send, receive, send.size(), op), root));
    }
    template <typename T>
    [[nodiscard]] Request ireduce(std::span<const T> send, std::span<T> receive, MPI_Op op,
                                  int root) const {
        return started(alltold_ireduce,
                       detail::with_root(detail::combined(send, receive, send.size(), op), root));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest reduce_init(std::span<const T> send, std::span<T> receive,
                                                MPI_Op op, int root) const {
        return made(alltold_reduce_init,
                    detail::with_root(detail::combined(send, receive, send.size(), op), root));
    }

    /// The same for all ranks, which get the same bits.
    template <typename T>
    void allreduce(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        completed(alltold_allreduce, detail::combined_each(send, receive, op));
    }
    template <typename T>
    [[nodiscard]] Request iallreduce(std::span<const T> send, std::span<T> receive,
                                     MPI_Op op) const {
        return started(alltold_iallreduce, detail::combined_each(send, receive, op));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest allreduce_init(std::span<const T> send, std::span<T> receive,
                                                   MPI_Op op) const {
        return made(alltold_allreduce_init, detail::combined_each(send, receive, op));
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
        completed(alltold_reduce_scatter_block,
                  detail::combined_blocks(ranks(), send, receive, op));
    }
    template <typename T>
    [[nodiscard]] Request ireduce_scatter_block(std::span<const T> send, std::span<T> receive,
                                                MPI_Op op) const {
        return started(alltold_ireduce_scatter_block,
                       detail::combined_blocks(ranks(), send, receive, op));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    reduce_scatter_block_init(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        return made(alltold_reduce_scatter_block_init,
                    detail::combined_blocks(ranks(), send, receive, op));
    }

    /// Combines the elements of ranks 0 up to this one.
    template <typename T>
    void scan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        completed(alltold_scan, detail::combined_each(send, receive, op));
    }
    template <typename T>
    [[nodiscard]] Request iscan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        return started(alltold_iscan, detail::combined_each(send, receive, op));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest scan_init(std::span<const T> send, std::span<T> receive,
                                              MPI_Op op) const {
        return made(alltold_scan_init, detail::combined_each(send, receive, op));
    }

    /// Combines those of the ranks before this one; leaves `receive` as it is on rank 0.
    template <typename T>
    void exscan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        completed(alltold_exscan, detail::combined_each(send, receive, op));
    }
    template <typename T>
    [[nodiscard]] Request iexscan(std::span<const T> send, std::span<T> receive, MPI_Op op) const {
        return started(alltold_iexscan, detail::combined_each(send, receive, op));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest exscan_init(std::span<const T> send, std::span<T> receive,
                                                MPI_Op op) const {
        return made(alltold_exscan_init, detail::combined_each(send, receive, op));
    }

    /// Returns once all ranks have called it.
    void barrier() const { completed(alltold_barrier, std::tuple()); }
    [[nodiscard]] Request ibarrier() const { return started(alltold_ibarrier, std::tuple()); }
    [[nodiscard]] PersistentRequest barrier_init() const {
        return made(alltold_barrier_init, std::tuple());
    }

    /// In the vector forms, `counts` and `displacements` count elements and have one entry per
    /// rank. Collects every rank's `send` on the root, each in its place.
    template <typename T>
    void gatherv(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                 std::span<const int> displacements, int root) const {
        completed(alltold_gatherv,
                  detail::with_root(detail::collected(send, receive, counts, displacements), root));
    }
    template <typename T>
    [[nodiscard]] Request igatherv(std::span<const T> send, std::span<T> receive,
                                   std::span<const int> counts, std::span<const int> displacements,
                                   int root) const {
        return started(
            alltold_igatherv,
            detail::with_root(detail::collected(send, receive, counts, displacements), root));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    gatherv_init(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                 std::span<const int> displacements, int root) const {
        return made(
            alltold_gatherv_init,
            detail::with_root(detail::collected(send, receive, counts, displacements), root));
    }

    /// Sends each rank its block of the root's `send`; the first three are used on the root only.
    template <typename T>
    void scatterv(std::span<const T> send, std::span<const int> counts,
                  std::span<const int> displacements, std::span<T> receive, int root) const {
        completed(alltold_scatterv, detail::scattered(send, counts, displacements, receive, root));
    }
    template <typename T>
    [[nodiscard]] Request iscatterv(std::span<const T> send, std::span<const int> counts,
                                    std::span<const int> displacements, std::span<T> receive,
                                    int root) const {
        return started(alltold_iscatterv,
                       detail::scattered(send, counts, displacements, receive, root));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    scatterv_init(std::span<const T> send, std::span<const int> counts,
                  std::span<const int> displacements, std::span<T> receive, int root) const {
        return made(alltold_scatterv_init,
                    detail::scattered(send, counts, displacements, receive, root));
    }

    /// Collects every rank's `send` everywhere, each in its place.
    template <typename T>
    void allgatherv(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                    std::span<const int> displacements) const {
        completed(alltold_allgatherv,
                  detail::collected_everywhere(ranks(), send, receive, counts, displacements));
    }
    template <typename T>
    [[nodiscard]] Request iallgatherv(std::span<const T> send, std::span<T> receive,
                                      std::span<const int> counts,
                                      std::span<const int> displacements) const {
        return started(alltold_iallgatherv,
                       detail::collected_everywhere(ranks(), send, receive, counts, displacements));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest allgatherv_init(std::span<const T> send, std::span<T> receive,
                                                    std::span<const int> counts,
                                                    std::span<const int> displacements) const {
        return made(alltold_allgatherv_init,
                    detail::collected_everywhere(ranks(), send, receive, counts, displacements));
    }

    /// Block j of rank i's `send` becomes block i of rank j's `receive`.
    template <typename T>
    void alltoallv(std::span<const T> send, std::span<const int> send_counts,
                   std::span<const int> send_displacements, std::span<T> receive,
                   std::span<const int> receive_counts,
                   std::span<const int> receive_displacements) const {
        completed(alltold_alltoallv,
                  detail::exchanged(ranks(), send, send_counts, send_displacements, receive,
                                    receive_counts, receive_displacements));
    }
    template <typename T>
    [[nodiscard]] Request ialltoallv(std::span<const T> send, std::span<const int> send_counts,
                                     std::span<const int> send_displacements, std::span<T> receive,
                                     std::span<const int> receive_counts,
                                     std::span<const int> receive_displacements) const {
        return started(alltold_ialltoallv,
                       detail::exchanged(ranks(), send, send_counts, send_displacements, receive,
                                         receive_counts, receive_displacements));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    alltoallv_init(std::span<const T> send, std::span<const int> send_counts,
                   std::span<const int> send_displacements, std::span<T> receive,
                   std::span<const int> receive_counts,
                   std::span<const int> receive_displacements) const {
        return made(alltold_alltoallv_init,
                    detail::exchanged(ranks(), send, send_counts, send_displacements, receive,
                                      receive_counts, receive_displacements));
    }

    /// The same with a datatype for every rank and displacements in bytes.
    void alltoallw(const void* send, std::span<const int> send_counts,
                   std::span<const int> send_displacements,
                   std::span<const MPI_Datatype> send_types, void* receive,
                   std::span<const int> receive_counts, std::span<const int> receive_displacements,
                   std::span<const MPI_Datatype> receive_types) const {
        completed(alltold_alltoallw,
                  detail::exchanged(ranks(), send, send_counts, send_displacements, send_types,
                                    receive, receive_counts, receive_displacements, receive_types));
    }
    [[nodiscard]] Request ialltoallw(const void* send, std::span<const int> send_counts,
                                     std::span<const int> send_displacements,
                                     std::span<const MPI_Datatype> send_types, void* receive,
                                     std::span<const int> receive_counts,
                                     std::span<const int> receive_displacements,
                                     std::span<const MPI_Datatype> receive_types) const {
        return started(alltold_ialltoallw,
                       detail::exchanged(ranks(), send, send_counts, send_displacements, send_types,
                                         receive, receive_counts, receive_displacements,
                                         receive_types));
    }
    [[nodiscard]] PersistentRequest
    alltoallw_init(const void* send, std::span<const int> send_counts,
                   std::span<const int> send_displacements,
                   std::span<const MPI_Datatype> send_types, void* receive,
                   std::span<const int> receive_counts, std::span<const int> receive_displacements,
                   std::span<const MPI_Datatype> receive_types) const {
        return made(alltold_alltoallw_init,
                    detail::exchanged(ranks(), send, send_counts, send_displacements, send_types,
                                      receive, receive_counts, receive_displacements,
                                      receive_types));
    }

    /// As reduce_scatter_block, with counts[j] elements for rank j.
    template <typename T>
    void reduce_scatter(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                        MPI_Op op) const {
        completed(alltold_reduce_scatter,
                  detail::combined_vector(ranks(), send, receive, counts, op));
    }
    template <typename T>
    [[nodiscard]] Request ireduce_scatter(std::span<const T> send, std::span<T> receive,
                                          std::span<const int> counts, MPI_Op op) const {
        return started(alltold_ireduce_scatter,
                       detail::combined_vector(ranks(), send, receive, counts, op));
    }
    template <typename T>
    [[nodiscard]] PersistentRequest
    reduce_scatter_init(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
                        MPI_Op op) const {
        return made(alltold_reduce_scatter_init,
                    detail::combined_vector(ranks(), send, receive, counts, op));
    }

  private:
    /// Calls a C function with `arguments`, then the communicator.
    template <typename Function, typename... Arguments>
    void completed(Function&& function, const std::tuple<Arguments...>& arguments) const {
        std::apply([&](auto... each) { detail::check(function(each..., comm_)); }, arguments);
    }
    /// The same for a function that starts a request, its last argument.
    template <typename Function, typename... Arguments>
    Request started(Function&& function, const std::tuple<Arguments...>& arguments) const {
        alltold_request request = ALLTOLD_REQUEST_NULL;
        completed([&](auto... each) { return function(each..., &request); }, arguments);
        return Request(request);
    }
    /// The same for a function that makes a persistent request, which takes an info object as well.
    template <typename Function, typename... Arguments>
    PersistentRequest made(Function&& function, const std::tuple<Arguments...>& arguments) const {
        alltold_request request = ALLTOLD_REQUEST_NULL;
        completed([&](auto... each) { return function(each..., MPI_INFO_NULL, &request); },
                  arguments);
        return PersistentRequest(request);
    }
    std::size_t ranks() const { return static_cast<std::size_t>(size_); }

    MPI_Comm comm_;
    int size_ = 1;
};

} // namespace alltold

#endif
