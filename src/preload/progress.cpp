// SPDX-License-Identifier: BSD-3-Clause
// Calls that start at once, and those that start later.
#include "preload/progress.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "preload/progress_engine.hpp"
#include "preload/request.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

constexpr int most_ranks = 128;
constexpr std::size_t most_kept = 1024;
constexpr const char* making = "making a request";

bool waits_for_messages(const Program& program) {
    std::vector<char> late(static_cast<std::size_t>(program.size()));
    for (int i = 0; i < program.size(); ++i) { // what an operation waits for stands before it
        const bool is_message = program[i].is_message();
        if (is_message && late[static_cast<std::size_t>(i)])
            return true;
        for (const auto next : program.next(i))
            if (is_message || late[static_cast<std::size_t>(i)])
                late[static_cast<std::size_t>(next)] = 1;
    }
    return false;
}

Result<bool> looked_through(CommunicatorState& mine, Shape shape) {
    const bool rooted = traits_of(shape.collective).rooted;
    if (const auto order = mine.order(); rooted && !order.empty()) // as Call::reorder
        shape.root = static_cast<int>(std::ranges::find(order, shape.root) - order.begin());
    auto recipe = mine.recipe_for(shape);
    if (!recipe)
        return recipe.error();
    for (recipe->rank = 0; recipe->rank < recipe->ranks; ++recipe->rank) {
        const auto program = recipe->program_for(shape);
        if (!program)
            return program.error();
        if (waits_for_messages(**program))
            return false;
    }
    return true;
}

#ifdef MPICH_VERSION
constexpr bool only_at_once = true;
#else
constexpr bool only_at_once = false;
#endif

/// A call that starts later.
class WaitingCall : public OpenRequest {
  public:
    WaitingCall(std::shared_ptr<CommunicatorState> state, std::deque<const OpenCall*>& queue,
                std::unique_ptr<KeptArguments> arguments, WaitingCalls::Decide decide,
                MPI_Comm library)
        : OpenRequest(std::move(state)), queue_(&queue), arguments_(std::move(arguments)),
          decide_(std::move(decide)), comm_(library) {
        need_.set(true);
    }

  private:
    bool step() override;
    bool start();

    std::deque<const OpenCall*>* queue_; ///< null once started
    std::unique_ptr<KeptArguments> arguments_;
    WaitingCalls::Decide decide_;
    MPI_Comm comm_;
    MPI_Request library_ = MPI_REQUEST_NULL;
};

bool WaitingCall::step() {
    if (queue_ && !start())
        return false;
    if (code_ != MPI_SUCCESS) // it could not start
        return true;
    if (!arguments_) // ours
        return OpenRequest::step();
    int done = 0;
    code_ = PMPI_Test(&library_, &done, MPI_STATUS_IGNORE);
    return done || code_ != MPI_SUCCESS;
}

/// Whether it has started.
bool WaitingCall::start() {
    if (queue_->front() != this)
        return false;
    const auto decision = decide_();
    if (!decision)
        return false;
    queue_->pop_front();
    queue_ = nullptr;
    if (decision->ours()) {
        arguments_->pick(decision->choice);
        auto call = arguments_->call(state_->caller());
        const auto started =
            begun(call ? pending_.start(*state_, std::move(*call)) : Status(call.error()));
        if (started || started.error().status == ExitStatus::environment) {
            arguments_.reset();
            code_ = mpi::code_of(started);
            return true;
        }
    }
    need_.set(false);
    code_ = mpi::code_of(arguments_->start_library(comm_, &library_));
    return true;
}

} // namespace

Result<bool> AtOnce::possible(CommunicatorState& mine, const Shape& shape) {
    if (shape.collective == Collective::alltoallv || mine.caller().size > most_ranks)
        return false;
    const auto& [unit_bytes, commutative] = shape.reduction;
    const Key key{shape.collective, shape.size_bytes, shape.root,
                  unit_bytes,       commutative,      shape.picked};
    if (const auto known = known_.find(key); known != known_.end())
        return known->second;
    auto possible = looked_through(mine, shape);
    if (possible && known_.size() < most_kept)
        known_.emplace(key, *possible);
    return possible;
}

Status OpenRequest::start(Call call, bool at_once) {
    const std::lock_guard held(turn());
    return begun(pending_.start(*state_, std::move(call), at_once));
}

Status start_request(const std::shared_ptr<CommunicatorState>& mine, AtOnce& at_once, Call call,
                     MPI_Comm comm, MPI_Request* request) {
    if (!only_at_once && !ProgressEngine::found())
        return refused("the MPI library has no progress engine that calls us");
    if (only_at_once) {
        auto possible = at_once.possible(*mine, call.shape());
        if (!possible)
            return possible.error();
        if (!*possible)
            return refused("its messages cannot be posted at once");
    }
    auto open = std::make_unique<OpenRequest>(mine);
    if (auto started = open->start(std::move(call), only_at_once); !started)
        return started;
    if (auto made = mpi::check(open->make_request(comm), making); !made)
        return made;
    *request = open->request();
    if (!only_at_once)
        ProgressEngine::add(*open);
    open.release(); // the request frees it
    return Done{};
}

Status WaitingCalls::add(std::shared_ptr<CommunicatorState> state,
                         std::unique_ptr<KeptArguments> arguments, Decide decide, MPI_Comm library,
                         MPI_Comm comm, MPI_Request* request) {
    auto call = std::make_unique<WaitingCall>(std::move(state), calls_, std::move(arguments),
                                              std::move(decide), library);
    if (auto made = mpi::check(call->make_request(comm), making); !made)
        return made;
    *request = call->request();
    calls_.push_back(call.get());
    ProgressEngine::add(*call);
    call.release(); // the request frees it
    return Done{};
}

void WaitingCalls::start_all() const {
    int found = 0;
    while (!none()) // the progress engine starts them
        PMPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

} // namespace alltold::preload
