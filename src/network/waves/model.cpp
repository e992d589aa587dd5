// SPDX-License-Identifier: BSD-3-Clause
// Labarta's buses, fitted beside the signature.
#include "network/cost_model.hpp"
#include "network/signature/signature_time.hpp"
#include "network/waves/waves.hpp"

namespace alltold {

namespace models {
extern const CostModel waves{
    .name = "waves",
    .source = "SMT07 section 2, after Labarta et al. 1996",
    .help = "the library's alltoall in waves over as many buses as fit",
    .preference = 44,
    .lacks = lacks_paper_models,
    .library_in_cluster = paper_model_time<waves_time_s, &PaperModels::buses>,
    .library_caveats = signature_caveats,
};
} // namespace models

} // namespace alltold
