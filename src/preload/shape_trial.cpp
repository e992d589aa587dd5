// SPDX-License-Identifier: BSD-3-Clause
// Borders of blocks as ranks agree on them, and what the blocks showed.
#include "preload/shape_trial.hpp"

#include <algorithm>
#include <cmath>

#include "preload/functions.hpp"
#include "preload/process.hpp"
#include "preload/program_communicator.hpp"

namespace alltold::preload {
namespace {

const Choice library_choice;

/// Before the program's arrival pattern is known: a candidate's best.
std::optional<double> least_of(const ExpectedRatios& expected) {
    std::optional<double> least;
    for (const auto& ratio : expected.ratios)
        if (ratio && (!least || *ratio < *least))
            least = ratio;
    return least;
}

Switchback switchback_of(std::span<const Candidate> candidates, std::size_t present,
                         std::uint64_t salt, const JobMemory::Earlier& earlier) {
    std::vector<Switchback::Expected> expected{{1}};
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
            expected.push_back({.least = least_of(candidate.expected),
                                .in_loop = candidate.expected.after(StartMode::loop),
                                .alone = candidate.expected.after(StartMode::silence)});
    }
    return {expected, present, salt};
}

std::vector<const Choice*> choices_of(std::span<const Candidate> candidates) {
    std::vector<const Choice*> choices{&library_choice};
    for (const auto& candidate : candidates)
        if (candidate.choice.algorithm)
            choices.push_back(&candidate.choice);
    return choices;
}

bool is_complete(MPI_Request& request) {
    int done = 1;
    if (request != MPI_REQUEST_NULL)
        PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
}

} // namespace

Decision left_to_library(Why why) {
    return {&library_choice, why};
}

bool always_wins(const Candidate& candidate) {
    return std::ranges::all_of(candidate.expected.ratios,
                               [](const auto& ratio) { return ratio.value_or(0) < 1; });
}

double barrier_duration_s(MPI_Comm comm) {
    library().barrier(comm); // the ranks arrive apart, and may connect
    const double start_s = PMPI_Wtime();
    library().barrier(comm);
    return PMPI_Wtime() - start_s;
}

Moment moment() {
    const auto [calls, time_s] = InCollective::total();
    return {PMPI_Wtime(), calls, time_s};
}

ShapeTrial::ShapeTrial(std::span<const Candidate> candidates, std::uint64_t salt,
                       const JobMemory::Earlier& earlier)
    : choices_(choices_of(candidates)), began_with_library_(!candidates.front().choice.algorithm),
      blocks_(switchback_of(candidates, began_with_library_ ? 0 : 1, salt, earlier),
              SwitchRight::of_process(), moment()),
      started_(blocks_.switchback().present()) {}

ShapeTrial::ShapeTrial(std::span<const Candidate> candidates, std::uint64_t salt,
                       const Ground& ground)
    : choices_(choices_of(candidates)),
      began_with_library_(!candidates.front().choice.algorithm || !always_wins(candidates.front())),
      nonblocking_(true), blocks_(switchback_of(candidates, began_with_library_ ? 0 : 1, salt, {}),
                                  SwitchRight::of_process(), moment()),
      started_(blocks_.switchback().present()), comm_(ground.comm) {
    blocks_.align(ground.zero_s, ground.barrier_s);
}

ShapeTrial::~ShapeTrial() {
    for (auto* const request : {&agreement_, &barrier_})
        if (*request != MPI_REQUEST_NULL)
            PMPI_Wait(request, MPI_STATUS_IGNORE);
}

Decision ShapeTrial::next(ProgramCommunicator& mine) {
    // Calls that only send, as a leaf's in a reduction, move nothing on. The agreement would then
    // wait for all ranks' next border, and each border would bring the ranks together.
    const bool agreed = is_complete(agreement_);
    if (left_alone_)
        return left_to_library();
    if (blocks_.switchback().at_border()) {
        const auto now = moment();
        if (!begun_ && !begin(mine)) { // alike on all ranks
            left_alone_ = true;
            return left_to_library();
        }
        if (!agreed)
            PMPI_Wait(&agreement_, MPI_STATUS_IGNORE);
        turn(now);
        if (barrier_ != MPI_REQUEST_NULL)
            PMPI_Wait(&barrier_, MPI_STATUS_IGNORE);
    } else if (blocks_.switchback().at_mark()) {
        blocks_.mark(PMPI_Wtime());
    }
    return decision_of(blocks_.next());
}

std::optional<Decision> ShapeTrial::next(const Moment& began) {
    const bool agreed = is_complete(agreement_);
    if (blocks_.switchback().at_border()) {
        if (!agreed)
            return {};
        turn(began);
    } else if (blocks_.switchback().at_mark()) {
        blocks_.mark(began.now_s);
    }
    if (!is_complete(barrier_))
        return {};
    return decision_of(blocks_.next());
}

bool ShapeTrial::begin(ProgramCommunicator& mine) {
    if (!mine.open())
        return false;
    comm_ = mine.state().plain();
    const double barrier_s = barrier_duration_s(comm_);
    blocks_.align(PMPI_Wtime(), barrier_s);
    return true;
}

void ShapeTrial::turn(const Moment& now) {
    const auto ran = blocks_.switchback().runs();
    mine_ = blocks_.turn(now, begun_ ? std::optional(agreed_) : std::nullopt);
    begun_ = true;
    if (nonblocking_) { // how long the program waits for requests is not seen
        mine_.outside_s = 0;
        mine_.others = 1;
    }
    constexpr int figures = sizeof mine_ / sizeof(double); // it holds nothing else
    library().iallreduce(&mine_, &agreed_, figures, MPI_DOUBLE, MPI_MAX, comm_, &agreement_);
    // A root may be many calls ahead. Messages of its next candidate would share ports with those
    // of the last one that are still under way, and count for the wrong one.
    if (blocks_.switchback().runs() != ran && blocks_.switchback().ports_may_be_full())
        library().ibarrier(comm_, &barrier_);
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
