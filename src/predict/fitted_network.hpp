// SPDX-License-Identifier: BSD-3-Clause
// What predictions are made from.
#pragma once

#include <optional>
#include <string>

#include "fit/hockney_fit.hpp"
#include "fit/signature_fit.hpp"

namespace alltold {

/// The fitted parameters of a network, as far as they are known.
struct FittedNetwork {
    std::optional<HockneyFit> local;      ///< between hosts of one cluster
    std::optional<HockneyFit> wide;       ///< between hosts of different clusters
    std::optional<SignatureFit> alltoall; ///< the library's all-to-all within one cluster
    std::string assumed;                  ///< what was not measured; empty if nothing
};

} // namespace alltold
