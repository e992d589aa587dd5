// SPDX-License-Identifier: BSD-3-Clause
// Posting operations as what they wait for completes.
#include "runtime/execute/execution.hpp"

#include <cstring>
#include <functional>

namespace alltold {
namespace {

// MPI counts bytes in an int. Larger messages travel in fragments of this size, in order, on one
// tag.
constexpr std::uint64_t largest_fragment = std::uint64_t{1} << 30;
// The least eager limit that is usual: Open MPI's between processes of a host.
constexpr std::uint64_t always_eager = 4096;

} // namespace

void Execution::bind(const Program& program, const Memory& memory, MPI_Comm comm, int first_tag) {
    program_ = &program;
    memory_ = memory;
    comm_ = comm;
    first_tag_ = first_tag;
    error_ = MPI_SUCCESS;
}

std::byte* Execution::address(const Region& region) const {
    switch (region.buffer) {
    case Buffer::send: // MPI takes what it sends as const again; nothing writes through this
        return const_cast<std::byte*>(memory_.send) + region.offset_bytes;
    case Buffer::receive:
        return memory_.receive + region.offset_bytes;
    case Buffer::scratch:
        break;
    }
    return memory_.scratch + region.offset_bytes;
}

void Execution::copy(const Operation& operation) const {
    for (std::int32_t row = 0; row < operation.rows; ++row) {
        const auto* from = address(operation.region_row(row));
        auto* into = address(operation.target_row(row));
        // With MPI_IN_PLACE a rank's own block is where it belongs already.
        if (from != into)
            std::memcpy(into, from, operation.region.size_bytes);
    }
}

int Execution::perform(const Operation& operation) const {
    if (operation.kind == Kind::copy)
        copy(operation);
    else if (operation.kind == Kind::combine)
        return memory_.reducer->combine(address(operation.region), address(operation.target),
                                        operation.region.size_bytes);
    return MPI_SUCCESS;
}

int Execution::post_fragment(const Operation& operation, std::byte* at, int bytes,
                             MPI_Request& request) const {
    const int tag = first_tag_ + operation.tag;
    if (operation.is_incoming())
        return PMPI_Irecv(at, bytes, MPI_BYTE, operation.peer, tag, comm_, &request);
    return operation.synchronous
               ? PMPI_Issend(at, bytes, MPI_BYTE, operation.peer, tag, comm_, &request)
               : PMPI_Isend(at, bytes, MPI_BYTE, operation.peer, tag, comm_, &request);
}

int Execution::post(const Operation& operation) {
    std::uint64_t left = operation.region.size_bytes;
    auto* at = left ? address(operation.region) : nullptr;
    do {
        const auto bytes = std::min(left, largest_fragment);
        expected_.push_back(operation.is_incoming() ? static_cast<int>(bytes) : -1);
        if (const int code = post_fragment(operation, at, static_cast<int>(bytes),
                                           requests_.emplace_back(MPI_REQUEST_NULL));
            code != MPI_SUCCESS)
            return code;
        left -= bytes;
        at += bytes;
    } while (left > 0);
    return MPI_SUCCESS;
}

int Execution::run(const Program& program, const Memory& memory, MPI_Comm comm, int first_tag) {
    if (!program.phases().empty() && !recorder_) {
        bind(program, memory, comm, first_tag);
        return run_phases();
    }
    const int code = start(program, memory, comm, first_tag);
    return code == MPI_SUCCESS ? wait() : code;
}

int Execution::run_phases() {
    int first = 0;
    for (const auto& phase : program_->phases()) {
        const int code =
            phase.one_by_one() ? run_one_by_one(first, phase) : run_together(first, phase);
        if (const int fatal = note(code); fatal != MPI_SUCCESS)
            return fatal;
        first = phase.end;
    }
    return error_;
}

// Other ranks wait for what this rank still has to send, so too long a message is no reason to
// stop.
int Execution::note(int code) {
    if (code == MPI_SUCCESS)
        return MPI_SUCCESS;
    int error_class = MPI_ERR_OTHER;
    PMPI_Error_class(code, &error_class);
    if (error_class != MPI_ERR_TRUNCATE)
        return code;
    if (error_ == MPI_SUCCESS)
        error_ = code;
    return MPI_SUCCESS;
}

void Execution::check_length(int bytes, const MPI_Status& status) {
    int received = bytes;
    if (memory_.exact && bytes >= 0)
        PMPI_Get_count(&status, MPI_BYTE, &received);
    if (received < bytes)
        note(MPI_ERR_TRUNCATE);
}

void Execution::check_lengths(int count) {
    if (memory_.exact)
        for (int i = 0; i < count; ++i)
            check_length(expected_[static_cast<std::size_t>(i)],
                         statuses_[static_cast<std::size_t>(i)]);
}

// At most one message each way: the blocking calls cost MPI the least.
int Execution::run_one_by_one(int first, const Program::Phase& phase) {
    if (phase.local > 0)
        for (int i = first; i < phase.end; ++i)
            if (const auto& operation = (*program_)[i]; operation.is_local())
                if (const int code = perform(operation); code != MPI_SUCCESS)
                    return code;
    const auto* out = phase.outgoing ? &(*program_)[phase.last_outgoing] : nullptr;
    const auto* in = phase.incoming ? &(*program_)[phase.last_incoming] : nullptr;
    const auto large = [](const Operation* message) {
        return message && message->region.size_bytes > largest_fragment;
    };
    if (large(out) || large(in))
        return run_pair(out, in);
    const auto place = [&](const Operation& message) {
        return message.region.size_bytes ? address(message.region) : nullptr;
    };
    const auto bytes = [](const Operation& message) {
        return static_cast<int>(message.region.size_bytes);
    };
    const auto tag = [&](const Operation& message) { return first_tag_ + message.tag; };
    if (out && !in)
        return out->synchronous
                   ? PMPI_Ssend(place(*out), bytes(*out), MPI_BYTE, out->peer, tag(*out), comm_)
                   : PMPI_Send(place(*out), bytes(*out), MPI_BYTE, out->peer, tag(*out), comm_);
    // Not MPI_Sendrecv, which posts its receive first: see Program::starts_before.
    MPI_Request sending = MPI_REQUEST_NULL;
    if (out)
        if (const int code = post_fragment(*out, place(*out), bytes(*out), sending);
            code != MPI_SUCCESS)
            return code;
    if (in) {
        MPI_Status status;
        const int code = PMPI_Recv(place(*in), bytes(*in), MPI_BYTE, in->peer, tag(*in), comm_,
                                   memory_.exact ? &status : MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS)
            check_length(bytes(*in), status);
        else if (const int fatal = note(code); fatal != MPI_SUCCESS)
            return fatal;
    }
    return out ? PMPI_Wait(&sending, MPI_STATUS_IGNORE) : MPI_SUCCESS;
}

int Execution::run_pair(const Operation* out, const Operation* in) {
    requests_.clear();
    expected_.clear();
    for (const auto* message : {out, in})
        if (message)
            if (const int code = post(*message); code != MPI_SUCCESS)
                return code;
    return wait_for_all();
}

int Execution::wait_for_all() {
    const int count = static_cast<int>(requests_.size());
    for (;;) {
        const int code = PMPI_Waitall(count, requests_.data(), statuses());
        if (code == MPI_SUCCESS) {
            if (error_ == MPI_SUCCESS) // else some statuses may be those of an earlier turn
                check_lengths(count);
            return MPI_SUCCESS;
        }
        if (const int fatal = note(first_error(code, count)); fatal != MPI_SUCCESS)
            return fatal;
        const bool all =
            std::none_of(statuses_.begin(), statuses_.begin() + count,
                         [](auto& status) { return status.MPI_ERROR == MPI_ERR_PENDING; });
        if (code != MPI_ERR_IN_STATUS || all)
            return MPI_SUCCESS;
    }
}

MPI_Status* Execution::statuses() {
    if (statuses_.size() < requests_.size())
        statuses_.resize(requests_.size());
    return statuses_.data();
}

// "Look into the statuses" tells a program nothing that waits for one collective.
int Execution::first_error(int code, int statuses) const {
    if (code != MPI_ERR_IN_STATUS)
        return code;
    const auto all = std::span(statuses_).first(static_cast<std::size_t>(std::max(statuses, 0)));
    const auto failed = std::find_if(all.begin(), all.end(), [](const MPI_Status& status) {
        return status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING;
    });
    return failed == all.end() ? code : failed->MPI_ERROR;
}

int Execution::run_together(int first, const Program::Phase& phase) {
    requests_.clear();
    expected_.clear();
    const auto order = program_->order();
    for (int at = first; at < phase.end; ++at) {
        const auto& operation = (*program_)[order[static_cast<std::size_t>(at)]];
        if (const int code = operation.is_message() ? post(operation) : perform(operation);
            code != MPI_SUCCESS)
            return code;
    }
    return wait_for_all();
}

int Execution::start(const Program& program, const Memory& memory, MPI_Comm comm, int first_tag) {
    bind(program, memory, comm, first_tag);
    requests_.clear();
    expected_.clear();
    owner_.clear();
    left_ = program.size();
    waiting_.assign(program.waiting().begin(), program.waiting().end());
    fragments_left_.assign(waiting_.size(), 0);
    ready_.clear();
    if (recorder_)
        recorder_->times.assign(waiting_.size(), {});
    for (int i = 0; i < program.size(); ++i)
        if (waiting_[static_cast<std::size_t>(i)] == 0)
            ready_.push_back(i);
    sort_ready();
    return perform_ready();
}

bool Execution::needs_progress() const {
    std::uint64_t bytes = 0;
    for (int i = 0; i < program_->size(); ++i) {
        const auto& operation = (*program_)[i];
        if (!operation.is_message())
            continue;
        if (waiting_[static_cast<std::size_t>(i)] > 0)
            return true;
        if (fragments_left_[static_cast<std::size_t>(i)] > 0)
            bytes += operation.region.size_bytes;
    }
    return bytes > always_eager;
}

void Execution::sort_ready() {
    std::sort(ready_.begin(), ready_.end(),
              [&](auto a, auto b) { return program_->starts_before(b, a); });
}

int Execution::perform_ready() {
    while (!ready_.empty()) {
        const int i = ready_.back();
        ready_.pop_back();
        const auto& operation = (*program_)[i];
        if (recorder_)
            recorder_->times[static_cast<std::size_t>(i)].started_s = recorder_->now_s();
        if (!operation.is_message()) {
            if (const int code = perform(operation); code != MPI_SUCCESS)
                return code;
            complete(i);
            continue;
        }
        const auto before = requests_.size();
        if (const int code = post(operation); code != MPI_SUCCESS)
            return code;
        fragments_left_[static_cast<std::size_t>(i)] =
            static_cast<std::int32_t>(requests_.size() - before);
        owner_.resize(requests_.size(), i);
    }
    return MPI_SUCCESS;
}

void Execution::complete(int i) {
    if (recorder_)
        recorder_->times[static_cast<std::size_t>(i)].ended_s = recorder_->now_s();
    --left_;
    for (const auto later : program_->next(i))
        if (--waiting_[static_cast<std::size_t>(later)] == 0)
            ready_.push_back(later);
}

// Drops the requests that MPI has finished, lowest place last so that the places stay true.
int Execution::retire(int finished) {
    const auto places = std::span(finished_).first(static_cast<std::size_t>(finished));
    std::sort(places.begin(), places.end(), std::greater<>());
    for (const int place : places) {
        const auto at = static_cast<std::size_t>(place);
        const auto operation = owner_[at];
        requests_[at] = requests_.back();
        requests_.pop_back();
        expected_[at] = expected_.back();
        expected_.pop_back();
        owner_[at] = owner_.back();
        owner_.pop_back();
        if (--fragments_left_[static_cast<std::size_t>(operation)] == 0)
            complete(operation);
    }
    sort_ready();
    return perform_ready();
}

int Execution::advance(decltype(&PMPI_Testsome) some) {
    int finished = 0;
    finished_.resize(requests_.size());
    const int code = some(static_cast<int>(requests_.size()), requests_.data(), &finished,
                          finished_.data(), statuses());
    if (code == MPI_SUCCESS)
        for (int i = 0; memory_.exact && i < finished; ++i)
            check_length(
                expected_[static_cast<std::size_t>(finished_[static_cast<std::size_t>(i)])],
                statuses_[static_cast<std::size_t>(i)]);
    const int fatal = note(first_error(code, finished));
    return fatal != MPI_SUCCESS ? fatal : retire(finished);
}

int Execution::test(bool& done) {
    if (!requests_.empty())
        if (const int code = advance(PMPI_Testsome); code != MPI_SUCCESS)
            return code;
    done = left_ == 0;
    return done ? error_ : MPI_SUCCESS;
}

int Execution::wait() {
    while (left_ > 0)
        if (const int code = advance(PMPI_Waitsome); code != MPI_SUCCESS)
            return code;
    return error_;
}

} // namespace alltold
