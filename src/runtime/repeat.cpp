// SPDX-License-Identifier: BSD-3-Clause
// Which calls may be repeated without looking at their arguments again.
#include "runtime/repeat.hpp"

namespace alltold {
namespace {

/// Whether MPI looks at this side's arguments on this rank; the others may be anything.
bool sends(const Arguments& arguments, bool is_root) {
    return arguments.collective == Collective::scatter ? is_root
                                                       : arguments.collective != Collective::bcast;
}

bool receives(const Arguments& arguments, bool is_root) {
    return arguments.collective != Collective::gather || is_root;
}

} // namespace

void Repeats::keep(const Arguments& arguments, const Call& call,
                   const std::shared_ptr<const Program>& program) {
    const bool is_root = call.caller().rank == arguments.root;
    if (!traits_of(arguments.collective).has_data) {
        last_[static_cast<std::size_t>(arguments.collective)] = {arguments, program, nullptr};
        return;
    }
    const bool blindly = call.direct() && arguments.send.buffer != MPI_IN_PLACE &&
                         arguments.receive.buffer != MPI_IN_PLACE &&
                         (!sends(arguments, is_root) || is_named(arguments.send.type)) &&
                         (!receives(arguments, is_root) || is_named(arguments.receive.type)) &&
                         (arguments.op == MPI_OP_NULL || is_predefined(arguments.op));
    if (blindly)
        last_[static_cast<std::size_t>(arguments.collective)] = {arguments, program,
                                                                 call.reducer()};
}

} // namespace alltold
