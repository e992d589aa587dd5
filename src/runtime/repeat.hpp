// SPDX-License-Identifier: BSD-3-Clause
// A fast path for calls that repeat the previous one, as in a loop.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "runtime/call.hpp"
#include "runtime/execute/program.hpp"

namespace alltold {

/// For each regular collective the last call that worked in the caller's own memory alone, and its
/// program. A call with the same counts, types and root needs no further checks.
class Repeats {
  public:
    struct Last {
        Arguments arguments;
        std::shared_ptr<const Program> program;
        std::shared_ptr<const Reducer> reducer; ///< for reductions
    };
    /// The last call of that collective if it equals `arguments`; else null.
    const Last* find(const Arguments& arguments) const {
        const auto& last = last_[static_cast<std::size_t>(arguments.collective)];
        return last.program && alike(last.arguments, arguments) ? &last : nullptr;
    }
    void keep(Last call) {
        last_[static_cast<std::size_t>(call.arguments.collective)] = std::move(call);
    }
    void clear() { last_ = {}; }

  private:
    static bool alike(const Side& a, const Side& b) {
        return a.count == b.count && a.type == b.type && b.buffer != MPI_IN_PLACE;
    }
    static bool alike(const Arguments& a, const Arguments& b) {
        return alike(a.receive, b.receive) && alike(a.send, b.send) && a.root == b.root &&
               a.op == b.op && a.picked == b.picked;
    }

    std::array<Last, all_collectives.size()> last_; ///< by Collective
};

} // namespace alltold
