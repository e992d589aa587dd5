// SPDX-License-Identifier: BSD-3-Clause
// The shared library that labs preload into MPICH's ranks, embedded in the program.
#pragma once

#include <string_view>

namespace alltold::lab {

/// The bytes of the library built from ucx_finalize.c, so that the program needs no other file.
std::string_view ucx_finalize_library();

} // namespace alltold::lab
