// SPDX-License-Identifier: BSD-3-Clause
// Rounds of calls counted, medians compared.
#include "preload/trial.hpp"

#include <algorithm>

#include "core/median.hpp"

namespace alltold::preload {

bool Trial::is_other_call() const {
    return std::find(other_calls.begin(), other_calls.end(), static_cast<int>(place_)) !=
               other_calls.end() &&
           place_ < round_calls;
}

Trial::Step Trial::next() {
    ++place_;
    if (place_ == round_calls)
        return Step::ask;
    if (place_ == 2 * round_calls)
        return Step::answer;
    if (place_ == round_calls + pause_) {
        place_ = 0;
        ours_s_.clear();
        library_s_.clear();
    }
    return Step::none;
}

Trial::Times Trial::times() const {
    return {median(ours_s_), median(library_s_)};
}

void Trial::decide(const Times& sums) {
    const bool library = sums.library_s < sums.ours_s;
    pause_ = library == library_ ? std::min(2 * pause_, longest_pause) : 3 * round_calls;
    library_ = library;
}

} // namespace alltold::preload
