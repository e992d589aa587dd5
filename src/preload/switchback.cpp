// SPDX-License-Identifier: BSD-3-Clause
// Blocks planned, their times judged by a mixture sequential probability ratio test.
#include "preload/switchback.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace alltold::preload {
namespace {

// The probability of a wrong winner, over all experiments of a shape.
constexpr double error_rate = 0.01;
// An experiment's first quad, whose blocks are so short that pipelines fill in them, is judged by
// itself, and the others together: two tests.
constexpr double tests = 2;
// Logarithms of ratios that are looked for: 0.2 finds 5 % in a few quads, and a factor of 2 in one.
constexpr double effect_deviation = 0.2;
// Scatter of block times before any was seen: 10 %, as much as 4 blocks say.
constexpr double prior_deviation = 0.1, prior_freedom = 4;
// Older scatter fades, since programs have phases.
constexpr double most_freedom = 20;
// Beyond three standard deviations a difference says more of a time-out than of the candidates.
constexpr double outlying = 3;
// One of the longer quads counts as no more than as many deviations: alone it decides nothing, as
// both blocks of a side may have a time-out, but two do for a factor of 2 at a scatter of 10 %.
constexpr double most_effect = 4;
// TCP's least time-out on Linux. An effect that is left without one in each of the slower blocks
// counts in full: calls of 0.25 s scattered so that a factor of 8 took three quads.
constexpr double timeout_s = 0.2;
// A challenger that loses may be retired for less than a winner needs: it is looked at again.
constexpr double retiring_error_rate = 0.01;
// And where two quads or more put a gain so many standard deviations away: 1 in 40. A tree that
// took 1.5 times as long as a chain ran 0.75 s of a loop of 3.5 s, in five quads, before it was
// retired.
constexpr double futile_deviations = 2;
// Without a decision by then both count as equal: a scatter of 10 % leaves 2.5 % for the mean.
constexpr int most_quads = 16;
// Another challenger may gain more than one that is not decided by so many: it comes first.
constexpr int quads_at_first = 4;
// Where 20 ms are at most 8 calls, the first quad's blocks have 5 if these take no longer, and what
// loses less there may be a pipeline that fills: a chain of 8 ranks that takes half the library's
// time in longer blocks took 1.35 times that in blocks of 3 calls.
constexpr double first_quad_calls = 5;
constexpr std::uint64_t few_calls = 8;
constexpr double filling_ratio = 1.25;
// A challenger that is ahead by as much begins the next quad. With any lead, of six shapes with
// calls of 1 and 5 ms 226 of 240 ran what is quicker after 60 s, with this one 235.
constexpr double leading_ratio = 1.25;
// A winner must gain as much; a switch for less is not worth what it may cost.
constexpr double least_gain = 0.01;

// Work of so little of a call's time changes the period by no more, while the least that a program
// may do between calls, an allreduce of 8 B, takes a tenth of a broadcast of 4 KiB (8 hosts,
// 20 Mbit/s), and hides nothing of the next one.
constexpr double gapless_share = 0.05;

// Longer than a pipeline takes to fill: 8 ranks hand on 4 KiB at 20 Mbit/s in 13 ms. As long, calls
// after a change of candidates are not timed.
constexpr double first_block_s = 0.02;
// In less time than two barriers take, ranks far from each other enter calls in bursts, a delay
// apart: on 4+4 hosts with 10 ms between, where a barrier takes 24 ms, the times by call of blocks
// of 40 ms scattered by 30 %, of 80 ms by 3 %.
constexpr double burst_barriers = 2;
// At least 4 calls show a pipeline, if they take no more than that, and as long calls before them
// are worth their time.
constexpr double pipeline_calls = 4, pipeline_s = 0.1;
// Calls of 20 us: for shorter ones the reduction of a block would still be under way.
constexpr double most_first_calls = 1024;
constexpr int most_doublings = 3;
// Between experiments, and in them: longer blocks save nothing and show a change late.
constexpr double longest_block_s = 1;
constexpr int least_baseline = 2; ///< blocks; what a wrong rule costs grows with them

// Losses: 1 % of a run of 60 s is 0.6 s, of a loop of 20 s 0.2 s, and a first quad of two blocks of
// 20 ms at twice the time loses 40 ms.
constexpr double budget_share = 0.01, allowance_s = 0.1;
constexpr double unknown_ratio = 2;
// A first block as slow is not repeated at once: a second one would lose as much again.
constexpr double disaster_ratio = 3;
constexpr int most_aborted = 2;
// A winner that then takes longer by call than what it beat is not kept: rare time-outs do not show
// in an experiment. 2 s have one where they take a tenth of the time.
constexpr double probation_s = 2;
constexpr int most_broken = 2; ///< the program may have changed once
// Doublings of the pause before asking again: 64 blocks.
constexpr int most_refusals = 6;

// All are looked at again when the run is twice as long, and no sooner than that.
constexpr double least_pause_s = 10;
// Periods that differ by as much are not of one state of network and program.
constexpr double drift_ratio = 1.5;

constexpr std::string_view alternating = "ABAB";

double log_evidence(double count, double mean, double variance) {
    const double wide = effect_deviation * effect_deviation;
    const double all = variance + count * wide;
    return 0.5 * std::log(variance / all) +
           count * count * wide * mean * mean / (2 * variance * all);
}

bool differ(double period_s, double other_s) {
    return std::abs(std::log(period_s / other_s)) > std::log(drift_ratio);
}

/// The logarithm of the ratio of two blocks' times by call, without a time-out in the slower one,
/// and of the same sign, or 0. `s` and `over_s` are the blocks' times.
double without_timeout(double log_ratio, double s, double over_s) {
    const double slower_s = log_ratio < 0 ? over_s : s;
    if (slower_s <= timeout_s)
        return 0;
    const double left = std::abs(log_ratio) + std::log(1 - timeout_s / slower_s);
    return std::copysign(std::max(0., left), log_ratio);
}

/// The one nearer to 0 if both have one sign; else 0.
double common_part(double a, double b) {
    if (a * b <= 0)
        return 0;
    return std::abs(a) < std::abs(b) ? a : b;
}

} // namespace

