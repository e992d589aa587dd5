// SPDX-License-Identifier: BSD-3-Clause
// Bruck's slow-down, fitted beside the signature.
#include "network/cost_model.hpp"
#include "network/signature/signature_time.hpp"
#include "network/slowdown/slowdown.hpp"

namespace alltold {

namespace models {
extern const CostModel slowdown{
    .name = "slowdown",
    .source = "SMT07 section 2, after Bruck et al. 1997",
    .help = "the library's alltoall with start-ups and bytes slowed down alike",
    .preference = 42,
    .lacks = lacks_paper_models,
    .library_in_cluster = paper_model_time<slowdown_time_s, &PaperModels::slowdown>,
    .library_caveats = signature_caveats,
};
} // namespace models

} // namespace alltold
