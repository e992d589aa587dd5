// SPDX-License-Identifier: BSD-3-Clause
// Generalized requests: moved on by Open MPI's progress engine, and by MPICH's waits and tests.
#include "preload/progress.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "preload/functions.hpp"
#include "preload/progress_engine.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

constexpr int most_ranks = 128;
constexpr std::size_t most_kept = 1024;

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

/// A call and the generalized request that stands for it.
class OpenRequest : public OpenCall {
  public:
    explicit OpenRequest(std::shared_ptr<CommunicatorState> state) : state_(std::move(state)) {}

    Status start(Call call);
    void tell() override { PMPI_Grequest_complete(request_); }
    MPI_Request request() const { return request_; }
    static int poll(void* extra, MPI_Status*);

  protected:
    int make_request();

    std::shared_ptr<CommunicatorState> state_; ///< its communicator must outlive the call

  private:
    static int query(void* extra, MPI_Status* status);
    static int release(void* extra);
    static int cancel(void*, int complete);
    static int wait(int count, void** extras, double, MPI_Status* status);
    static void forget(MPI_Request request);

    MPI_Request request_ = MPI_REQUEST_NULL;
    bool complete_ = false;
};

int OpenRequest::query(void* extra, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return static_cast<OpenRequest*>(extra)->code_;
}

int OpenRequest::release(void* extra) {
    const std::unique_ptr<OpenRequest> call(static_cast<OpenRequest*>(extra));
    forget(call->request_);
    return MPI_SUCCESS;
}

/// MPI forbids to cancel a collective.
int OpenRequest::cancel(void*, int complete) {
    return complete ? MPI_SUCCESS : MPI_ERR_REQUEST;
}

#ifdef MPICH_VERSION

constexpr bool only_at_once = true;

/// The calls under way by their requests.
class OpenRequests {
  public:
    void add(MPI_Request request, OpenRequest& call) {
        const std::lock_guard lock(mutex_);
        all_[request] = &call;
    }
    void remove(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        all_.erase(request);
    }
    /// Null for a request that is not ours. The program holds the request, so the call outlives
    /// this.
    OpenRequest* find(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(request);
        return found == all_.end() ? nullptr : found->second;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<MPI_Request, OpenRequest*> all_;
};

OpenRequests& open_requests() {
    static auto& all = *new OpenRequests; // as the registry of persistent calls
    return all;
}

int OpenRequest::poll(void* extra, MPI_Status*) {
    auto& call = *static_cast<OpenRequest*>(extra);
    if (call.complete_ || !turn().try_lock())
        return MPI_SUCCESS;
    call.complete_ = call.advance();
    // MPICH calls release() with a lock held, so nothing of MPI's may be left to be freed there.
    if (call.complete_)
        call.state_.reset();
    turn().unlock();
    return call.complete_ ? PMPI_Grequest_complete(call.request_) : MPI_SUCCESS;
}

int OpenRequest::wait(int count, void** extras, double, MPI_Status* status) {
    for (int i = 0; i < count; ++i)
        while (!static_cast<OpenRequest*>(extras[i])->complete_)
            if (const int code = poll(extras[i], status); code != MPI_SUCCESS)
                return code;
    return MPI_SUCCESS;
}

int OpenRequest::make_request() {
    const int code = PMPIX_Grequest_start(query, release, cancel, poll, wait, this, &request_);
    if (code == MPI_SUCCESS)
        open_requests().add(request_, *this);
    return code;
}

void OpenRequest::forget(MPI_Request request) {
    open_requests().remove(request);
}

#else

constexpr bool only_at_once = false;

int OpenRequest::make_request() {
    return PMPI_Grequest_start(query, release, cancel, this, &request_);
}

void OpenRequest::forget(MPI_Request) {}

#endif

Status OpenRequest::start(Call call) {
    {
        const std::lock_guard held(turn());
        if (auto started = pending_.start(*state_, std::move(call), only_at_once); !started)
            return started;
    }
    return mpi::check(make_request(), "MPI_Grequest_start");
}

/// A call that starts later.
class WaitingCall : public OpenRequest {
  public:
    WaitingCall(std::shared_ptr<CommunicatorState> state, std::deque<const OpenCall*>& queue,
                std::unique_ptr<KeptArguments> arguments, WaitingCalls::Decide decide,
                MPI_Comm library)
        : OpenRequest(std::move(state)), queue_(&queue), arguments_(std::move(arguments)),
          decide_(std::move(decide)), comm_(library) {}

    Status make() { return mpi::check(make_request(), "MPI_Grequest_start"); }

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
        const auto started = call ? pending_.start(*state_, std::move(*call)) : call.error();
        if (started || started.error().status == ExitStatus::environment) {
            arguments_.reset();
            code_ = mpi::code_of(started);
            return true;
        }
    }
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

Status start_request(const std::shared_ptr<CommunicatorState>& mine, AtOnce& at_once, Call call,
                     MPI_Request* request) {
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
    if (auto started = open->start(std::move(call)); !started)
        return started;
    *request = open->request();
    if (!only_at_once)
        ProgressEngine::add(*open);
    open.release(); // the request frees it
    return Done{};
}

Status WaitingCalls::add(std::shared_ptr<CommunicatorState> state,
                         std::unique_ptr<KeptArguments> arguments, Decide decide, MPI_Comm library,
                         MPI_Request* request) {
    auto call = std::make_unique<WaitingCall>(std::move(state), calls_, std::move(arguments),
                                              std::move(decide), library);
    if (auto made = call->make(); !made)
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

#ifdef MPICH_VERSION

using namespace alltold::preload;

extern "C" {

/// MPICH's own polls no generalized request.
int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    if (auto* const call = open_requests().find(request))
        OpenRequest::poll(call, MPI_STATUS_IGNORE);
    return library().request_get_status(request, flag, status);
}

ALLTOLD_STATUS_FUNCTIONS(ALLTOLD_FORWARD_ROW)

} // extern "C"

#endif
