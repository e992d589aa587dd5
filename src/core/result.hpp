// SPDX-License-Identifier: BSD-3-Clause
// Errors as values: a one-line message a user can act on, and an exit status.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace alltold {

/// What a subcommand's exit status means, the same for all subcommands.
enum class ExitStatus : int {
    done = 0,        ///< it did what was asked
    no = 1,          ///< it ran, and the answer is no: a check failed, a fit was refused
    bad_input = 2,   ///< bad usage or bad input
    environment = 3, ///< this machine or MPI cannot do it
};

/// One line that names the file, line or field, and what would be right.
struct Error {
    std::string message;
    ExitStatus status = ExitStatus::bad_input;
    int code = 0; ///< error code of the library that failed, such as MPI; 0: none
};

inline Error bad_input(std::string message) {
    return {std::move(message), ExitStatus::bad_input};
}
inline Error environment(std::string message) {
    return {std::move(message), ExitStatus::environment};
}
inline Error refused(std::string message) {
    return {std::move(message), ExitStatus::no};
}

/// A value, or the error that kept it from being made.
template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    T& value() {
        assert(state_.index() == 0);
        return *std::get_if<0>(&state_);
    }
    const T& value() const {
        assert(state_.index() == 0);
        return *std::get_if<0>(&state_);
    }
    const Error& error() const {
        assert(state_.index() == 1);
        return *std::get_if<1>(&state_);
    }

  private:
    std::variant<T, Error> state_;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

/// The result; an error's message begins with `context`, such as the option or file, and a colon.
template <typename T>
Result<T> in_context(std::string_view context, Result<T> result) {
    if (result)
        return result;
    return Error{std::string(context) + ": " + result.error().message, result.error().status};
}

} // namespace alltold

/// `auto name = expression;`, which leaves the function with the error if the Result is one.
#define ALLTOLD_TRY(name, ...)                                                                     \
    auto name = __VA_ARGS__;                                                                       \
    if (!name)                                                                                     \
    return name.error()

/// For a Status, or a Result whose value is not wanted.
#define ALLTOLD_TRY_DONE(...)                                                                      \
    do {                                                                                           \
        if (auto tried = __VA_ARGS__; !tried)                                                      \
            return tried.error();                                                                  \
    } while (false)

/// Moves a Result's value into `place`.
#define ALLTOLD_TRY_INTO(place, ...)                                                               \
    do {                                                                                           \
        auto tried = __VA_ARGS__;                                                                  \
        if (!tried)                                                                                \
            return tried.error();                                                                  \
        place = std::move(*tried);                                                                 \
    } while (false)
