// SPDX-License-Identifier: BSD-3-Clause
// Which repetitions at the start of a measurement only warm the connections up.
#pragma once

namespace alltold::campaign {

/// The first repetition, and the following ones while each is over a tenth quicker than the one
/// before, at most six: after a pause TCP starts with ten segments a round trip and doubles them,
/// so the first repetitions over a long path ramp up. They are recorded and marked.
class WarmUp {
  public:
    /// Whether the repetition that took `time_s` was a warm-up; always false after the last one. If
    /// the measurement is `out_of_time`, only the first counts as one.
    bool holds(double time_s, bool out_of_time) {
        const bool quicker = taken_ < most && time_s < 0.9 * last_s_;
        warming_ = warming_ && (taken_ == 0 || (quicker && !out_of_time));
        last_s_ = time_s;
        ++taken_;
        return warming_;
    }

  private:
    static constexpr int most = 6;
    bool warming_ = true;
    int taken_ = 0;
    double last_s_ = 0;
};

} // namespace alltold::campaign
