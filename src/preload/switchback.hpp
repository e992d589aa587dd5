// SPDX-License-Identifier: BSD-3-Clause
// Decides by wall time of blocks of calls, which candidates run in turn, what the calls of a shape
// run.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace alltold::preload {

/// The calls of one shape, cut into blocks of consecutive calls. A block runs one candidate, and
/// its time is that from its first call to the first call of the next block, whatever the program
/// does between. The *present* candidate runs but for experiments, in which a *challenger* runs
/// some blocks: A B A B first, then A B B A or B A A B with longer blocks (A: the present one), so
/// that a linear drift cancels. A sequential test on the logarithms of the ratios decides: the
/// probability that any experiment of the shape ends with a wrong winner, where both are equal, is
/// at most 1 %.
///
/// Challengers run only within a budget: what their blocks lost may not exceed 1 % of the time
/// since the first call, 0.1 s, and what earlier challengers that won have gained.
///
/// Knows neither MPI nor a clock. For each call: if at_border(), first learn(), unless the shape
/// has had fewer than two borders, and begin_block(); then runs() and count_call(). What the ranks
/// agreed on, and nothing else, decides, so all ranks decide alike.
class Switchback {
  public:
    /// A block's figures, on which all ranks agree.
    struct Agreed {
        double time_s = 0;  ///< from the mark, if it had one, to its end
        double whole_s = 0; ///< from its first call to its end
        /// Above 0 if some rank could not reserve the right to switch (SwitchRight) for the shape
        /// at the end of the block.
        double busy = 0;
        double spent_elsewhere_s = 0; ///< the losses of the process's other shapes
        double outside_s = 0; ///< of its time outside collectives, on the rank with the most
        double others = 0;    ///< calls of other collectives in it
        double barrier_s = 0; ///< duration of a barrier of the ranks
    };
    /// A candidate's time over the library's; empty where it is not known.
    struct Expected {
        std::optional<double> least = {};   ///< of all arrival patterns
        std::optional<double> in_loop = {}; ///< in an unbroken loop
        bool measured = false;              ///< least: wall time, with all between calls
        std::optional<double> alone = {};   ///< of a call by itself
    };
    /// A candidate's wall time over the library's, as logarithm.
    struct Ratio {
        double log = 0;
        double variance = 0;
    };
    /// Sums over the blocks that the ranks have agreed on, without the first.
    struct Ran {
        double calls = 0;
        double time_s = 0;
    };

    /// Candidate 0 is the library's own. `present` runs first. `salt` differs between shapes that
    /// may ask for the right to switch at once, and is the same on all ranks.
    Switchback(const std::vector<Expected>& expected, std::size_t present, std::uint64_t salt);

    /// The candidate of the next call.
    std::size_t runs() const { return running_.candidate; }
    std::size_t present() const { return present_; }
    /// Whether the next call begins a block.
    bool at_border() const { return left_ == 0; }
    /// Whether the next call is the first of a block that counts for its time.
    bool at_mark() const { return left_ == marked_; }
    void count_call() { --left_; }
    /// The figures of the block before the one that ended last.
    void learn(const Agreed& agreed);
    /// The next call begins a block.
    void begin_block();
    /// Whether the shape needs the right to switch for the block that has just begun.
    bool needs_right() const { return phase_ != Phase::idle; }
    /// Whether messages of earlier calls may still fill ports: the program waits in collectives.
    bool ports_may_be_full() const { return outside_share_ < port_idle_share; }
    /// How long the block that has just begun is expected to take; 0: not known.
    double block_s() const { return static_cast<double>(running_.calls) * period_s_; }

    /// The loss in challengers' blocks: of each experiment that lost.
    double spent_s() const { return past_loss_s_ + std::max(0., experiment_loss_s_); }
    /// Empty where no blocks have shown it.
    const std::optional<Ratio>& over_library(std::size_t candidate) const {
        return candidates_[candidate].over_library;
    }
    /// As given for the program's arrival pattern, or as blocks have shown it since.
    const std::optional<double>& expected(std::size_t candidate) const {
        const auto& ratios = candidates_[candidate].expected;
        return ratios.in_loop && unbroken() ? ratios.in_loop : ratios.least;
    }
    const Ran& ran(std::size_t candidate) const { return candidates_[candidate].ran; }

