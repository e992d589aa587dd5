// SPDX-License-Identifier: BSD-3-Clause
// ProgramCommunicator: what its calls run, and the end of all of them.
#include "preload/program_communicator.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/hash.hpp"
#include "core/units.hpp"
#include "preload/functions.hpp"
#include "preload/process.hpp"
#include "preload/progress_engine.hpp"

namespace alltold::preload {
namespace {

/// All communicators with state of ours, for the end of the program.
struct Communicators {
    std::mutex mutex;
    std::set<ProgramCommunicator*> all;
};

/// Never destroyed: a program may end MPI in a destructor of its own that runs after ours.
Communicators& communicators() {
    static auto& all = *new Communicators;
    return all;
}

/// "alltoall of 64 KiB", "alltoallv of any size", "barrier".
std::string name_of_shape(Collective collective, int size_class) {
    const auto& traits = traits_of(collective);
    if (!traits.has_data)
        return std::string(traits.name);
    return fmt::format("{} of {}", traits.name,
                       traits.per_pair ? "any size" : format_size(std::uint64_t{1} << size_class));
}

} // namespace

ProgramCommunicator::ProgramCommunicator() {
    const std::lock_guard lock(communicators().mutex);
    communicators().all.insert(this);
}

ProgramCommunicator::~ProgramCommunicator() {
    const ProgressThread::Excluded excluded;
    {
        const std::lock_guard lock(communicators().mutex);
        communicators().all.erase(this);
    }
    close_shapes(); // before what they run on
}

ProgramCommunicator::Nonblocking::~Nonblocking() {
    if (ground.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&ground.comm);
}

Result<std::unique_ptr<ProgramCommunicator>> ProgramCommunicator::make(MPI_Comm comm) {
    std::unique_ptr<ProgramCommunicator> made(new ProgramCommunicator);
    made->set_up(comm, *Job::present());
    return made;
}

void ProgramCommunicator::let_go(bool ending) {
    if ((ending || goes_without_) && state_)
        state_->abandon();
    if (ending && persistent_channels_)
        persistent_channels_->abandon();
    if (ending && nonblocking_)
        nonblocking_->ground.comm = MPI_COMM_NULL;
}

void ProgramCommunicator::set_up(MPI_Comm comm, Job& job) {
    int is_inter = 0, ranks = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_size(comm, &ranks);
    if (is_inter || ranks < 2)
        return;
    auto places = job.places_of(comm);
    if (!places)
        return;
    state_ = std::make_shared<CommunicatorState>(comm);
    const auto& settings = job.settings();
    compare_ = settings.compare;
    state_->choose_library();
    if (!settings.rules || settings.observe_only)
        return;
    if (!places->cluster_of.empty())
        (void)state_->set_places(std::move(*places)); // local, and cannot fail, before open()
    if (!state_->choose_by_rules(settings.rules, settings.network))
        return;
    if (compare_ != Compare::off)
        state_->use_alltoall_rules_for_alltoallv();
    bool any = false;
    for (const auto collective : all_collectives) {
        const bool takes = state_->choices().may_run_ours(collective);
        takes_[static_cast<std::size_t>(collective)] = takes;
        any = any || takes;
    }
    if (!any && !job.observed())
        state_.reset();
}

void ProgramCommunicator::prepare_world() {
    auto* const world = of(MPI_COMM_WORLD);
    if (world && std::ranges::find(world->takes_, true) != world->takes_.end() && world->open())
        world->open_nonblocking(); // an error comes again at the first call
}

/// Collective, once open.
void ProgramCommunicator::open_nonblocking() {
    // Threads may not make communicators at once (SharedChannel).
    if (nonblocking_ || compare_ == Compare::off || Job::present()->shared_channel() ||
        !ProgressEngine::found())
        return;
    MPI_Comm comm = MPI_COMM_NULL;
    if (PMPI_Comm_dup(state_->plain(), &comm) != MPI_SUCCESS)
        return;
    const double barrier_s = barrier_duration_s(comm);
    nonblocking_ = std::make_unique<Nonblocking>(ShapeTrial::Ground{comm, PMPI_Wtime(), barrier_s});
}

Status ProgramCommunicator::open_first() {
    const auto* const shared = Job::present()->shared_channel();
    return shared ? shared->open(*state_) : state_->open();
}

std::string ProgramCommunicator::end_all() {
    std::set<std::string> sent_back;
    std::set<ProgramCommunicator*> all;
    {
        const std::lock_guard lock(communicators().mutex);
        all = communicators().all;
    }
    for (auto* mine : all) {
        for (const auto& [key, shape] : mine->trials_)
            if (shape->sent_back())
                sent_back.insert(
                    fmt::format("{}{} on {} ranks", key.nonblocking ? "nonblocking " : "",
                                name_of_shape(key.collective, key.size_class), mine->ranks()));
        mine->close_shapes();
    }
    if (auto* const world = of(MPI_COMM_WORLD)) { // frees what it has, while that is possible
        world->persistent_channels_.reset();
        world->nonblocking_.reset();
        world->state_.reset();
    }
    CommunicatorCache<ProgramCommunicator>::end();
    if (sent_back.empty())
        return {};
    return fmt::format("the MPI library was faster than the rule's algorithm, so it ran, for {}",
                       fmt::join(sent_back, ", "));
}

std::uint64_t ProgramCommunicator::size_of(const ShapeKey& key) {
    return traits_of(key.collective).has_data ? std::uint64_t{1} << key.size_class : 0;
}

void ProgramCommunicator::close_shapes() {
    if (nonblocking_)
        nonblocking_->waiting.start_all();
    auto* const job = Job::present();
    if (job && job->memory() && state_ && caller().rank == 0)
        for (const auto& [key, shape] : trials_)
            if (auto learned = shape->learned(); learned && !key.nonblocking) {
                learned->collective = key.collective;
                learned->size_bytes = size_of(key);
                learned->layout = state_->choices().clusters().text();
                job->memory()->add(std::move(*learned));
            }
    if (job && job->observed())
        for (const auto& [key, shape] : trials_)
            for (std::size_t i = 1; i < shape->candidates(); ++i)
                if (auto blocks = shape->observed(i); blocks.calls > 0) {
                    blocks.collective = key.collective;
                    blocks.nonblocking = key.nonblocking;
                    blocks.size_bytes = size_of(key);
                    blocks.ranks = ranks();
                    job->observe(blocks);
                }
    trials_.clear();
}

ProgramCommunicator::ShapeKey ProgramCommunicator::key_of(const SizedCall& call,
                                                          std::span<const Candidate> candidates,
                                                          bool nonblocking) {
    return {call.collective,
            static_cast<int>(std::bit_width(call.size_bytes)) - (call.size_bytes > 0), nonblocking,
            candidates.data()};
}

/// Differs between communicators of other ranks, and between their shapes.
std::uint64_t ProgramCommunicator::salt_of(const ShapeKey& key) const {
    Hash hash;
    hash.add(fmt::format("{} {} {} {}", static_cast<int>(key.collective), key.size_class,
                         key.nonblocking, fmt::join(world_ranks(caller().comm), " ")));
    return hash.value();
}

bool ProgramCommunicator::may_compare(const SizedCall& call,
                                      std::span<const Candidate> candidates) const {
    return call.suits && compares(call) &&
           (candidates.size() > 1 || candidates.front().choice.algorithm);
}

Decision ProgramCommunicator::decide(const SizedCall& call) {
    const auto candidates = candidates_of(call);
    const auto& choice = candidates.front().choice;
    if (candidates.size() == 1 && !choice.algorithm)
        return left_to_library(Why::no_rule);
    if (!call.suits)
        return left_to_library();
    if (!compares(call))
        return {&choice, choice.algorithm ? Why::rule : Why::no_rule};
    const auto key = key_of(call, candidates, false);
    auto& shape = trials_[key];
    if (!shape) {
        const auto* const memory = Job::present()->memory();
        shape = std::make_unique<ShapeTrial>(
            candidates, salt_of(key),
            memory ? memory->find(call.collective, size_of(key), state_->choices().clusters())
                   : JobMemory::Earlier{});
    }
    if (asks_nonblocking_ && !nonblocking_ && open())
        open_nonblocking();
    return shape->next(*this);
}

Decision ProgramCommunicator::decide_persistent(const SizedCall& call) const {
    const auto candidates = candidates_of(call);
    const auto& first = candidates.front();
    if (!call.suits && (candidates.size() > 1 || first.choice.algorithm))
        return left_to_library();
    if (may_compare(call, candidates))
        if (const auto shape = trials_.find(key_of(call, candidates, false));
            shape != trials_.end())
            return shape->second->present();
    // Without blocks only what is expected to win whatever the program does between calls.
    if (first.choice.algorithm && (always_wins(first) || compare_ == Compare::off))
        return {&first.choice, Why::rule};
    return left_to_library(Why::no_rule);
}

bool ProgramCommunicator::compares_nonblocking(const SizedCall& call) const {
    // No rank knows the sizes of the others' all-to-all-v.
    return nonblocking_ && call.collective != Collective::alltoallv &&
           may_compare(call, candidates_of(call));
}

std::optional<Decision> ProgramCommunicator::decide_compared(const SizedCall& call,
                                                             const Moment& began) {
    const auto candidates = candidates_of(call);
    const auto key = key_of(call, candidates, true);
    auto& shape = trials_[key];
    if (!shape)
        shape = std::make_unique<ShapeTrial>(candidates, salt_of(key), nonblocking_->ground);
    return shape->next(began);
}

Decision ProgramCommunicator::decide_nonblocking(const SizedCall& call) {
    asks_nonblocking_ = asks_nonblocking_ || may_compare(call, candidates_of(call));
    const auto decision = decide_persistent(call);
    // Making one waits for other ranks, which a nonblocking call must not do.
    return decision.ours() && !state_->is_open() ? left_to_library() : decision;
}

const std::shared_ptr<PersistentChannels>& ProgramCommunicator::persistent_channels() {
    if (!persistent_channels_)
        persistent_channels_ = std::make_shared<PersistentChannels>();
    return persistent_channels_;
}

} // namespace alltold::preload
