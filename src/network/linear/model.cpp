// SPDX-License-Identifier: BSD-3-Clause
// All-to-alls without contention, from alpha and beta.
#include "network/cost_model.hpp"
#include "network/hockney/hockney_time.hpp"
#include "network/linear/linear.hpp"

namespace alltold {

namespace models {
extern const CostModel linear{
    .name = "linear",
    .source = "SMT07 equation 1",
    .help = "the library's alltoall without contention, (n-1)(alpha + m beta)",
    .preference = 30,
    .lacks = lacks_alpha_and_beta,
    .library_in_cluster = hockney_time<linear_time_s>,
    .contention =
        ContentionModel{
            .time_s = [](const PaperParameters&, const Hockney& network, const PLogP*, int n,
                         double size_bytes) { return linear_time_s(network, n, size_bytes); }},
};
} // namespace models

} // namespace alltold
