// SPDX-License-Identifier: BSD-3-Clause
// The window of TCP connections between clusters, from measured collectives.
#pragma once

#include <vector>

#include "network/corrections/correction.hpp"
#include "network/network.hpp"

namespace alltold {

/// The measured calls of one correction.
struct CallsToCorrect {
    CorrectedCalls of;
    std::vector<MeasuredCall> calls;
};

/// LinkNetwork::window_bytes: of windows from the initial one to what a round trip takes, the one
/// with which the links predict the measured calls on several clusters best. 0, unlimited, without
/// such calls or an initial window, and where no window predicts them clearly better.
double fit_window_bytes(const Network& network, const std::vector<CallsToCorrect>& measured);

} // namespace alltold
