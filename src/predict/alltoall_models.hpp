// SPDX-License-Identifier: BSD-3-Clause
// The models an all-to-all within one cluster can be predicted with, by name.
#pragma once

#include <span>
#include <string_view>

#include "core/result.hpp"
#include "network/estimate.hpp"
#include "predict/network.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// One model: its name, which equation it is, and the time with its 95 % interval in seconds.
struct AlltoallModel {
    const char* name;
    const char* equation;
    enum class Needs { hockney, signature, congestion } needs;
    /// For n >= 1 processes and m >= 0 bytes per pair. `network` has `alltoall` where the model
    /// needs it, and `local` or `alltoall`. Null where a model is not of one cluster but of the
    /// whole: "congestion" is congested_estimate.
    Estimate (*time_s)(const Network& network, int n, double size_bytes);
};

/// "signature" (SMT07 equation 5), "gamma" (equation 4: the same without delta), "linear"
/// (equation 1), "clement" (equation 3), "congestion" (ours, docs/congestion.md).
std::span<const AlltoallModel> alltoall_models();

/// Fails, listing the names there are.
Result<AlltoallModel> alltoall_model(std::string_view name);

/// What predicts the library's all-to-all on `clusters` unless another is asked for: "congestion"
/// where it was fitted on as many clusters (the fit refuses it where the papers' models do no worse
/// on points left out), else "signature", else "linear".
AlltoallModel preferred_alltoall_model(const Network& network, const Clusters& clusters);

/// Whether M's interval leaves open that messages of this size pay delta: they are larger than any
/// that was seen not to, and smaller than any that was seen to.
bool delta_in_doubt(const SignatureFit& fit, double size_bytes);

/// alpha and beta with intervals: from the ping-pong, or those the signature is relative to.
HockneyFit local_network(const Network& network);

} // namespace alltold