Switchback::Switchback(const std::vector<Expected>& expected, std::size_t present,
                       std::uint64_t salt)
    : present_(present), salt_(salt), variance_(prior_deviation * prior_deviation),
      freedom_(prior_freedom) {
    for (const auto& ratios : expected)
        candidates_.push_back({ratios});
    candidates_[0].expected = {1};
    candidates_[0].over_library = Ratio{};
    running_.candidate = present_;
}

void Switchback::begin_block() {
    ended_ = running_;
    running_ = plan();
    left_ = running_.calls;
    marked_ = running_.untimed > 0 ? running_.calls - running_.untimed : no_mark;
}

Switchback::Block Switchback::plan() {
    if (phase_ == Phase::quad) {
        if (order_ == alternating && step_ == 2 &&
            log_s_[1] - log_s_[0] > std::log(disaster_ratio)) {
            abort_experiment();
            return idle_block();
        }
        if (++step_ == static_cast<int>(order_.size())) {
            ++quad_; // the last block is not known yet; a first one costs nothing
            begin_quad();
        }
        return block_of_step();
    }
    if (wait_blocks_ > 0 || baseline_ < least_baseline) {
        wait_blocks_ -= wait_blocks_ > 0;
        return idle_block();
    }
    choose_challenger();
    if (!challenger_ || !affordable() || !decidable())
        return idle_block();
    phase_ = Phase::asking;
    begin_quad();
    return block_of_step();
}

void Switchback::begin_quad() {
    order_ = next_order();
    step_ = 0;
    length_ = quad_length();
}

Switchback::Block Switchback::block_of_step() const {
    const bool challenges = order_[static_cast<std::size_t>(step_)] == 'B';
    return after_change({challenges ? *challenger_ : present_,
                         challenges ? challenger_length() : length_, 0, quad_, step_, order_});
}

Switchback::Block Switchback::after_change(Block block) const {
    if (block.candidate != running_.candidate) {
        block.untimed = untimed_calls();
        block.calls += block.untimed;
    }
    return block;
}

