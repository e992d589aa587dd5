// SPDX-License-Identifier: BSD-3-Clause
// Parametrised LogP (Kielmann et al. 2000), the parameters of BM04.
#pragma once

#include "network/size_curve.hpp"

namespace alltold {

/// The costs of one message of m bytes. A message sent at t has arrived at t + L + g(m); the next
/// one may be sent at t + g(m).
struct PLogP {
    Estimate L_s;  ///< latency: end to end, without the gap
    SizeCurve g_s; ///< gap: least time between two messages of m bytes, sent or received
    SizeCurve o_s; ///< processor time of sending, seconds; no points: not known
    SizeCurve o_r; ///< processor time of receiving, seconds; likewise
};

} // namespace alltold
