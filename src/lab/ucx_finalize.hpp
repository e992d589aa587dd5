// SPDX-License-Identifier: BSD-3-Clause
// The shared library that labs preload into MPICH's ranks, carried inside the program.
#pragma once

#include <string_view>

namespace alltold::lab {

/// The bytes of the library made of ucx_finalize.c: the lab has it wherever the program is put.
std::string_view ucx_finalize_library();

} // namespace alltold::lab