/// Until the pipelines of one candidate are empty, and those of the other full.
std::uint64_t Switchback::untimed_calls() const {
    return period_s_ < (quad_ == 0 ? first_block_s : pipeline_s)
               ? calls_in(std::max(first_block_s, burst_barriers * barrier_s_))
               : 0;
}

/// The first quad, which shows large effects alone, does, so that one of the challenger's blocks is
/// known before the other begins, unless a change of candidates costs more than that saves.
bool Switchback::alternates() const {
    return quad_ == 0 && burst_barriers * barrier_s_ <= first_block_s;
}

/// ABBA and BAAB cancel a linear drift. After ABAB the challenger may go on, as long as it leads.
std::string_view Switchback::next_order() const {
    if (alternates())
        return alternating;
    return running_.candidate == challenger_ && challenger_leads() ? "BAAB" : "ABBA";
}

/// Judges by the first two blocks of the quad that ends, since its last one is not known yet.
bool Switchback::challenger_leads() const {
    const double lead = order_.front() == 'A' ? log_s_[0] - log_s_[1] : log_s_[1] - log_s_[0];
    return lead > std::log(leading_ratio);
}

Switchback::Block Switchback::idle_block() {
    const double most = period_s_ > 0 ? longest_block_s / period_s_ : 1;
    const bool doubles = baseline_ >= least_baseline || unsettled_;
    idle_calls_ = std::max(
        first_length(),
        doubles ? std::min(2 * idle_calls_, static_cast<std::uint64_t>(std::min(most, 1e9))) : 0);
    return after_change({present_, idle_calls_, 0});
}

/// Where the present candidate's block is of few long calls, as many as take the same time, so that
/// the challenger's pipeline shows; half the time while only a prediction says how many these are.
std::uint64_t Switchback::challenger_length() const {
    constexpr auto most = static_cast<std::uint64_t>(pipeline_calls);
    if (length_ >= most)
        return length_;
    double ratio = expected_ratio(*challenger_);
    if (quad_ == 0)
        ratio = order_ == alternating && step_ == 3 ? std::exp(log_s_[1] - log_s_[0]) : 2 * ratio;
    const double as_long = static_cast<double>(length_) / ratio;
    return std::clamp(static_cast<std::uint64_t>(std::min(as_long, pipeline_calls)), length_, most);
}

std::uint64_t Switchback::first_length() const {
    return calls_in(std::max(first_block_s, 2 * burst_barriers * barrier_s_));
}

std::uint64_t Switchback::calls_in(double time_s) const {
    if (period_s_ <= 0)
        return 1;
    return static_cast<std::uint64_t>(std::min(std::ceil(time_s / period_s_), most_first_calls));
}

std::uint64_t Switchback::quad_length() const {
    if (quad_ == 0) // enough for the large effects that it shows
        return std::max((first_length() + 1) / 2,
                        static_cast<std::uint64_t>(
                            std::min(first_quad_calls, std::floor(first_block_s / period_s_))));
    auto length = first_length();
    length = std::max(length, static_cast<std::uint64_t>(
                                  std::min(pipeline_calls, std::floor(pipeline_s / period_s_))));
    for (int i = 0; i < std::min(quad_, most_doublings); ++i)
        if (2 * static_cast<double>(length) * period_s_ <= longest_block_s)
            length *= 2;
    return length;
}

/// Wall time over the present candidate's: what the program does between calls stays as it is.
double Switchback::expected_ratio(std::size_t challenger) const {
    const auto& mine = expected(challenger);
    const auto& present = expected(present_);
    // Nothing says that a rule without figures is right, so the library's own is tried first.
    const double of_calls = mine && present   ? *mine / *present
                            : challenger == 0 ? 1
                                              : mine.value_or(unknown_ratio);
    const bool measured =
        candidates_[challenger].expected.measured || candidates_[present_].expected.measured;
    return measured ? of_calls : outside_share_ + (1 - outside_share_) * of_calls;
}

/// Expected ratio in the first block of an experiment, whose first call comes alone.
double Switchback::first_ratio(std::size_t challenger) const {
    const auto& ratios = candidates_[challenger].expected;
    const double ratio = expected_ratio(challenger);
    if (!unbroken() || !ratios.in_loop || !ratios.alone)
        return ratio;
    const auto calls = static_cast<double>(quad_length() + untimed_calls());
    return ratio * (1 + (*ratios.alone / *ratios.in_loop - 1) / std::max(calls, pipeline_calls));
}

