// SPDX-License-Identifier: BSD-3-Clause
// Slots given in turn, calls moved on together.
#include "runtime/open_calls.hpp"

#include <algorithm>

#include "runtime/pending.hpp"

namespace alltold {

std::uint64_t OpenCalls::add(Pending& call) {
    open_.push_back(&call);
    return next_++;
}

void OpenCalls::finish(std::uint64_t number, const Pending& call) {
    ++finished_[number % slots];
    std::erase(open_, &call);
}

void OpenCalls::advance() {
    const auto all = open_; // those that finish leave it
    for (auto* call : all)
        call->advance();
}

} // namespace alltold
