// SPDX-License-Identifier: BSD-3-Clause
// Starts of persistent calls.
#include "preload/persistent.hpp"

#include <mutex>
#include <new>

#include "preload/job.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

PersistentCall::PersistentCall(std::shared_ptr<CommunicatorState> state,
                               std::shared_ptr<PersistentChannels> channels,
                               const PersistentChannels::Place& place,
                               std::unique_ptr<KeptArguments> arguments, PersistentLog log)
    : state_(std::move(state)), channels_(std::move(channels)), place_(place),
      arguments_(std::move(arguments)), log_(std::move(log)) {}

Status PersistentCall::Start::begin() {
    auto call = call_.arguments_->call(call_.state_->caller());
    if (!call)
        return call.error();
    const std::lock_guard held(turn());
    return begun(pending_.start_on(call_.place_.channel, call_.place_.first_tag, *call_.state_,
                                   std::move(*call)));
}

void PersistentCall::Start::tell() {
    complete(call_, code_);
}

Status PersistentCall::begin() try {
    run_.emplace(*this);
    if (auto begun = run_->begin(); !begun)
        return begun;
    ProgressEngine::add(*run_);
    return Done{};
} catch (const std::bad_alloc&) {
    return mpi::out_of_memory();
}

void PersistentCall::start() {
    const double start_s = PMPI_Wtime();
    if (const auto begun = begin(); !begun)
        return complete(*this, mpi::code_of(begun));
    if (auto* const job = Job::present(); job && job->observed()) {
        log_.call.choice = &log_.choice;
        log_.call.duration_s = PMPI_Wtime() - start_s;
        job->observe(log_.call);
    }
}

namespace {

/// Whether there is a program for it, as far as that is known before sizes are exchanged.
Status has_program(CommunicatorState& state, Call call) {
    if (!state.order().empty())
        call.reorder(state.order());
    const auto& shape = call.shape();
    const auto exchange = state.size_exchange_before(shape);
    if (!exchange)
        return exchange.error();
    if (!*exchange) {
        const auto program = state.program_for(shape);
        return program ? Status(Done{}) : program.error();
    }
    const auto recipe = state.recipe_for(shape);
    return recipe ? Status(Done{}) : recipe.error();
}

} // namespace

Status make_persistent(const std::shared_ptr<CommunicatorState>& state,
                       const std::shared_ptr<PersistentChannels>& channels, MPI_Comm comm,
                       std::unique_ptr<KeptArguments> arguments, PersistentLog log,
                       MPI_Request* request) {
    if (!ProgressEngine::found())
        return refused("the MPI library has no progress engine that calls us");
    auto call = arguments->call(state->caller());
    if (!call)
        return call.error();
    if (auto has = has_program(*state, std::move(*call)); !has)
        return has;
    const auto place = channels->take(*state);
    if (!place)
        return place.error();
    return make_request(std::make_unique<PersistentCall>(state, channels, *place,
                                                         std::move(arguments), std::move(log)),
                        comm, request);
}

} // namespace alltold::preload
