// SPDX-License-Identifier: BSD-3-Clause
// Rounds over all candidates, size by size, every byte checked.
#pragma once

#include "campaign/compare/compare.hpp"

namespace alltold::campaign {

/// Times of one candidate at one size so far.
struct CandidateTimes {
    double warmup_s = 0;         ///< above 0
    std::vector<double> times_s; ///< of the repetitions that count
    bool stays = false;          ///< timed to the end however slow
};

/// Marks the candidates at one size (one or more) that need no further timing: even their quickest
/// repetition, warm-up included, took over `factor` (1 or more) times the least median. A candidate
/// with a warm-up alone must exceed that by more than a second, which neither a time-out nor
/// connection set-up takes.
std::vector<bool> too_slow(std::span<const CandidateTimes> candidates, double factor);

/// First one warm-up of each entry, the last size first. Then one size after the other, since what
/// loses packets at one size leaves TCP's windows small for seconds; each has a share of the time
/// that is left by what its warm-ups took. Each round runs one repetition of each candidate in a
/// new order. On several clusters an untimed repetition of the same entry precedes each timed one:
/// else TCP's windows, which are those of the last 0.2 s, would be what other entries left. Slow
/// entries are dropped between rounds. Traced repetitions of our algorithms follow, if wanted. A
/// repetition in which a rank started late is repeated, and a wrong byte ends the comparison with
/// status `no`.
class Comparison : public Policy {
  public:
    /// Every candidate at every size, with its choice. Fails as Candidate::at does.
    static Result<std::vector<Entry>> entries_of(const ComparisonRequest& request);
    /// `request` must outlive it.
    Comparison(const ComparisonRequest& request, std::vector<Entry> entries);

    Result<std::optional<Measurement>> next(double now_s) override;
    Status observe(const Measurement& measurement, const Observation& observation) override;
    void traced(const Measurement& measurement,
                std::vector<std::vector<TracedOperation>> operations) override;
    Status ended(const EngineStatus& status, double now_s) override;
    std::string progress(const Measurement& measurement, double now_s) const override;

    const ComparisonOutcome& outcome() const { return outcome_; }

  private:
    std::optional<Measurement> next_in_order();
    /// Empty once there was one of each entry.
    std::optional<Measurement> next_warm_up(double now_s);
    /// One more timed repetition; empty once there are enough or no time is left.
    std::optional<Measurement> next_timed(double now_s);
    std::optional<Measurement> next_traced();
    const Candidate& candidate_of(const Entry& entry) const;
    std::span<Entry> of_size();
    void start(double now_s);
    void start_size(std::size_t size, double now_s);
    std::vector<std::size_t> shuffled(std::size_t size) const;
    void drop_out();
    /// Once every entry left of the size has a time.
    bool is_over_budget(double now_s);
    /// Makes it the one to be timed or traced next.
    void await(std::size_t entry);
    /// For the awaited entry.
    Measurement measurement();

    const ComparisonRequest& request_;
    std::optional<double> started_s_;
    std::size_t size_ = 0;           ///< of request.sizes_bytes
    double until_s_ = 0;             ///< when its share of the budget ends
    int round_ = 0;                  ///< of the size; 0: none yet
    bool warm_ = false;              ///< the warm-ups are over
    std::vector<double> warm_ups_s_; ///< what those of each size took, with all around them
    double asked_s_ = 0;             ///< when the last warm-up was asked for
    std::vector<std::size_t> order_;
    std::size_t place_ = 0;              ///< of the next entry
    std::optional<std::size_t> awaited_; ///< the entry measured and not observed yet
    std::optional<std::size_t> last_;    ///< the entry measured last
    bool prepared_ = true;          ///< what precedes a timed repetition of the last entry has run
    std::uint64_t repetitions_ = 0; ///< so far; makes the bytes of each one unique
    bool tracing_ = false;          ///< the timed repetitions are over
    std::size_t to_trace_ = 0;      ///< traced repetitions begun, those of the library left out
    std::vector<std::vector<CallTrace>> traces_; ///< by entry
    std::optional<Drops> dropped_;               ///< in a lab: up to the last repetition's end
    ComparisonOutcome outcome_;
};

} // namespace alltold::campaign
