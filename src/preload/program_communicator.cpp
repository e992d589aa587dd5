// SPDX-License-Identifier: BSD-3-Clause
// ProgramCommunicator: what its calls run, and the end of all of them.
#include "preload/program_communicator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/hash.hpp"
#include "core/units.hpp"
#include "preload/functions.hpp"
#include "preload/process.hpp"

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
    close_shapes(); // before what they run on
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
            if (shape->sent_back())
                sent_back.insert(fmt::format("{} on {} ranks",
                                             name_of_shape(std::get<0>(key), std::get<1>(key)),
                                             mine->ranks()));
        mine->close_shapes();
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

std::uint64_t ProgramCommunicator::size_of(const ShapeKey& key) {
    return traits_of(std::get<0>(key)).has_data ? std::uint64_t{1} << std::get<1>(key) : 0;
}

void ProgramCommunicator::close_shapes() {
    auto* const job = Job::present();
    if (job && job->memory() && state_ && caller().rank == 0)
        for (const auto& [key, shape] : trials_)
            if (auto learned = shape->learned()) {
                learned->collective = std::get<0>(key);
                learned->size_bytes = size_of(key);
                learned->layout = state_->choices().clusters().text();
                job->memory()->add(std::move(*learned));
            }
    if (job && job->observed())
        for (const auto& [key, shape] : trials_)
            for (std::size_t i = 1; i < shape->candidates(); ++i)
                if (auto blocks = shape->observed(i); blocks.calls > 0) {
                    blocks.collective = std::get<0>(key);
                    blocks.size_bytes = size_of(key);
                    blocks.ranks = ranks();
                    job->observe(blocks);
                }
    trials_.clear();
}

ProgramCommunicator::ShapeKey ProgramCommunicator::key_of(const SizedCall& call,
                                                          std::span<const Candidate> candidates) {
    return {call.collective, std::bit_width(call.size_bytes) - (call.size_bytes > 0),
            candidates.data()};
}

/// Differs between communicators of other ranks, and between their shapes.
std::uint64_t ProgramCommunicator::salt_of(const ShapeKey& key) const {
    Hash hash;
    hash.add(fmt::format("{} {} {}", static_cast<int>(std::get<0>(key)), std::get<1>(key),
                         fmt::join(world_ranks(caller().comm), " ")));
    return hash.value();
}

Decision ProgramCommunicator::decide(const SizedCall& call) {
    const auto candidates = candidates_of(call);
    const auto& choice = candidates.front().choice;
    if (candidates.size() == 1 && !choice.algorithm)
        return {&choice, Why::no_rule};
    if (!call.suits)
        return left_to_library();
    if (!compares(call))
        return {&choice, choice.algorithm ? Why::rule : Why::no_rule};
    const auto key = key_of(call, candidates);
    auto& shape = trials_[key];
    if (!shape) {
        const auto* const memory = Job::present()->memory();
        shape = std::make_unique<ShapeTrial>(
            candidates, salt_of(key),
            memory ? memory->find(call.collective, size_of(key), state_->choices().clusters())
                   : JobMemory::Earlier{});
    }
    return shape->next(*this);
}

Decision ProgramCommunicator::decide_persistent(const SizedCall& call) const {
    const auto candidates = candidates_of(call);
    const auto& [choice, expected, trial] = candidates.front();
    if (candidates.size() > 1 || choice.algorithm) {
        if (!call.suits)
            return left_to_library();
        const auto shape = trials_.find(key_of(call, candidates));
        if (compares(call) && shape != trials_.end())
            return shape->second->present();
    }
    // Without blocks only what is expected to win whatever the program does between calls.
    const bool wins = std::ranges::all_of(expected.ratios,
                                          [](const auto& ratio) { return ratio.value_or(0) < 1; });
    if (choice.algorithm && (wins || compare_ == Compare::off))
        return {&choice, Why::rule};
    return {&library_choice, Why::no_rule};
}

Decision ProgramCommunicator::decide_nonblocking(const SizedCall& call) const {
    auto decision = decide_persistent(call);
    // Making one waits for other ranks, which a nonblocking call must not do.
    if (decision.ours() && !state_->is_open())
        return left_to_library();
    return decision;
}

Decision left_to_library() {
    return {&library_choice, Why::not_ours};
}

const std::shared_ptr<PersistentChannels>& ProgramCommunicator::persistent_channels() {
    if (!persistent_channels_)
        persistent_channels_ = std::make_shared<PersistentChannels>();
    return persistent_channels_;
}

namespace {

/// Before the program's arrival pattern is known: a candidate's best.
std::optional<double> least_of(const ExpectedRatios& expected) {
    std::optional<double> least;
    for (const auto& ratio : expected.ratios)
        if (ratio && (!least || *ratio < *least))
            least = ratio;
    return least;
}

Moment moment() {
    const auto [calls, time_s] = InCollective::total();
    return {PMPI_Wtime(), calls, time_s};
}

Switchback switchback_of(std::span<const Candidate> candidates, std::uint64_t salt,
                         const JobMemory::Earlier& earlier) {
    std::vector<Switchback::Expected> expected{{1}};
    std::size_t present = candidates.front().choice.algorithm ? 1 : 0;
    const auto* const shape = earlier.shape;
    const auto won = [&](const Choice& choice) {
        return shape && earlier.same_layout && shape->choices.front().choice == choice;
    };
    if (won(library_choice))
        present = 0;
    for (const auto& candidate : candidates) {
        if (!candidate.choice.algorithm)
            continue;
        const auto* const shown = shape ? shape->find(candidate.choice) : nullptr;
        if (won(candidate.choice))
            present = expected.size();
        if (shown)
            expected.push_back({shown->share, {}, true});
        else
            expected.push_back(
                {least_of(candidate.expected), candidate.expected.after(StartMode::loop)});
    }
    return {expected, present, salt};
}

} // namespace

