// SPDX-License-Identifier: BSD-3-Clause
// Printing fits.
#include "report/fit_report.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "report/text_table.hpp"

namespace alltold {
namespace {

/// "165 (160 .. 170)", each end through `format`.
template <typename Format>
std::string with_interval(const Estimate& estimate, Format format) {
    return fmt::format("{} ({} .. {})", format(estimate.value), format(estimate.low),
                       format(estimate.high));
}

std::string number(double x) {
    return fmt::format("{:.4g}", x);
}

std::string per_byte(double beta_s_per_byte) {
    return fmt::format("{:.4g} ns/B", beta_s_per_byte * 1e9);
}

/// Payload rate of a beta; the interval turns round.
Estimate rate_of(const Estimate& beta) {
    const auto rate = [](double x) { return 8 / x; };
    return {rate(beta.value), rate(beta.high), rate(beta.low)};
}

std::string percent(double share) {
    return fmt::format("{:.2g} %", 100 * share);
}

std::string hockney_text(const char* title, const HockneyFit& fit) {
    return fmt::format("{} (ping-pong, {} to {}, about the line {})\n"
                       "  latency  {}\n  alpha    {}\n  beta     {}\n  1/beta   {}\n\n",
                       title, format_size(fit.smallest_bytes), format_size(fit.largest_bytes),
                       percent(fit.residual_relative), with_interval(fit.latency_s, format_time),
                       with_interval(fit.alpha_s, format_time),
                       with_interval(fit.beta_s_per_byte, per_byte),
                       with_interval(rate_of(fit.beta_s_per_byte), format_rate));
}

const char* equation(const std::string& model) {
    if (model == "signature")
        return "(n-1)(alpha + m beta gamma + [m >= M] delta)";
    if (model == "gamma")
        return "(n-1)(alpha + m beta gamma)";
    return model == "linear" ? "(n-1)(alpha + m beta)" : "alpha + m beta n";
}

const char* verdict(Saturation saturation) {
    if (saturation == Saturation::saturated)
        return "yes";
    return saturation == Saturation::not_saturated ? "NO" : "unknown";
}

std::string signature_text(const SignatureFit& fit) {
    auto text = fmt::format("All-to-all of the MPI library, signature at n = {} ({} to {}, about "
                            "the fit {})\n  gamma    {}\n",
                            fit.reference_n, format_size(fit.smallest_bytes),
                            format_size(fit.largest_bytes), percent(fit.residual_relative),
                            with_interval(fit.gamma, number));
    text += fmt::format("  delta    {}\n", with_interval(fit.delta_s, format_time));
    if (fit.delta_s.value > 0)
        text += fmt::format(
            "  M        {} (above {}, at most {})\n", format_size(fit.threshold_bytes.value),
            format_size(fit.threshold_bytes.low), format_size(fit.threshold_bytes.high));
    else
        text += "  M        none: no delta can be told from noise\n";
    text += fmt::format("  saturated: {}; {}\n\n", verdict(fit.saturation), fit.saturation_reason);

    TextTable table;
    table.column("model", TextTable::Align::left);
    table.column("left-out error, median");
    table.column("worst");
    table.column("formula", TextTable::Align::left);
    for (const auto& model : fit.models)
        table.row({model.name, percent(model.leave_one_out), percent(model.leave_one_out_worst),
                   equation(model.name)});
    return text + table.text();
}

} // namespace

std::string fit_text(const Profile& profile) {
    const auto& where = profile.surroundings;
    auto text = fmt::format("{}: {} hosts in clusters {}, {}\n\n", profile.source,
                            where.hosts.size(), where.clusters.text(), where.mpi_library);
    if (profile.local)
        text += hockney_text("Within a cluster", *profile.local);
    if (profile.wide)
        text += hockney_text("Between clusters", *profile.wide);
    if (profile.alltoall)
        text += signature_text(*profile.alltoall);
    for (const auto& refusal : profile.refused)
        text += fmt::format("refused: {}: {}\n", refusal.what, refusal.reason);
    return text;
}

} // namespace alltold
