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
    /// The program for `arguments`; null when the last call of that collective was another one.
    const Program* find(const Arguments& arguments) const {
        const auto& last = last_[static_cast<std::size_t>(arguments.collective)];
        return last.program && alike(last.arguments, arguments) ? last.program.get() : nullptr;
    }
    /// To be told of a call that has a program. It is kept only if a later one with equal arguments
    /// can be served blindly: in the caller's memory, with types that no one can free.
    void keep(const Arguments& arguments, const Call& call,
              const std::shared_ptr<const Program>& program);
    void clear() { last_ = {}; }

  private:
    struct Last {
        Arguments arguments;
        std::shared_ptr<const Program> program;
    };
    static bool alike(const Side& a, const Side& b) {
        return a.count == b.count && a.type == b.type && b.buffer != MPI_IN_PLACE;
    }
    static bool alike(const Arguments& a, const Arguments& b) {
        return alike(a.receive, b.receive) && alike(a.send, b.send) && a.root == b.root;
    }

    std::array<Last, 4> last_; ///< by Collective
};

} // namespace alltold