/// Not where it is predicted to take as long as the present candidate. The library's own is tried
/// nevertheless, as predictions may be wrong.
bool Switchback::may_gain(std::size_t challenger) const {
    const auto& ratios = candidates_[challenger].expected;
    return challenger == 0 || ratios.measured || !expected(challenger) ||
           expected_ratio(challenger) < 1;
}

void Switchback::choose_challenger() {
    if (challenger_)
        return;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (i != present_ && !candidates_[i].retired && may_gain(i) &&
            (!challenger_ ||
             std::pair(candidates_[i].postponed, first_ratio(i)) <
                 std::pair(candidates_[*challenger_].postponed, first_ratio(*challenger_))))
            challenger_ = i;
    if (challenger_) {
        ++experiments_;
        past_loss_s_ = spent_s();
        experiment_loss_s_ = 0;
        quad_ = 0;
        first_ = later_ = {};
        return;
    }
    if (!look_again_s_) {
        look_again_s_ = elapsed_s_ + std::max(elapsed_s_, least_pause_s);
        decided_period_s_ = period_s_;
    }
    const bool drifted = differ(period_s_, decided_period_s_);
    if (elapsed_s_ < *look_again_s_ && !drifted)
        return;
    look_again_s_.reset();
    for (auto& candidate : candidates_) {
        candidate.retired = candidate.broken >= most_broken;
        candidate.postponed = false;
        candidate.aborted = 0;
    }
}

bool Switchback::affordable() const {
    const std::uint64_t changes = alternates() ? 4 : 2;
    const auto calls = static_cast<double>(2 * quad_length() + changes / 2 * untimed_calls());
    const double loss_s = static_cast<double>(changes) * barrier_s_ +
                          calls * period_s_ * (expected_ratio(*challenger_) - 1);
    const bool shown = quad_ > 0; // a gain that is only predicted pays for nothing
    return spent_s() + wrong_rule_s_ + elsewhere_s_ - elsewhere_first_s_ +
               (shown ? loss_s : std::max(0., loss_s)) <=
           allowance_s + gained_s_ + budget_share * elapsed_s_;
}

double Switchback::needed_evidence() const {
    return std::log(tests * experiments_ * (experiments_ + 1) / error_rate);
}

/// Whether an experiment would find, at the scatter that was seen, the effect that is looked for.
/// One that would not is no use, and its barriers bring ranks together that work had moved apart.
bool Switchback::decidable() const {
    const double effect =
        std::abs(std::log(expected_ratio(*challenger_))) + (1 - outside_share_) * effect_deviation;
    return most_quads * effect * effect >= 2 * needed_evidence() * variance_;
}

void Switchback::learn(const Agreed& agreed) {
    const auto block = ended_;
    const double log_s = std::log(std::max(agreed.time_s, 1e-9) / // a clock's step
                                  static_cast<double>(block.calls - block.untimed));
    if (blocks_ == 0)
        elsewhere_first_s_ = agreed.spent_elsewhere_s;
    elsewhere_s_ = agreed.spent_elsewhere_s;
    barrier_s_ = agreed.barrier_s;
    account(block, agreed);
    const double outside_share =
        agreed.whole_s > 0 ? std::min(agreed.outside_s / agreed.whole_s, 1.) : 0;
    gapless_ += outside_share < gapless_share && agreed.others == 0;
    if (block.step < 0)
        outside_share_ = outside_share;
    if (block.step < 0 && last_.step < 0 && block.candidate == last_.candidate &&
        block.calls <= 2 * last_.calls && blocks_ > 1 && !unsettled_)
        learn_scatter(log_s - last_log_s_);
    last_ = block;
    last_log_s_ = log_s;
    ++blocks_;

    if (phase_ != Phase::idle && agreed.busy > 0) {
        // Shapes on communicators that overlap must not ask in step for ever.
        ++refusals_;
        const auto spread = std::uint64_t{1} << std::min(refusals_, most_refusals);
        drop_quad(1 + (salt_ >> (refusals_ % 8)) % spread);
        return;
    }
    if (phase_ == Phase::asking) {
        phase_ = Phase::quad;
        refusals_ = 0;
    } else if (phase_ == Phase::quad && block.step >= 0) {
        log_s_[static_cast<std::size_t>(block.step)] = log_s;
        block_s_[static_cast<std::size_t>(block.step)] = agreed.time_s;
        if (block.step + 1 == static_cast<int>(block.order.size()))
            judge(block);
    }
}

