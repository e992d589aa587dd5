// SPDX-License-Identifier: BSD-3-Clause
// One function per part of the page.
#include "report/profile_summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"

namespace alltold {
namespace {

std::string network_text(const char* name, const HockneyFit& fit) {
    std::string text = fmt::format("{}\n", name);
    text += fmt::format("  alpha    {}\n", format_estimate(fit.alpha_s, format_time));
    // Rates run against beta: the largest beta is the lowest rate.
    const auto& beta = fit.beta_s_per_byte;
    const Estimate rate{8 / beta.value, 8 / beta.high, 8 / beta.low};
    text += fmt::format("  1/beta   {}\n", format_estimate(rate, format_rate));
    text += fmt::format("  latency  {}\n", format_estimate(fit.latency_s, format_time));
    if (fit.largest_bytes > 0)
        text += fmt::format("  {:.1f} % about the line, {} to {}\n", 100 * fit.residual_relative,
                            format_size(fit.smallest_bytes), format_size(fit.largest_bytes));
    return text;
}

std::string models_text(const std::vector<ModelScore>& models) {
    TextTable table;
    table.column("model", TextTable::Align::left);
    table.column("error of points left out");
    table.column("worst");
    for (const auto& model : models)
        table.row({model.name, fmt::format("{:.1f} %", 100 * model.leave_one_out),
                   fmt::format("{:.1f} %", 100 * model.leave_one_out_worst)});
    return table.text();
}

const char* saturation_text(Saturation saturation) {
    switch (saturation) {
    case Saturation::saturated:
        return "saturated";
    case Saturation::not_saturated:
        return "NOT saturated";
    case Saturation::unknown:
        break;
    }
    return "not known whether saturated";
}

std::string signature_text(const SignatureFit& fit) {
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    std::string text = "contention signature of MPI_Alltoall";
    if (fit.reference_n > 0)
        text += fmt::format(", fitted at n = {}", fit.reference_n);
    if (fit.largest_bytes > 0)
        text += fmt::format(", {} to {}", format_size(fit.smallest_bytes),
                            format_size(fit.largest_bytes));
    text += fmt::format("\n  gamma    {}   times the bytes' time without contention\n",
                        format_estimate(fit.gamma, number));
    text += fmt::format("  delta    {}   more per message\n",
                        format_estimate(fit.delta_s, format_time));
    text += fit.delta_s.value > 0 ? fmt::format("  M        {}   from this size on\n",
                                                format_estimate(fit.threshold_bytes, format_size))
                                  : "  M        none: no delta can be told from noise\n";
    text += fmt::format("  {}: {}\n", saturation_text(fit.saturation), fit.saturation_reason);
    if (!fit.models.empty())
        text += fmt::format("\n{}", models_text(fit.models));
    return text;
}

} // namespace

std::string profile_summary(const Profile& profile) {
    std::string text = fmt::format("{}, from {}\n", profile.name, profile.source);
    const auto& where = profile.surroundings;
    text += fmt::format("clusters {}", where.clusters.text());
    if (!where.clusters_from.empty())
        text += fmt::format(", {}", where.clusters_from);
    for (const auto* part : {&where.mpi_library, &where.kernel})
        if (!part->empty())
            text += fmt::format("; {}", *part);
    text += "\n";
    if (profile.local)
        text += fmt::format("\n{}", network_text("within a cluster", *profile.local));
    if (profile.wide)
        text += fmt::format("\n{}", network_text("between clusters", *profile.wide));
    if (profile.alltoall)
        text += fmt::format("\n{}", signature_text(*profile.alltoall));
    for (const auto& refusal : profile.refused)
        text += fmt::format("\nrefused: {}: {}\n", refusal.what, refusal.reason);
    if (!profile.assumed.empty())
        text += fmt::format("\nassumed: {}\n", profile.assumed);
    return text;
}

} // namespace alltold