ShapeTrial::ShapeTrial(std::span<const Candidate> candidates, std::uint64_t salt,
                       const JobMemory::Earlier& earlier)
    : choices_{&library_choice}, began_with_library_(!candidates.front().choice.algorithm),
      blocks_(switchback_of(candidates, salt, earlier), SwitchRight::of_process(), moment()),
      started_(blocks_.switchback().present()) {
    for (const auto& candidate : candidates)
        if (candidate.choice.algorithm)
            choices_.push_back(&candidate.choice);
}

ShapeTrial::~ShapeTrial() {
    if (request_ != MPI_REQUEST_NULL)
        PMPI_Wait(&request_, MPI_STATUS_IGNORE);
}

Decision ShapeTrial::next(ProgramCommunicator& mine) {
    // Calls that only send, as a leaf's in a reduction, move nothing on. The agreement would then
    // wait for all ranks' next border, and each border would bring the ranks together.
    if (int done = 0; request_ != MPI_REQUEST_NULL)
        PMPI_Test(&request_, &done, MPI_STATUS_IGNORE);
    if (!left_alone_ && blocks_.switchback().at_border())
        turn(mine);
    else if (blocks_.switchback().at_mark())
        blocks_.mark(PMPI_Wtime());
    return left_alone_ ? left_to_library() : decision_of(blocks_.next());
}

void ShapeTrial::turn(ProgramCommunicator& mine) {
    const auto now = moment();
    std::optional<RankBlocks::Figures> agreed;
    if (aligned_) {
        PMPI_Wait(&request_, MPI_STATUS_IGNORE);
        agreed = agreed_;
    } else if (mine.open()) { // the first border
        library().barrier(mine.state().plain());
        blocks_.align(PMPI_Wtime());
        aligned_ = true;
    } else { // alike on all ranks
        left_alone_ = true;
        return;
    }
    const auto ran = blocks_.switchback().runs();
    mine_ = blocks_.turn(now, agreed);
    constexpr int figures = sizeof mine_ / sizeof(double); // it holds nothing else
    library().iallreduce(&mine_, &agreed_, figures, MPI_DOUBLE, MPI_MAX, mine.state().plain(),
                         &request_);
    // A root may be many calls ahead. Messages of its next candidate would share ports with those
    // of the last one that are still under way, and count for the wrong one.
    if (blocks_.switchback().runs() != ran && blocks_.switchback().ports_may_be_full())
        library().barrier(mine.state().plain());
}

Decision ShapeTrial::decision_of(std::size_t candidate) const {
    const auto present = blocks_.switchback().present();
    const std::size_t first = began_with_library_ ? 0 : 1;
    auto why = candidate != present ? Why::trial : candidate == 0 ? Why::sent_back : Why::quicker;
    if (candidate == present && candidate == first)
        why = first == 0 ? Why::no_rule : Why::rule;
    return {choices_[candidate], why};
}

Decision ShapeTrial::present() const {
    return decision_of(blocks_.switchback().present());
}

std::optional<site::LearnedShape> ShapeTrial::learned() const {
    const auto& switchback = blocks_.switchback();
    const auto present = switchback.present();
    site::LearnedShape shape;
    bool shown = present != started_;
    const auto known = [&](std::size_t i) {
        return i > 0 && (switchback.over_library(i) ||
                         (switchback.ran(i).calls > 0 && switchback.expected(i)));
    };
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const auto& ratio = switchback.over_library(i);
        shape.calls += switchback.ran(i).calls;
        shown = shown || (known(i) && (i != started_ || ratio));
        // Without a comparison with the library's own, the share is that of the present candidate
        // of the experiment, which was known before, times the ratio of their times.
        const auto share = ratio ? std::exp(ratio->log) : switchback.expected(i).value_or(1);
        const site::LearnedChoice choice{*choices_[i], share,
                                         ratio ? std::sqrt(ratio->variance) : 0};
        if (i == present)
            shape.choices.insert(shape.choices.begin(), choice);
        else if (known(i))
            shape.choices.push_back(choice);
    }
    const auto& ran = switchback.ran(present);
    if (!shown || ran.calls == 0)
        return std::nullopt;
    shape.library_s = ran.time_s / ran.calls / shape.choices.front().share;
    return shape;
}

ObservedBlocks ShapeTrial::observed(std::size_t i) const {
    ObservedBlocks blocks;
    const auto& ratio = blocks_.switchback().over_library(i);
    if (!ratio)
        return blocks;
    blocks.choice = choices_[i];
    const auto& ran = blocks_.switchback().ran(i);
    blocks.calls = ran.calls;
    blocks.time_s = ran.time_s;
    blocks.saved_s = ran.time_s * (std::exp(-ratio->log) - 1);
    blocks.error_s = ran.time_s * std::exp(-ratio->log) * std::sqrt(ratio->variance);
    return blocks;
}

} // namespace alltold::preload
