// SPDX-License-Identifier: BSD-3-Clause
// Every closed form under pLogP by the algorithm it is of, and what it is to that algorithm's time.
#pragma once

#include <span>
#include <string_view>

#include "network/plogp/plogp.hpp"

namespace alltold {

/// One call as a formula sees it.
struct CallShape {
    int n = 1;
    double size_bytes = 0;    ///< m, per block; at least 1
    double segment_bytes = 0; ///< s; 0: not segmented
    int window = 0;           ///< w; 0: no limit
};

/// What a formula is to the time our schedule takes under the same pLogP: sends and receives of one
/// rank g(m) apart each, both sides independent, copies and processors free.
enum class Relation { exact, upper_bound, lower_bound, approximation };

std::string_view name_of(Relation relation);

struct ClosedForm {
    std::string_view algorithm; ///< "bcast.chain"
    std::string_view source;    ///< "BM04 table 1"; "our schedule" where we worked it out
    double (*time_s)(const PLogP& network, const CallShape& call);
    /// What it is for this call; may depend on n, m and the parameters.
    Relation (*relation)(const PLogP& network, const CallShape& call);
    std::string_view remark; ///< why and where it is not exact; empty if it always is
};

/// All of them, by algorithm; those of one algorithm in the order in which to take them.
std::span<const ClosedForm> closed_forms();

/// The first form of `algorithm` that is exact for this call; null where there is none.
const ClosedForm* exact_form(std::string_view algorithm, const PLogP& network,
                             const CallShape& call);

} // namespace alltold
