// SPDX-License-Identifier: BSD-3-Clause
// Compares our algorithm with the library's own while the program runs, and stays with the quicker.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace alltold::preload {

/// The calls of one shape, in rounds. In a round most calls run the present choice and a few the
/// other one. Then the ranks add up their medians of both, without waiting for the sum, which is
/// read `round_calls` calls later, when it has long arrived. From then on the choice with the
/// smaller sum is the present one; equal sums, as of no times, change nothing. The next round
/// begins after a pause that doubles while the choice stays the same. Decisions depend only on the
/// number of the call and on the sums, so all ranks decide alike.
///
/// The calls of an all-to-all-v may differ in size, and no rank knows the sizes of others. So each
/// rank compares calls of one kind with one another, such as those that move about as many bytes of
/// its own.
///
/// Knows neither MPI nor a clock. For each call: turn(), then add() where measuring(), then next().
class Trial {
  public:
    static constexpr int round_calls = 16;
    static constexpr std::array<int, 3> other_calls{2, 7, 13}; ///< their places in a round
    static constexpr std::uint64_t longest_pause = 1024;       ///< calls

    enum class First { ours, library };
    /// Begins with this choice.
    explicit Trial(First first = First::ours) : library_(first == First::library) {}

    /// This rank's medians, the mean over the kinds of which both ran, weighted by calls, or their
    /// sums over all ranks.
    struct Times {
        double ours_s = 0;
        double library_s = 0;
    };
    enum class Step { none, ask, answer };

    /// Whether this call runs the library's own.
    bool turn_of_library() const { return library_ != is_other_call(); }
    /// Whether the time of this call counts.
    bool measuring() const { return place_ < round_calls; }
    /// Whether this call runs its choice only for the comparison.
    bool is_other_call() const;
    void add(double duration_s, int kind = 0) {
        auto& times = times_s_[kind];
        (turn_of_library() ? times.library : times.ours).push_back(duration_s);
    }
    /// Ends the call. `ask`: the sums of times() are to be asked for now; `answer`: before the next
    /// call of this shape, decide() is to be told the sums.
    Step next();
    Times times() const;
    void decide(const Times& sums);

    /// Whether the library's own is the present choice.
    bool sent_back() const { return library_; }

  private:
    bool library_ = false;
    std::uint64_t place_ = 0;               ///< the next call's, from the start of the round
    std::uint64_t pause_ = 3 * round_calls; ///< calls from this round to the next
    struct Measured {
        std::vector<double> ours, library;
    };
    std::map<int, Measured> times_s_; ///< this round's, by kind
};

} // namespace alltold::preload
