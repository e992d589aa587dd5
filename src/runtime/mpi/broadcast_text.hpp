// SPDX-License-Identifier: BSD-3-Clause
// Text of rank 0 on every rank of a communicator of the caller's.
#pragma once

#include <functional>
#include <vector>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold::mpi {

/// Overwrites `text` with that of rank 0. Collective: a broadcast of the length and one of the
/// text. Fails as MPI does.
Status broadcast_text(std::string& text, MPI_Comm comm);

/// The text of a file or variable, and the name by which errors call it.
struct NamedText {
    std::string name;
    std::string text;
};

/// Broadcasts the result of `read`, which rank 0 alone calls. Collective, as
/// broadcast_text. Fails alike on all ranks, as `read` does, or as MPI does.
Result<std::vector<NamedText>>
broadcast_texts(const std::function<Result<std::vector<NamedText>>()>& read, MPI_Comm comm);

} // namespace alltold::mpi
