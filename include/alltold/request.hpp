// SPDX-License-Identifier: BSD-3-Clause
// Errors, element types and requests of alltold's collectives for C++20.
#ifndef ALLTOLD_REQUEST_HPP
#define ALLTOLD_REQUEST_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "alltold/alltold.h"

namespace alltold {

/// An MPI error code, with alltold's own reason if it has one.
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

/// The MPI datatype of a C++ type; MPI_BYTE where MPI has none.
template <typename T>
MPI_Datatype datatype() {
    if constexpr (std::is_same_v<T, float>)
        return MPI_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
        return MPI_DOUBLE;
    else if constexpr (std::is_same_v<T, long double>)
        return MPI_LONG_DOUBLE;
    else if constexpr (std::is_same_v<T, short>)
        return MPI_SHORT;
    else if constexpr (std::is_same_v<T, int>)
        return MPI_INT;
    else if constexpr (std::is_same_v<T, long>)
        return MPI_LONG;
    else if constexpr (std::is_same_v<T, long long>)
        return MPI_LONG_LONG;
    else if constexpr (std::is_same_v<T, unsigned short>)
        return MPI_UNSIGNED_SHORT;
    else if constexpr (std::is_same_v<T, unsigned>)
        return MPI_UNSIGNED;
    else if constexpr (std::is_same_v<T, unsigned long>)
        return MPI_UNSIGNED_LONG;
    else if constexpr (std::is_same_v<T, unsigned long long>)
        return MPI_UNSIGNED_LONG_LONG;
    else if constexpr (std::is_same_v<T, char>)
        return MPI_CHAR;
    else if constexpr (std::is_same_v<T, signed char>)
        return MPI_SIGNED_CHAR;
    else if constexpr (std::is_same_v<T, unsigned char>)
        return MPI_UNSIGNED_CHAR;
    else
        return MPI_BYTE;
}

/// Whether one element is one item of its MPI datatype.
template <typename T>
inline constexpr bool is_item = sizeof(T) == 1 ||
                                (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);

/// The MPI count of a span: elements of an MPI datatype, or bytes for other trivially copyable
/// types.
template <typename T>
int count(std::size_t elements) {
    static_assert(std::is_trivially_copyable_v<T>, "only trivially copyable types can be sent");
    const auto scale = datatype<std::remove_cv_t<T>>() == MPI_BYTE ? sizeof(T) : std::size_t{1};
    if (elements * scale > 0x7fffffff)
        throw std::length_error("the count does not fit in MPI's int");
    return static_cast<int>(elements * scale);
}

/// The MPI datatype of what an operator combines or a caller counts.
template <typename T>
MPI_Datatype item() {
    static_assert(is_item<T>, "MPI has no datatype for these elements: use the C interface");
    return datatype<T>();
}

/// Fails unless a span has as many elements as the collective needs.
inline void check_size(std::size_t elements, std::size_t wanted) {
    if (elements != wanted)
        throw std::invalid_argument("a span has " + std::to_string(elements) +
                                    " elements where the collective has " + std::to_string(wanted));
}

} // namespace detail

/// A nonblocking collective; its destructor waits for it.
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

    /// Progresses the collective; true once it has completed.
    bool test() {
        int done = 0;
        detail::check(alltold_test(&request_, &done));
        return done != 0;
    }
    void wait() { detail::check(alltold_wait(&request_)); }

  private:
    alltold_request request_;
};

/// A collective that can be started again and again; its destructor waits for it and frees it.
/// start() throws CollectiveError while it is active.
class PersistentRequest {
  public:
    explicit PersistentRequest(alltold_request request) : request_(request) {}
    PersistentRequest(PersistentRequest&& other) noexcept
        : request_(std::exchange(other.request_, nullptr)) {}
    PersistentRequest& operator=(PersistentRequest&& other) noexcept {
        std::swap(request_, other.request_);
        return *this;
    }
    ~PersistentRequest() {
        if (!request_)
            return;
        alltold_wait(&request_);
        alltold_request_free(&request_);
    }

    void start() { detail::check(alltold_start(&request_)); }
    /// Progresses the collective; true unless it is active.
    bool test() {
        int done = 0;
        detail::check(alltold_test(&request_, &done));
        return done != 0;
    }
    void wait() { detail::check(alltold_wait(&request_)); }

  private:
    alltold_request request_;
};

} // namespace alltold

#endif
