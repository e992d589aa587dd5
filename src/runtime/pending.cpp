// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls: sizes exchanged where they must be, then the program.
#include "runtime/pending.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

constexpr const char* what = "alltold's collective";

} // namespace

Status Pending::start(CommunicatorState& mine, Call call) {
    call_ = std::move(call);
    channel_ = mine.channel();
    if (!mine.order().empty())
        call_.reorder(mine.order());
    auto size_exchange = mine.size_exchange_before(call_.shape());
    if (!size_exchange)
        return size_exchange.error();
    if (*size_exchange) {
        auto recipe = mine.recipe_for(call_.shape());
        if (!recipe)
            return recipe.error();
        later_.emplace(Later{{}, std::move(*recipe)});
        const int size_exchange_tag = mine.take_tags();
        first_tag_ = mine.take_tags();
        return later_->size_exchange.start(std::move(*size_exchange), call_.shape().shares,
                                           channel_, size_exchange_tag);
    }
    const auto program = mine.program_for(call_.shape());
    if (!program)
        return program.error();
    program_ = **program;
    first_tag_ = mine.take_tags();
    return begin();
}

Status Pending::begin() {
    scratch_.reset(new std::byte[program_->schedule().scratch_bytes()]);
    auto memory = call_.memory();
    memory.scratch = scratch_.get();
    return mpi::check(execution_.start(*program_, memory, channel_, first_tag_), what);
}

Status Pending::begin_program() {
    call_.learn(std::move(later_->size_exchange).relayed_bytes());
    auto program = later_->recipe.program_for(call_.shape());
    later_.reset();
    if (!program)
        return program.error();
    program_ = std::move(*program);
    return begin();
}

Result<bool> Pending::test() {
    if (later_) {
        if (auto exchanged = later_->size_exchange.test(); !exchanged || !*exchanged)
            return exchanged;
        if (auto begun = begin_program(); !begun)
            return begun.error();
    }
    bool done = false;
    if (auto tested = mpi::check(execution_.test(done), what); !tested)
        return tested.error();
    return done;
}

Status Pending::wait() {
    if (later_) {
        if (auto exchanged = later_->size_exchange.wait(); !exchanged)
            return exchanged;
        if (auto begun = begin_program(); !begun)
            return begun;
    }
    return mpi::check(execution_.wait(), what);
}

} // namespace alltold
