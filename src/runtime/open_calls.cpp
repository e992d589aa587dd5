// SPDX-License-Identifier: BSD-3-Clause
// Slots given in turn, calls moved on together.
#include "runtime/open_calls.hpp"

#include "runtime/pending.hpp"

namespace alltold {

std::shared_ptr<OpenCalls> OpenCalls::beside() const {
    auto copy = std::make_shared<OpenCalls>(0);
    copy->tags_of_slot_ = tags_of_slot_;
    copy->open_ = open_;
    return copy;
}

std::uint64_t OpenCalls::add(Pending& call) {
    open_->push_back(&call);
    return next_++;
}

void OpenCalls::finish(std::uint64_t number, const Pending& call) {
    ++finished_[number % slots];
    ++complete_;
    std::erase(*open_, &call);
}

void OpenCalls::advance() {
    const auto all = *open_; // those that finish leave it
    for (auto* call : all)
        call->advance();
}

void OpenCalls::complete() {
    while (complete_ < next_)
        advance();
}

} // namespace alltold