void Switchback::account(const Block& block, const Agreed& agreed) {
    elapsed_s_ += agreed.whole_s;
    const auto calls = static_cast<double>(block.calls);
    if (blocks_ == 0) { // it has the cost of a start
        period_s_ = agreed.whole_s / calls;
        return;
    }
    auto& ran = candidates_[block.candidate].ran;
    ran.calls += calls;
    ran.time_s += agreed.whole_s;
    if (block.candidate != present_) {
        experiment_loss_s_ += agreed.whole_s - calls * period_s_;
        return;
    }
    if (block.untimed > 0) // what the change of candidates cost
        experiment_loss_s_ += std::max(0., agreed.whole_s - agreed.time_s -
                                               static_cast<double>(block.untimed) * period_s_);
    gained_s_ += agreed.whole_s * gain_ratio_;
    const double last_s = recents_ > 0 ? recent_s_[(recents_ - 1) % recent_s_.size()] : 0;
    const double mine_s = agreed.time_s / static_cast<double>(block.calls - block.untimed);
    learn_period(mine_s);
    // While pipelines fill, as over a backbone whose delay is a block's time, a block says little.
    unsettled_ =
        experiments_ == 0 && baseline_ < least_baseline && last_s > 0 && differ(mine_s, last_s);
    if (unsettled_)
        baseline_ = 0;
    baseline_ += 2 * block.calls >= first_length();
    probation_.calls += calls;
    probation_.time_s += agreed.whole_s;
    if (beaten_ && probation_.time_s >= probation_s)
        check_promise();
}

void Switchback::learn_period(double per_call_s) {
    recent_s_[recents_ % recent_s_.size()] = per_call_s;
    ++recents_;
    auto sorted = recent_s_;
    const auto count = std::min(recents_, sorted.size());
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
    // The longer one of two: at the start a call may find all data there, and short blocks cost
    // little.
    period_s_ = sorted[count < 3 ? count - 1 : 1];
}

void Switchback::learn_scatter(double difference) {
    const double half = std::min(difference * difference / 2, outlying * outlying * variance_);
    variance_ += (half - variance_) / (freedom_ + 1);
    freedom_ = std::min(freedom_ + 1, most_freedom);
}

void Switchback::judge(const Block& last) {
    const int quad = last.quad;
    const auto at_a1 = last.order.find('A'), at_b1 = last.order.find('B');
    const auto at_a2 = last.order.rfind('A'), at_b2 = last.order.rfind('B');
    const double a1 = log_s_[at_a1], b1 = log_s_[at_b1], a2 = log_s_[at_a2], b2 = log_s_[at_b2];
    learn_scatter(b2 - b1);
    learn_scatter(a2 - a1);
    const double deviation = std::sqrt(variance_);
    const double d1 = b1 - a1, d2 = b2 - a2; // their difference scatters by twice the deviation
    const double most =
        std::max(most_effect * deviation,
                 std::abs(common_part(without_timeout(d1, block_s_[at_b1], block_s_[at_a1]),
                                      without_timeout(d2, block_s_[at_b2], block_s_[at_a2]))));
    auto& quads = quad == 0 ? first_ : later_;
    ++quads.count;
    quads.effects +=
        quad == 0 ? common_part(d1, d2)
                  : std::clamp(std::abs(d1 - d2) <= 2 * outlying * deviation ? (d1 + d2) / 2
                                                                             : common_part(d1, d2),
                               -most, most);
    quads.challenger_s += std::exp(b1) + std::exp(b2);
    quads.present_s += std::exp(a1) + std::exp(a2);
    note_ratio(quads);

    const double mean = quads.effects / quads.count;
    // Wider, since the scatter is an estimate itself.
    const double variance = variance_ * (1 + 4 / freedom_);
    const double evidence = log_evidence(quads.count, mean, variance);
    const bool gains = mean <= std::log(1 - least_gain);
    // A challenger that is quicker but for its time-outs is not quicker.
    const bool fills = quad == 0 && first_length() <= few_calls && mean < std::log(filling_ratio);
    const bool futile =
        quads.count >= 2 &&
        mean - std::log(1 - least_gain) > futile_deviations * std::sqrt(variance / quads.count);
    const bool loses =
        futile || (!gains && !fills && evidence >= std::log(1 / retiring_error_rate));
    if (gains && evidence >= needed_evidence() && quads.challenger_s < quads.present_s) {
        win(quads, std::exp((b1 + b2) / 2));
        return;
    }
    auto& challenger = candidates_[*challenger_];
    const bool pauses = !affordable() || !decidable();
    if (loses || quad + 1 >= most_quads) {
        challenger.retired = true;
        stop();
    } else if (!challenger.postponed && (pauses || quad + 1 >= quads_at_first) && another_waits()) {
        challenger.postponed = true;
        stop();
    } else if (pauses) {
        drop_quad(1);
    }
}