  private:
    enum class Phase : std::uint8_t {
        idle,   ///< the present candidate runs
        asking, ///< as well, until the ranks know whether all have the right to switch
        quad,   ///< an experiment
    };
    struct Candidate {
        Expected expected;
        std::optional<Ratio> over_library = {};
        Ran ran = {};
        bool retired = false;   ///< lost, or was no better
        bool postponed = false; ///< not decided soon: others come first
        int aborted = 0;        ///< quads that ended after their first block
        int broken = 0;         ///< promises
    };
    struct Block {
        std::size_t candidate = 0;
        std::uint64_t calls = 1;
        std::uint64_t untimed = 0;   ///< its first calls
        int quad = 0, step = -1;     ///< in an experiment; -1: outside
        std::string_view order = {}; ///< of the quad; A: the present candidate
    };
    /// Sums over quads of an experiment.
    struct Quads {
        int count = 0;
        double effects = 0; ///< log(time of the challenger / that of the present one)
        double challenger_s = 0, present_s = 0; ///< wall times of a call
    };

    /// Where a program works for so much of its time, ports are idle between calls: what fills them
    /// longer than the work lasts holds the ranks up inside calls for more than the rest.
    static constexpr double port_idle_share = 0.9;

    Block plan();
    Block idle_block();
    static constexpr std::uint64_t no_mark = ~std::uint64_t{0};

    void begin_quad();
    Block block_of_step() const;
    /// The block, which comes next, with calls that are not timed where it changes candidates.
    Block after_change(Block block) const;
    bool alternates() const;
    std::string_view next_order() const;
    bool challenger_leads() const;
    std::uint64_t challenger_length() const;
    std::uint64_t calls_in(double time_s) const;
    std::uint64_t untimed_calls() const;
    std::uint64_t first_length() const;
    std::uint64_t quad_length() const;
    void choose_challenger();
    bool may_gain(std::size_t challenger) const;
    double expected_ratio(std::size_t challenger) const;
    double first_ratio(std::size_t challenger) const;
    /// Whether nothing comes between calls, as most blocks have shown it.
    bool unbroken() const { return 2 * gapless_ > blocks_; }
    bool affordable() const;
    double needed_evidence() const;
    bool decidable() const;
    void abort_experiment();
    void account(const Block& block, const Agreed& agreed);
    void learn_period(double per_call_s);
    void learn_scatter(double difference);
    void judge(const Block& last);
    bool another_waits() const;
    void note_ratio(const Quads& quads);
    void win(const Quads& quads, double period_s);
    void run_from_now(std::size_t candidate, double period_s);
    void check_promise();
    void stop();
    void drop_quad(std::uint64_t wait_blocks);

    std::vector<Candidate> candidates_;
    std::size_t present_;
    std::uint64_t salt_;

    /// Calls before the first border, at which ranks wait for each other: a program that gave a few
    /// calls lengths that differ between ranks, and so other shapes, need not come to one.
    static constexpr std::uint64_t first_calls = 3;
    Block running_{0, first_calls}, ended_; ///< the block before `running_` while that runs
    std::uint64_t left_ = first_calls;
    std::uint64_t marked_ = no_mark; ///< left_ at the mark
    std::uint64_t blocks_ = 0;       ///< learned
    std::uint64_t gapless_ = 0;      ///< among them
    double outside_share_ = 0;       ///< of the last block outside experiments

    double elapsed_s_ = 0;
    double period_s_ = 0; ///< of the present candidate, the median of recent_s_
    std::array<double, 3> recent_s_{};
    std::size_t recents_ = 0;
    double variance_; ///< of the logarithm of a block's time
    double freedom_;  ///< degrees of, in variance_
    Block last_;      ///< learned last, and the logarithm of its calls' time
    double last_log_s_ = 0;
    int baseline_ = 0;       ///< blocks of the present candidate since it is that, of like periods
    bool unsettled_ = false; ///< its last two had unlike ones

    double past_loss_s_ = 0, experiment_loss_s_ = 0;
    double gained_s_ = 0, gain_ratio_ = 0;
    double wrong_rule_s_ = 0; ///< lost by it before the library's own ran
    double elsewhere_s_ = 0, elsewhere_first_s_ = 0;
    double barrier_s_ = 0;

    Phase phase_ = Phase::idle;
    std::optional<std::size_t> challenger_;
    int experiments_ = 0;
    int quad_ = 0;                    ///< of the experiment
    std::string_view order_;          ///< of the quad
    int step_ = 0;                    ///< of running_
    std::uint64_t length_ = 1;        ///< of the blocks of the quad
    std::array<double, 4> log_s_{};   ///< by call, of the quad's blocks
    std::array<double, 4> block_s_{}; ///< and whole
    Quads first_, later_;
    int refusals_ = 0;
    std::uint64_t wait_blocks_ = 0; ///< before asking again
    std::uint64_t idle_calls_ = 1;  ///< of the present idle block
    std::optional<double> look_again_s_;
    double decided_period_s_ = 0;
    struct Beaten {
        std::size_t candidate;
        double period_s;
    };
    std::optional<Beaten> beaten_; ///< by the present candidate, which is on probation
    Ran probation_;
};

} // namespace alltold::preload
