// SPDX-License-Identifier: BSD-3-Clause
// The closed forms under pLogP by algorithm, and whether each is exact, a bound or an
// approximation.
#pragma once

#include <string_view>

#include "network/plogp/plogp.hpp"

namespace alltold {

/// The inputs of a formula.
struct CallShape {
    int n = 1;
    double size_bytes = 0;    ///< m, per block; at least 1
    double segment_bytes = 0; ///< s; 0: not segmented
    int window = 0;           ///< w; 0: no limit
    int root = 0;
    double combine_s_per_byte = 0; ///< gamma, of one contribution to a reduction
    double copy_s_per_byte = 0;    ///< of blocks that are packed, in Bruck's exchange
};

/// Seconds of a call.
using Form = double(const PLogP& network, const CallShape& call);

/// How a formula relates to the time of our schedule under the same pLogP: sends and receives of
/// one rank g(m) apart each, both directions independent, copies free but for those of Bruck's
/// exchange, and processors too but for the combinations of a reduction, one after another.
/// Operators commute and cut anywhere.
enum class Relation { exact, upper_bound, lower_bound, approximation };

std::string_view name_of(Relation relation);

struct ClosedForm {
    std::string_view algorithm; ///< "bcast.chain"
    std::string_view source;    ///< "BM04 table 1"; "closed form" where we worked it out, with the
                                ///< paper of the algorithm, if it has the same formula
    Form* time_s;
    /// The relation for this call; may depend on n, m and the parameters.
    Relation (*relation)(const PLogP& network, const CallShape& call);
};

/// All forms, by algorithm; those of one algorithm in order of preference.
std::span<const ClosedForm> closed_forms();

/// The first form of `algorithm` that is exact for this call; null without one.
const ClosedForm* exact_form(std::string_view algorithm, const PLogP& network,
                             const CallShape& call);

} // namespace alltold
