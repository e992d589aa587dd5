// SPDX-License-Identifier: BSD-3-Clause
// alltold's collectives for C++20: spans instead of addresses, counts and datatypes.
#ifndef ALLTOLD_ALLTOLD_HPP
#define ALLTOLD_ALLTOLD_HPP

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "alltold/alltold.h"

namespace alltold {

/// An MPI error code, with alltold's reason if there is one.
class CollectiveError : public std::runtime_error {
  public:
    explicit CollectiveError(int code) : std::runtime_error(text(code)), code_(code) {}
    /// The MPI error code.
    int code() const { return code_; }

  private:
    static std::string text(int code) {
        char buffer[MPI_MAX_ERROR_STRING] = {};
        int length = 0;
        MPI_Error_string(code, buffer, &length);
        const std::string own = alltold_last_error();
        return own.empty() ? buffer : std::string(buffer) + ": " + own;
    }
    int code_;
};

namespace detail {

inline void check(int code) {
    if (code != MPI_SUCCESS)
        throw CollectiveError(code);
}

template <typename T>
MPI_Datatype datatype() {
    if constexpr (std::is_same_v<T, float>)
        return MPI_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
        return MPI_DOUBLE;
    else if constexpr (std::is_same_v<T, int>)
        return MPI_INT;
    else if constexpr (std::is_same_v<T, long>)
        return MPI_LONG;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return MPI_UINT64_T;
    else if constexpr (std::is_same_v<T, char>)
        return MPI_CHAR;
    else
        return MPI_BYTE;
}

/// The elements of a span in MPI's terms: a basic datatype, or bytes for other trivial types.
template <typename T>
int count(std::size_t elements) {
    static_assert(std::is_trivially_copyable_v<T>, "only plain data can be sent");
    const auto scale = datatype<std::remove_cv_t<T>>() == MPI_BYTE ? sizeof(T) : std::size_t{1};
    if (elements * scale > 0x7fffffff)
        throw std::length_error("more elements than MPI can count");
    return static_cast<int>(elements * scale);
}

} // namespace detail

/// A nonblocking collective; waits when it goes out of scope.
class Request {
  public:
    explicit Request(alltold_request request) : request_(request) {}
    Request(Request&& other) noexcept : request_(std::exchange(other.request_, nullptr)) {}
    Request& operator=(Request&& other) noexcept {
        std::swap(request_, other.request_);
        return *this;
    }
    ~Request() {
        if (request_)
            alltold_wait(&request_);
    }

    /// Advances it; true once it has completed.
    bool test() {
        int done = 0;
        detail::check(alltold_test(&request_, &done));
        return done != 0;
    }
    void wait() { detail::check(alltold_wait(&request_)); }

  private:
    alltold_request request_;
};

/// A view of an MPI communicator; copies are cheap, the communicator must outlive it. Every member
/// is collective and throws CollectiveError if the communicator's error handler returns.
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

    /// Broadcasts the root's `values`; the same number of elements on every rank.
    template <typename T>
    void bcast(std::span<T> values, int root) const {
        detail::check(alltold_bcast(values.data(), detail::count<T>(values.size()),
                                    detail::datatype<T>(), root, comm_));
    }
    /// Each rank gets its `receive.size()` elements of the root's `send`, which has size() times as
    /// many and is only used on the root.
    template <typename T>
    void scatter(std::span<const T> send, std::span<T> receive, int root) const {
        const int n = detail::count<T>(receive.size());
        detail::check(alltold_scatter(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                      detail::datatype<T>(), root, comm_));
    }
    /// The root receives all ranks' `send` in rank order; `receive` is only used on the root.
    template <typename T>
    void gather(std::span<const T> send, std::span<T> receive, int root) const {
        const int n = detail::count<T>(send.size());
        detail::check(alltold_gather(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                     detail::datatype<T>(), root, comm_));
    }
    /// Block j of `send` becomes block rank of rank j's `receive`; both hold size() equal blocks.
    template <typename T>
    void alltoall(std::span<const T> send, std::span<T> receive) const {
        const int n = block<T>(send.size());
        detail::check(alltold_alltoall(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                       detail::datatype<T>(), comm_));
    }
    /// The same, nonblocking; both spans must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ialltoall(std::span<const T> send, std::span<T> receive) const {
        const int n = block<T>(send.size());
        alltold_request request = ALLTOLD_REQUEST_NULL;
        detail::check(alltold_ialltoall(send.data(), n, detail::datatype<T>(), receive.data(), n,
                                        detail::datatype<T>(), comm_, &request));
        return Request(request);
    }
    /// Nonblocking bcast; the span must stay valid until the request has completed.
    template <typename T>
    [[nodiscard]] Request ibcast(std::span<T> values, int root) const {
        alltold_request request = ALLTOLD_REQUEST_NULL;
        detail::check(alltold_ibcast(values.data(), detail::count<T>(values.size()),
                                     detail::datatype<T>(), root, comm_, &request));
        return Request(request);
    }

    int size() const { return size_; }

  private:
    template <typename T>
    int block(std::size_t elements) const {
        if (elements % static_cast<std::size_t>(size_) != 0)
            throw std::invalid_argument("an all-to-all needs as many elements for every rank");
        return detail::count<T>(elements / static_cast<std::size_t>(size_));
    }

    MPI_Comm comm_;
    int size_ = 1;
};

} // namespace alltold

#endif
