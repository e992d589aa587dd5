// SPDX-License-Identifier: BSD-3-Clause
// The rate of combinations from times of MPI_Reduce_local.
#include "network/fitting.hpp"
#include "network/json/fields.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr NumberRange combined_bytes_per_second{"bytes per second", 0, true};

void fit_combining(Fitting& fitting) {
    if (fitting.sampled("combine").empty())
        return;
    const auto fit = fit_rate(fitting.series("combine"), "combinations", fitting.seed);
    if (fit)
        fitting.network.combined_bytes_per_s = fit->goodput_bytes_per_s;
    else
        fitting.refuse("combining", fit.error().message);
}

ordered_json combining_to_json(const Network& network) {
    const auto& known = network.combined_bytes_per_s;
    return known ? ordered_json{{"bytes_per_s", to_json(*known)}} : ordered_json();
}

void read_combining(Network& network, JsonCursor at) {
    network.combined_bytes_per_s =
        read_estimate(at.member("bytes_per_s"), combined_bytes_per_second);
    at.only({"bytes_per_s"});
}

} // namespace

namespace models {
extern const CostModel combining{
    .name = "combining",
    .source = "MPI_Reduce_local",
    .help = "how quickly a processor combines the contributions to a reduction",
    .fit = fit_combining,
    .fields = {{"combining", combining_to_json, read_combining}},
    .lacks = [](const Network& network) -> std::string {
        return network.combined_bytes_per_s ? "" : "times of MPI_Reduce_local";
    },
};
} // namespace models

} // namespace alltold
