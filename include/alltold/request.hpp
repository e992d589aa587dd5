// SPDX-License-Identifier: BSD-3-Clause
// Errors and requests of alltold's collectives for C++20.
#ifndef ALLTOLD_REQUEST_HPP
#define ALLTOLD_REQUEST_HPP

#include <stdexcept>
#include <string>
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

  protected:
    alltold_request request_;
};

/// A collective that can be started again and again; its destructor waits for it and frees it.
/// start() throws CollectiveError while it is active, and test() is true unless it is.
class PersistentRequest : private Request {
  public:
    using Request::Request, Request::test, Request::wait;
    PersistentRequest(PersistentRequest&&) = default;
    PersistentRequest& operator=(PersistentRequest&&) = default;
    ~PersistentRequest() {
        if (!request_)
            return;
        alltold_wait(&request_);
        alltold_request_free(&request_);
    }

    void start() { detail::check(alltold_start(&request_)); }
};

} // namespace alltold

#endif
