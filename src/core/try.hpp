// SPDX-License-Identifier: BSD-3-Clause
// Passing an error on to the caller in one line.
#pragma once

#include "core/result.hpp"

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