/// Whether there is a challenger that was not tried for long.
bool Switchback::another_waits() const {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (i != present_ && i != *challenger_ && !candidates_[i].retired &&
            !candidates_[i].postponed && may_gain(i))
            return true;
    return false;
}

/// Keeps what the quads showed, for the budget and for the log.
void Switchback::note_ratio(const Quads& quads) {
    auto& mine = candidates_[*challenger_];
    auto& present = candidates_[present_];
    const double log = std::log(quads.challenger_s / quads.present_s);
    const double variance = variance_ / quads.count;
    if (*challenger_ == 0) {
        present.over_library = Ratio{-log, variance};
        present.expected = {std::exp(-log), {}, true};
        return;
    }
    if (present.over_library)
        mine.over_library =
            Ratio{present.over_library->log + log, present.over_library->variance + variance};
    mine.expected = {expected(present_).value_or(1) * std::exp(log), {}, true};
}

void Switchback::win(const Quads& quads, double period_s) {
    candidates_[present_].retired = true;
    beaten_ = {present_, quads.present_s / (2 * quads.count)};
    gain_ratio_ = quads.present_s / quads.challenger_s - 1;
    if (*challenger_ == 0) {        // the rule is wrong, and going back gains nothing
        if (decided_period_s_ == 0) // it was from the start
            wrong_rule_s_ = candidates_[present_].ran.time_s * gain_ratio_ / (1 + gain_ratio_);
        gain_ratio_ = 0;
    }
    run_from_now(*challenger_, period_s);
}

void Switchback::run_from_now(std::size_t candidate, double period_s) {
    present_ = candidate;
    period_s_ = period_s;
    recents_ = 0;
    baseline_ = 0;
    probation_ = {};
    stop();
}

/// Ends the probation of a winner.
void Switchback::check_promise() {
    const double ratio = probation_.time_s / probation_.calls / beaten_->period_s;
    if (ratio > 1) {
        auto& broken = candidates_[present_];
        broken.retired = true;
        ++broken.broken;
        broken.expected = {expected(beaten_->candidate).value_or(1) * ratio, {}, true};
        candidates_[beaten_->candidate].retired = false;
        gain_ratio_ = 0;
        run_from_now(beaten_->candidate, beaten_->period_s);
    }
    beaten_.reset();
}

/// A first block so slow that a second would cost too much; no evidence, it may be a time-out's.
void Switchback::abort_experiment() {
    auto& challenger = candidates_[*challenger_];
    challenger.expected = {
        expected(present_).value_or(1) * std::exp(log_s_[1] - log_s_[0]), {}, true};
    challenger.retired = ++challenger.aborted >= most_aborted;
    stop();
}

void Switchback::stop() {
    challenger_.reset();
    drop_quad(0);
}

void Switchback::drop_quad(std::uint64_t wait_blocks) {
    phase_ = Phase::idle;
    wait_blocks_ = wait_blocks;
    idle_calls_ = first_length();
}

} // namespace alltold::preload
