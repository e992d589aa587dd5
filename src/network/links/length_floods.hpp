// SPDX-License-Identifier: BSD-3-Clause
// Floods of several lengths and the shares of them that arrive, as in stores of earlier versions.
#pragma once

#include "network/fitting.hpp"
#include "network/links/buffer_fit.hpp"

namespace alltold {

struct LengthFloods {
    BufferFit fit;
    int senders = 0;
    double bytes = 0; ///< of the queue
};

/// fit_buffer of the floods of a probe, "flood" or "backbone_flood". Refuses as it does, and where
/// there are none.
Result<LengthFloods> fit_length_floods(const Fitting& fitting, const char* probe, const char* what);

} // namespace alltold
