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
        times_s_.clear();
    }
    return Step::none;
}

Trial::Times Trial::times() const {
    Times sums;
    double calls = 0;
    for (const auto& [kind, of] : times_s_) {
        if (of.ours.empty() || of.library.empty())
            continue;
        const auto weight = static_cast<double>(of.ours.size() + of.library.size());
        sums.ours_s += weight * median(of.ours);
        sums.library_s += weight * median(of.library);
        calls += weight;
    }
    return calls > 0 ? Times{sums.ours_s / calls, sums.library_s / calls} : sums;
}

void Trial::decide(const Times& sums) {
    const bool library = sums.library_s == sums.ours_s ? library_ : sums.library_s < sums.ours_s;
    pause_ = library == library_ ? std::min(2 * pause_, longest_pause) : 3 * round_calls;
    library_ = library;
}

} // namespace alltold::preload
