// SPDX-License-Identifier: BSD-3-Clause
// Chun's latency by message size, fitted beside the signature.
#include "network/cost_model.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {

namespace models {
extern const CostModel latency{
    .name = "latency",
    .source = "SMT07 section 2, after Chun 2001",
    .help = "the library's alltoall with contention as a latency that steps with the size",
    .preference = 46,
    .lacks = lacks_paper_models,
    .library_in_cluster = paper_model_time<alltoall_time_s, &PaperModels::latency>,
    .library_caveats = signature_caveats,
};
} // namespace models

} // namespace alltold
