// SPDX-License-Identifier: BSD-3-Clause
// What rank 0 has learned about starting ranks together, over all visits of a session.
#pragma once

#include <map>
#include <string>

#include "campaign/timed.hpp"

namespace alltold::measure {

/// Judges repetitions that began at an agreed instant. Lives on rank 0.
class Starts {
  public:
    /// `round_trip_s` is the longest known, `likely_s` how well clocks agree.
    Starts(double round_trip_s, double likely_s) : margin_(round_trip_s), likely_s_(likely_s) {}
    /// After a new comparison of clocks.
    void compared(double likely_s) { likely_s_ = likely_s; }
    /// How far ahead to put the next instant.
    double margin_s() const { return margin_.now_s(); }
    /// Whether the repetition is invalid, since a rank of `point` started late.
    bool was_late(const Point& point, const Timed& timed);

    /// Repetitions invalid and the latest of their starts, since the last call.
    struct Late {
        int count = 0;
        double worst_s = 0;
    };
    Late take_late();
    /// How late a start had to be let pass at worst.
    double worst_tolerance_s() const { return worst_tolerance_s_; }

  private:
    Margin margin_;
    double likely_s_;
    std::map<std::string, Punctuality> punctuality_; ///< by the text of a point's clusters
    Late late_;
    double worst_tolerance_s_ = 0;
};

} // namespace alltold::measure
