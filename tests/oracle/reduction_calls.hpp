// SPDX-License-Identifier: BSD-3-Clause
// The reductions of both libraries behind one argument list.
#pragma once

#include <string>

#include "world.hpp"

namespace oracle {

/// What all reductions take; `root` is looked at where there is one.
struct ReductionCall {
    const void* send;
    void* receive;
    int count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
};

/// The MPI library's own, alltold's, and alltold's started and finished as `finish` does with
/// `seed`. `collective` is a name. Return MPI error codes.
int run_theirs(const World& world, const std::string& collective, const ReductionCall& call);
int run_ours(const World& world, const std::string& collective, const ReductionCall& call);
int start_ours(const World& world, const std::string& collective, const ReductionCall& call,
               int seed);

} // namespace oracle
