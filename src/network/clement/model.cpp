// SPDX-License-Identifier: BSD-3-Clause
// All-to-alls on a shared medium, from alpha and beta.
#include "network/clement/clement.hpp"
#include "network/cost_model.hpp"
#include "network/hockney/hockney_time.hpp"

namespace alltold {

namespace models {
extern const CostModel clement{
    .name = "clement",
    .source = "SMT07 equation 3",
    .help = "the library's alltoall on a shared medium, alpha + m n beta",
    .preference = 50,
    .lacks = lacks_alpha_and_beta,
    .library_in_cluster = hockney_time<clement_time_s>,
    .contention =
        ContentionModel{
            .time_s = [](const PaperParameters&, const Hockney& network, const PLogP*, int n,
                         double size_bytes) { return clement_time_s(network, n, size_bytes); }},
};
} // namespace models

} // namespace alltold
