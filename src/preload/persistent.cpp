// SPDX-License-Identifier: BSD-3-Clause
// Persistent calls and where their requests are found.
#include "preload/persistent.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <unordered_map>

#include "preload/functions.hpp"
#include "preload/job.hpp"
#include "preload/progress_engine.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

namespace {

/// One start of a persistent call.
class Start : public OpenCall {
  public:
    explicit Start(class PersistentCall& call) : call_(call) {}

    Status begin(CommunicatorState& state, const PersistentChannels::Place& place, Call call);
    void tell() override;

  private:
    class PersistentCall& call_;
};

class PersistentCall {
  public:
    PersistentCall(std::shared_ptr<CommunicatorState> state,
                   std::shared_ptr<PersistentChannels> channels,
                   std::unique_ptr<KeptArguments> arguments, PersistentLog log)
        : state_(std::move(state)), channels_(std::move(channels)),
          arguments_(std::move(arguments)), log_(std::move(log)) {}
    ~PersistentCall() {
        if (place_.channel != MPI_COMM_NULL)
            channels_->give_back(place_.number);
    }
    PersistentCall(const PersistentCall&) = delete;
    PersistentCall& operator=(const PersistentCall&) = delete;

    /// Makes the request. Collective.
    Status make(const PersistentChannels::Place& place, MPI_Request* request);
    int start(MPI_Request* request);
    /// The present start is complete with `code`.
    void complete(int code);

  private:
    Status begin();

    std::shared_ptr<CommunicatorState> state_; ///< the communicator may be freed before the request
    std::shared_ptr<PersistentChannels> channels_;
    std::unique_ptr<KeptArguments> arguments_;
    PersistentLog log_;
    PersistentChannels::Place place_;
    std::optional<Start> run_;
};

/// All persistent calls, by their requests.
class Registry {
  public:
    void add(MPI_Request request, std::unique_ptr<PersistentCall> call) {
        const std::lock_guard lock(mutex_);
        calls_[request] = std::move(call);
        ++count_;
    }
    /// Null for a request that is not ours.
    PersistentCall* find(MPI_Request request) {
        if (count_.load(std::memory_order_relaxed) == 0)
            return nullptr;
        const std::lock_guard lock(mutex_);
        const auto found = calls_.find(request);
        return found == calls_.end() ? nullptr : found->second.get();
    }
    std::unique_ptr<PersistentCall> take(const PersistentCall* call) {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const auto& entry) {
            return entry.second.get() == call;
        });
        auto taken = std::move(found->second);
        calls_.erase(found);
        --count_;
        return taken;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<MPI_Request, std::unique_ptr<PersistentCall>> calls_;
    std::atomic<int> count_ = 0;
};

/// Never destroyed: calls that the program has not freed must not call MPI when the process ends.
Registry& registry() {
    static auto& calls = *new Registry;
    return calls;
}

Status Start::begin(CommunicatorState& state, const PersistentChannels::Place& place, Call call) {
    const std::lock_guard held(turn());
    return pending_.start_on(place.channel, place.first_tag, state, std::move(call));
}

void Start::tell() {
    call_.complete(code_);
}

Status PersistentCall::make(const PersistentChannels::Place& place, MPI_Request* request) {
    place_ = place;
    return ALLTOLD_PMPI(Recv_init, nullptr, 0, MPI_BYTE, 0, place.number, channels_->self(),
                        request);
}

Status PersistentCall::begin() try {
    auto call = arguments_->call(state_->caller());
    if (!call)
        return call.error();
    run_.emplace(*this);
    if (auto begun = run_->begin(*state_, place_, std::move(*call)); !begun)
        return begun;
    ProgressEngine::add(*run_);
    return Done{};
} catch (const std::bad_alloc&) {
    return mpi::out_of_memory();
}

int PersistentCall::start(MPI_Request* request) {
    const double start_s = PMPI_Wtime();
    if (const int code = library().start(request); code != MPI_SUCCESS)
        return code;
    if (const auto begun = begin(); !begun) {
        complete(mpi::code_of(begun));
        return MPI_SUCCESS;
    }
    if (auto* const job = Job::present(); job && job->observed()) {
        log_.call.choice = &log_.choice;
        log_.call.duration_s = PMPI_Wtime() - start_s;
        job->observe(log_.call);
    }
    return MPI_SUCCESS;
}

void PersistentCall::complete(int code) {
    // An error shows as a message that is longer than the receive allows. Open MPI frees a request
    // that fails, and may use its handle for another.
    const auto failed = code == MPI_SUCCESS ? nullptr : registry().take(this);
    // Once the message is there, the program may start or free the call.
    const char byte = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
    PMPI_Isend(&byte, code == MPI_SUCCESS ? 0 : 1, MPI_BYTE, 0, place_.number, channels_->self(),
               &sent);
    PMPI_Wait(&sent, MPI_STATUS_IGNORE);
}

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
    const auto place = channels->take(*state, comm);
    if (!place)
        return place.error();
    auto made =
        std::make_unique<PersistentCall>(state, channels, std::move(arguments), std::move(log));
    if (auto done = made->make(*place, request); !done)
        return done;
    registry().add(*request, std::move(made));
    return Done{};
}

bool is_ours(MPI_Request request) {
    return registry().find(request) != nullptr;
}

int start_persistent(MPI_Request* request) {
    return registry().find(*request)->start(request);
}

int free_persistent(MPI_Request* request) {
    PMPI_Wait(request, MPI_STATUS_IGNORE); // MPI allows it only where this returns at once
    const auto* const call = registry().find(*request);
    if (!call) // it failed, and Open MPI has freed it
        return MPI_SUCCESS;
    const auto freed = registry().take(call);
    return library().request_free(request);
}

} // namespace alltold::preload
