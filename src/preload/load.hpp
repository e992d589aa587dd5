// SPDX-License-Identifier: BSD-3-Clause
// The MPI library that this one was built for, and the program's.
#pragma once

namespace alltold::preload {

/// Starts the program anew with the right one of our libraries, or none, where it runs on another
/// MPI library: every handle of that is another type. Comes before its main, and before its
/// MPI_Init, which a library's constructor may call before ours have run. Once.
void check_library();

} // namespace alltold::preload
