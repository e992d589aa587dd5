// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls: sizes exchanged where they must be, then the program.
#include "runtime/pending.hpp"

#include <new>

namespace alltold {
namespace {

constexpr const char* the_collective = "alltold's collective";

} // namespace

Status Pending::start(CommunicatorState& mine, Call call, bool at_once) {
    ALLTOLD_TRY_DONE(prepare(mine, std::move(call)));
    at_once_ = at_once;
    channel_ = mine.channel();
    open_ = mine.open_calls();
    number_ = open_->add(*this);
    first_tag_ = open_->first_tag(number_);
    return first_step();
}

Status Pending::start_on(MPI_Comm channel, int first_tag, CommunicatorState& mine, Call call) {
    ALLTOLD_TRY_DONE(prepare(mine, std::move(call)));
    channel_ = channel;
    first_tag_ = first_tag;
    return first_step();
}

Status Pending::prepare(CommunicatorState& mine, Call call) {
    call_ = std::move(call);
    if (!mine.order().empty())
        call_.reorder(mine.order());
    ALLTOLD_TRY_DONE(call_.hold_types());
    ALLTOLD_TRY(exchange, mine.size_exchange_before(call_.shape()));
    if (*exchange) {
        ALLTOLD_TRY(recipe, mine.recipe_for(call_.shape()));
        later_.emplace(Later{std::move(*exchange), {}, std::move(*recipe)});
    } else {
        ALLTOLD_TRY(program, mine.program_for(call_.shape()));
        program_ = **program;
    }
    return Done{};
}

Status Pending::first_step() {
    stage_ = Stage::queued;
    advance();
    return stage_ == Stage::complete ? result_ : Done{};
}

Status Pending::begin() {
    if (!later_)
        return begin_program();
    stage_ = Stage::exchange;
    // Both share the call's tags: each rank is through with the one before it starts the other.
    return later_->run.start(std::move(later_->exchange), call_.shape().shares, channel_,
                             first_tag_);
}

Status Pending::begin_program() {
    stage_ = Stage::program;
    if (later_) {
        call_.learn(std::move(later_->run).relayed_bytes());
        auto program = later_->recipe.program_for(call_.shape());
        later_.reset();
        if (!program)
            return program.error();
        program_ = std::move(*program);
    }
    scratch_.reset(new std::byte[program_->schedule().scratch_bytes()]);
    auto memory = call_.memory();
    memory.scratch = scratch_.get();
    return mpi::check(execution_.start(*program_, memory, channel_, first_tag_), the_collective);
}

void Pending::complete(Status how) {
    stage_ = Stage::complete;
    result_ = std::move(how);
    if (open_)
        open_->finish(number_, *this);
}

Status Pending::step() try {
    if (stage_ == Stage::queued) {
        if (!at_once_ && open_ && !open_->may_start(number_))
            return Done{};
        ALLTOLD_TRY_DONE(begin());
    }
    if (stage_ == Stage::exchange) {
        ALLTOLD_TRY(exchanged, later_->run.test());
        if (!*exchanged)
            return Done{};
        ALLTOLD_TRY_DONE(begin_program());
    }
    bool done = false;
    ALLTOLD_TRY_DONE(mpi::check(execution_.test(done), the_collective));
    if (done)
        complete(Done{});
    return Done{};
} catch (const std::bad_alloc&) { // complete, so that no list refers to it
    return mpi::out_of_memory();
}

void Pending::advance() {
    if (stage_ == Stage::complete)
        return;
    if (auto moved = step(); !moved)
        complete(std::move(moved));
}

Result<bool> Pending::is_complete() const {
    if (stage_ != Stage::complete)
        return false;
    if (!result_)
        return result_.error();
    return true;
}

Result<bool> Pending::test() {
    if (stage_ == Stage::queued)
        open_->advance();
    else
        advance();
    return is_complete();
}

Result<bool> Pending::test_with_others() {
    if (stage_ != Stage::complete)
        open_ && !open_->only_one() ? open_->advance() : advance();
    return is_complete();
}

Status Pending::wait() {
    if (stage_ == Stage::program && (!open_ || open_->only_one()))
        complete(mpi::check(execution_.wait(), the_collective));
    while (stage_ != Stage::complete)
        open_ ? open_->advance() : advance();
    return result_;
}

} // namespace alltold
