// SPDX-License-Identifier: BSD-3-Clause
// The short way for a call that is like the last one of its kind, as calls in a loop are.
#pragma once

#include <array>
#include <memory>

#include "runtime/call.hpp"
#include "runtime/execute/program.hpp"

namespace alltold {

/// For each regular collective the last call that worked in the caller's own memory alone, and its
/// program. A call with the same counts, types and root needs no more checks than that it is one.
class Repeats {
  public:
    struct Last {
        Arguments arguments;
        std::shared_ptr<const Program> program;
        std::shared_ptr<const Reducer> reducer; ///< of a reduction
    };
    /// The call like `arguments`; null when the last call of that collective was another one.
    const Last* find(const Arguments& arguments) const {
        const auto& last = last_[static_cast<std::size_t>(arguments.collective)];
        return last.program && alike(last.arguments, arguments) ? &last : nullptr;
    }
    /// To be told of a call that has a program. It is kept only if a later one with equal arguments
    /// can be served blindly: in the caller's memory, with types and operators that no one can
    /// free.
    void keep(const Arguments& arguments, const Call& call,
              const std::shared_ptr<const Program>& program);
    void clear() { last_ = {}; }

  private:
    static bool alike(const Side& a, const Side& b) {
        return a.count == b.count && a.type == b.type && b.buffer != MPI_IN_PLACE;
    }
    static bool alike(const Arguments& a, const Arguments& b) {
        return alike(a.receive, b.receive) && alike(a.send, b.send) && a.root == b.root &&
               a.op == b.op;
    }

    std::array<Last, all_collectives.size()> last_; ///< by Collective
};

} // namespace alltold
