// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls: sizes told where they must be, then the program.
#include "runtime/pending.hpp"

namespace alltold {

Result<int> Pending::start(Communicator& mine, Call call) {
    call_ = std::move(call);
    channel_ = mine.channel();
    if (!mine.order().empty())
        call_.reorder(mine.order());
    auto talk = mine.talk_before(call_.shape());
    if (!talk)
        return talk.error();
    if (*talk) {
        later_.emplace(Later{{}, mine.recipe_for(call_.shape())});
        const int telling_tag = mine.take_tags();
        first_tag_ = mine.take_tags();
        return later_->telling.start(std::move(*talk), call_.shape().shares, channel_, telling_tag);
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

Result<int> Pending::begin_told() {
    call_.learn(std::move(later_->telling).relayed_bytes());
    auto program = later_->recipe.program_for(call_.shape());
    later_.reset();
    if (!program)
        return program.error();
    program_ = std::move(*program);
    return begin();
}

Result<int> Pending::test(bool& done) {
    if (later_) {
        if (const int code = later_->telling.test(done); code != MPI_SUCCESS || !done)
            return code;
        done = false;
        if (const auto begun = begin_told(); !begun || *begun != MPI_SUCCESS)
            return begun;
    }
    return execution_.test(done);
}

Result<int> Pending::wait() {
    if (later_) {
        if (const int code = later_->telling.wait(); code != MPI_SUCCESS)
            return code;
        if (const auto begun = begin_told(); !begun || *begun != MPI_SUCCESS)
            return begun;
    }
    return execution_.wait();
}

} // namespace alltold
