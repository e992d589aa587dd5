// SPDX-License-Identifier: BSD-3-Clause
// ProgramCommunicator: what its calls run, and the end of all of them.
#include "preload/program_communicator.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"
#include "preload/functions.hpp"

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

const Choice library_choice;

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
    {
        const std::lock_guard lock(communicators().mutex);
        communicators().all.erase(this);
    }
    trials_.clear(); // before what they run on
}

Result<std::unique_ptr<ProgramCommunicator>> ProgramCommunicator::make(MPI_Comm comm) {
    std::unique_ptr<ProgramCommunicator> made(new ProgramCommunicator);
    made->set_up(comm, *Job::present());
    return made;
}

void ProgramCommunicator::let_go(bool ending) {
    if (ending && state_)
        state_->abandon();
    if (ending && persistent_channels_)
        persistent_channels_->abandon();
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
    std::vector<StartMode> starts;                    // what wins from one of them is only tried
    if (compare_ != Compare::off)
        starts = {StartMode::silence, StartMode::barrier};
    if (!state_->choose_by_rules(settings.rules, settings.network, std::move(starts)))
        return;
    tries_vectors_ = compare_ != Compare::off && state_->use_alltoall_rules_for_alltoallv();
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
    if (world && std::ranges::find(world->takes_, true) != world->takes_.end())
        (void)world->open(); // an error comes again at the first call
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
            if (shape->trial().sent_back() && !shape->began_with_library())
                sent_back.insert(fmt::format("{} on {} ranks", name_of_shape(key.first, key.second),
                                             mine->ranks()));
        mine->trials_.clear();
    }
    if (auto* const world = of(MPI_COMM_WORLD)) { // frees what it has, while that is possible
        world->persistent_channels_.reset();
        world->state_.reset();
    }
    CommunicatorCache<ProgramCommunicator>::end();
    if (sent_back.empty())
        return {};
    return fmt::format("the MPI library was faster than the rule's algorithm, so it ran, for {}",
                       fmt::join(sent_back, ", "));
}

ProgramCommunicator::ShapeKey ProgramCommunicator::key_of(Collective collective,
                                                          std::uint64_t size_bytes) {
    return {collective, std::bit_width(size_bytes) - (size_bytes > 0)};
}

Decision ProgramCommunicator::decide(const SizedCall& call) {
    const auto& choice = state_->choices().choice_of(call.collective, call.size_bytes);
    if (!choice.algorithm)
        return {&choice, Why::no_rule, nullptr};
    if (!call.suits)
        return left_to_library();
    if (!compares(call))
        return {&choice, Why::rule, nullptr};
    auto& shape = trials_[key_of(call.collective, call.size_bytes)];
    if (!shape)
        shape = std::make_unique<ShapeTrial>(*state_, tries(call) ? Trial::First::library
                                                                  : Trial::First::ours);
    shape->settle();
    const auto& trial = shape->trial();
    const bool for_comparison = trial.is_other_call();
    if (!trial.turn_of_library())
        return {&choice,
                !tries(call)     ? Why::rule
                : for_comparison ? Why::trial
                                 : Why::quicker,
                shape.get()};
    if (!trial.sent_back())
        return {&library_choice, Why::trial, shape.get()};
    return {&library_choice, tries(call) ? Why::no_rule : Why::sent_back, shape.get()};
}

Decision ProgramCommunicator::decide_persistent(const SizedCall& call) const {
    const auto& choice = state_->choices().choice_of(call.collective, call.size_bytes);
    if (!choice.algorithm)
        return {&choice, Why::no_rule, nullptr};
    if (!call.suits)
        return left_to_library();
    const auto shape = trials_.find(key_of(call.collective, call.size_bytes));
    const bool compared = compares(call) && shape != trials_.end();
    if (compared && shape->second->trial().sent_back())
        return {&library_choice, tries(call) ? Why::no_rule : Why::sent_back, nullptr};
    if (tries(call))
        return compared ? Decision{&choice, Why::quicker, nullptr}
                        : Decision{&library_choice, Why::no_rule, nullptr};
    return {&choice, Why::rule, nullptr};
}

Decision ProgramCommunicator::decide_nonblocking(const SizedCall& call) const {
    auto decision = decide_persistent(call);
    // Making one waits for other ranks, which a nonblocking call must not do.
    if (decision.ours() && !state_->is_open())
        return left_to_library();
    return decision;
}

Decision left_to_library() {
    return {&library_choice, Why::not_ours, nullptr};
}

const std::shared_ptr<PersistentChannels>& ProgramCommunicator::persistent_channels() {
    if (!persistent_channels_)
        persistent_channels_ = std::make_shared<PersistentChannels>();
    return persistent_channels_;
}

ShapeTrial::ShapeTrial(CommunicatorState& state, Trial::First first)
    : state_(state), began_with_library_(first == Trial::First::library), trial_(first) {}

ShapeTrial::~ShapeTrial() {
    if (request_ != MPI_REQUEST_NULL)
        PMPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void ShapeTrial::settle() {
    if (!due_)
        return;
    due_ = false;
    PMPI_Wait(&request_, MPI_STATUS_IGNORE);
    trial_.decide({sums_[0], sums_[1]});
}

void ShapeTrial::add(double duration_s, int kind) {
    if (trial_.measuring())
        trial_.add(duration_s, kind);
    switch (trial_.next()) {
    case Trial::Step::ask: {
        const auto times = trial_.times();
        mine_ = {times.ours_s, times.library_s};
        library().iallreduce(mine_.data(), sums_.data(), 2, MPI_DOUBLE, MPI_SUM, state_.plain(),
                             &request_);
        break;
    }
    case Trial::Step::answer:
        due_ = true;
        break;
    case Trial::Step::none:
        break;
    }
}

} // namespace alltold::preload
