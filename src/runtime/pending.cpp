// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls: sizes exchanged where they must be, then the program.
#include "runtime/pending.hpp"

namespace alltold {

Result<int> Pending::start(CommunicatorState& mine, Call call) {
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

int Pending::begin() {
    scratch_.reset(new std::byte[program_->schedule().scratch_bytes()]);
    auto memory = call_.memory();
    memory.scratch = scratch_.get();
    return execution_.start(*program_, memory, channel_, first_tag_);
}

Result<int> Pending::begin_program() {
    call_.learn(std::move(later_->size_exchange).relayed_bytes());
    auto program = later_->recipe.program_for(call_.shape());
    later_.reset();
    if (!program)
        return program.error();
    program_ = std::move(*program);
    return begin();
}

Result<int> Pending::test(bool& done) {
    if (later_) {
        if (const int code = later_->size_exchange.test(done); code != MPI_SUCCESS || !done)
            return code;
        done = false;
        if (const auto begun = begin_program(); !begun || *begun != MPI_SUCCESS)
            return begun;
    }
    return execution_.test(done);
}

Result<int> Pending::wait() {
    if (later_) {
        if (const int code = later_->size_exchange.wait(); code != MPI_SUCCESS)
            return code;
        if (const auto begun = begin_program(); !begun || *begun != MPI_SUCCESS)
            return begun;
    }
    return execution_.wait();
}

} // namespace alltold
