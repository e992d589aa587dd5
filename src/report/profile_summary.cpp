// SPDX-License-Identifier: BSD-3-Clause
#include "report/profile_summary.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"

namespace alltold {
namespace {

std::string network_text(const char* name, const HockneyFit& fit) {
    std::string text = fmt::format("{}\n", name);
    text += fmt::format("  alpha    {}\n", format_estimate(fit.alpha_s, format_time));
    // The largest beta is the lowest rate.
    const auto& beta = fit.beta_s_per_byte;
    const Estimate rate{8 / beta.value, 8 / beta.high, 8 / beta.low};
    text += fmt::format("  1/beta   {}\n", format_estimate(rate, format_rate));
    text += fmt::format("  latency  {}\n", format_estimate(fit.latency_s, format_time));
    if (fit.largest_bytes > 0)
        text += fmt::format("  {} scatter about the line, {} to {}\n",
                            format_percent(fit.residual_relative), format_size(fit.smallest_bytes),
                            format_size(fit.largest_bytes));
    return text;
}

std::string models_text(const std::vector<ModelError>& models) {
    TextTable table;
    table.column("model", TextTable::Align::left);
    table.column("error on held-out points");
    table.column("worst");
    for (const auto& model : models)
        table.row({model.name, format_percent(model.leave_one_out),
                   format_percent(model.leave_one_out_worst)});
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
    return "saturation unknown";
}

/// M beside the eager limit, where both are known.
std::string threshold_text(const SignatureFit& fit, const std::optional<Estimate>& limit_bytes) {
    if (!(fit.delta_s.value > 0))
        return "  M        none: no delta above the noise\n";
    const bool same = limit_bytes && fit.threshold_bytes.value == limit_bytes->value + 1;
    return fmt::format("  M        {}   delta applies from this size{}\n",
                       format_estimate(fit.threshold_bytes, format_size),
                       same          ? ", the first beyond the eager limit"
                       : limit_bytes ? ", which is not the eager limit's"
                                     : "");
}

/// `where` follows the name: " in cluster 1".
std::string signature_text(const SignatureFit& fit, const std::optional<Estimate>& limit_bytes,
                           const std::string& where = "") {
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    std::string text = "contention signature of MPI_Alltoall" + where;
    if (fit.reference_n > 0)
        text += fmt::format(", fitted at n = {}", fit.reference_n);
    if (fit.largest_bytes > 0)
        text += fmt::format(", {} to {}", format_size(fit.smallest_bytes),
                            format_size(fit.largest_bytes));
    text += fmt::format(
        "\n  gamma    {}   times the transfer time without contention: alpha {}, 1/beta {}\n",
        format_estimate(fit.gamma, number), format_time(fit.network.alpha_s),
        format_rate(8 / fit.network.beta_s_per_byte));
    text += fmt::format("  delta    {}   extra per message\n",
                        format_estimate(fit.delta_s, format_time));
    text += threshold_text(fit, limit_bytes);
    text +=
        wrapped(fmt::format("  {}: {}", saturation_text(fit.saturation), fit.saturation_reason), 4);
    if (fit.models.empty())
        return text;
    text += fmt::format("\n{}", models_text(fit.models));
    for (const auto* model : cost_models())
        if (model->contention && model->contention->needs_plogp &&
            std::ranges::count(fit.models, model->name, &ModelError::name) == 0)
            text += fmt::format("{} is not compared: it needs pLogP\n", model->name);
    return text;
}

/// Equation, parameters and errors of the congestion model.
std::string congestion_text(const CongestionFit& fit) {
    const auto& form = fit.form;
    const auto& terms = fit.coefficients;
    std::size_t at = 0;
    auto text = wrapped(fmt::format("congestion of MPI_Alltoall, n = {} to {}, {} to {}; W is the "
                                    "transfer time on the wire",
                                    fit.smallest_n, fit.largest_n, format_size(fit.smallest_bytes),
                                    format_size(fit.largest_bytes)),
                        2);
    text += fmt::format("  T0       {}", format_time(terms[at++]));
    if (form.per_process)
        text += fmt::format(" + {} (n - 1)", format_time(terms[at++]));
    text += fmt::format(" + {:.3f} W", terms[at++]);
    if (form.slows)
        text += fmt::format(", plus {1:.3f}{2} W from {0} on",
                            format_estimate(fit.threshold_bytes, format_size), terms[at],
                            form.falling ? fmt::format(" {:+.3f} / (n - 1)", terms[at + 1]) : "");
    text += "\n";
    for (const int slow : {0, 1}) {
        if (slow == 1 && !form.slows)
            continue;
        text += wrapped(fmt::format("  {}  {} scatter between points, {} between repetitions; "
                                    "{:.1f} time-outs in {:.0f} messages",
                                    form.slows ? slow ? "above M" : "below M" : "errors ",
                                    format_percent(fit.model_error[slow]),
                                    format_percent(fit.spread[slow]), fit.timeouts[slow].seen,
                                    fit.timeouts[slow].exposed),
                        11);
    }
    text += fmt::format("  time-out {}\n", format_estimate(fit.timeout_s, format_time));
    text += "\n" + models_text(fit.models);
    if (fit.clusters > 1 && fit.models.size() > 1)
        text += wrapped("all but congestion: SMT equation 6, with the model in each cluster; none "
                        "was fitted to calls on several clusters");
    return text;
}

/// With its interval where that is known.
std::string with_error(double value, double relative_error,
                       const std::function<std::string(double)>& format) {
    return format_estimate(
        {value, std::max(0., value * (1 - relative_error)), value * (1 + relative_error)}, format);
}

std::string rate_of(const Link& link) {
    return (link.at_least ? "at least " : "") +
           with_error(link.goodput_bytes_per_s, link.goodput_error,
                      [](double goodput) { return format_rate(8 * goodput); });
}

std::string latency_of(const Link& link) {
    return link.latency_known ? with_error(link.latency_s, link.latency_error, format_time)
                              : "unknown";
}

std::string queue_of(const Link& link) {
    return link.queue_bytes > 0 ? with_error(link.queue_bytes, link.queue_error, format_size)
                                : "unknown";
}

std::string links_text(const LinkNetwork& links) {
    const auto rate = [](double goodput) { return format_rate(8 * goodput); };
    std::string text = "links, rates as goodput\n";
    const auto add_port = [&](const Link& port, const std::string& name) {
        text +=
            wrapped(fmt::format("  {:9} {}, latency {}, buffer {}{}", name, rate_of(port),
                                latency_of(port), queue_of(port),
                                port.burst_bytes > 0 ? fmt::format(", burst {} after a pause",
                                                                   format_size(port.burst_bytes))
                                                     : ""),
                    12);
    };
    const auto add_path = [&](const Link& path, const std::string& name) {
        text += wrapped(fmt::format("  {:9} {}, extra latency {}, queue {}", name, rate_of(path),
                                    latency_of(path), queue_of(path)),
                        12);
    };
    if (links.ports.empty())
        add_port(links.port, "port");
    for (int c = 0; c < std::ssize(links.ports); ++c)
        add_port(links.port_of(c), fmt::format("port of {}", c));
    if (links.paths.empty() && links.backbone)
        add_path(*links.backbone, "backbone");
    for (int b = 1; b < links.clusters_with_paths(); ++b)
        for (int a = 0; a < b; ++a)
            add_path(links.path(a, b), fmt::format("{} to {}", a, b));
    if (const auto& memory = links.memory)
        text += wrapped(
            fmt::format("  memory    {} between two ranks of a host, {} between all, latency {}{}",
                        rate(memory->copy_bytes_per_s), rate(memory->shared_bytes_per_s),
                        format_time(memory->latency_s), memory->assumed ? " (assumed)" : ""),
            12);
    for (const auto& [flows, goodput] : links.carried)
        text +=
            fmt::format("  {:3} flow{} carried {}\n", flows, flows == 1 ? " " : "s", rate(goodput));
    return text;
}

/// TW99's parameters in the order of its Table 1, at a few sizes.
std::string cluster_text(const ClusterModel& cluster) {
    TextTable table;
    table.column("cluster model", TextTable::Align::left);
    const std::array sizes{1., 1024., 16384.};
    for (const double size : sizes)
        table.column(format_size(size));
    const auto row = [&](const char* name, auto&& time_s, bool known) {
        std::vector<std::string> cells{name};
        for (const double size : sizes)
            cells.push_back(known ? format_time(time_s(size)) : "unknown");
        table.row(std::move(cells));
    };
    for (const auto& [name, curve] :
         {std::pair{"O_s", &cluster.O_s}, std::pair{"T_s", &cluster.T_s},
          std::pair{"g_s", &cluster.g_s}, std::pair{"g_r", &cluster.g_r},
          std::pair{"O_r", &cluster.O_r}})
        row(name, *curve, !curve->points().empty());
    row(
        "U_r", [&](double) { return cluster.U_r_s; }, cluster.U_r_s > 0);
    for (const int p : {2, 16})
        row(
            p == 2 ? "L, p = 2" : "L, p = 16", [&](double m) { return cluster.L_s(m, p); },
            cluster.L.beta_s_per_byte > 0);
    const auto& copy = cluster.copy_memory_to_memory;
    row(
        "M_mtm", [&](double m) { return copy.time_s(m); }, copy.beta_s_per_byte > 0);
    auto text = table.text();
    if (cluster.packet_bytes > 0)
        text += fmt::format("B_L {}, {:.0f} packets of {}\n", format_size(cluster.buffer_bytes),
                            cluster.buffer_bytes / cluster.packet_bytes,
                            format_size(cluster.packet_bytes));
    return text;
}

/// L, and the curves at a few of the measured sizes.
std::string plogp_text(const PLogP& plogp) {
    const auto& measured = plogp.g_s.points();
    std::string text = fmt::format("pLogP, within a cluster\n  L        {}\n",
                                   format_estimate(plogp.L_s, format_time));
    TextTable table;
    table.column("m");
    table.columns({"g(m)", "o_s(m)", "o_r(m)"});
    double next_bytes = 0;
    for (const auto& point : measured) {
        if (point.size_bytes < next_bytes)
            continue;
        next_bytes = 4 * point.size_bytes;
        std::vector<std::string> row{format_size(point.size_bytes)};
        for (const auto* curve : {&plogp.g_s, &plogp.o_s, &plogp.o_r})
            row.push_back(curve->points().empty() ? "-" : format_time((*curve)(point.size_bytes)));
        table.row(row);
    }
    return text + table.text();
}

} // namespace

std::string profile_summary(const Profile& profile) {
    std::string text = fmt::format("{}, from {}\n", profile.name, profile.source);
    const auto& where = profile.provenance;
    auto origin = fmt::format("clusters {}", where.clusters.text());
    if (!where.clusters_from.empty())
        origin += fmt::format(", {}", where.clusters_from);
    // The name and version; the package's build is in the profile.
    for (const auto& part : {mpi_library_text(where.mpi_library), where.kernel})
        if (!part.empty() && part != "not known") // as import writes
            origin += fmt::format("; {}", part);
    text += wrapped(origin, 2);
    if (profile.network.local)
        text += fmt::format("\n{}", network_text("within a cluster", *profile.network.local));
    if (profile.network.inter_cluster)
        text +=
            fmt::format("\n{}", network_text("between clusters", *profile.network.inter_cluster));
    if (profile.network.eager_limit_bytes)
        text += fmt::format("\neager limit {:.0f} B: longer messages wait for their receive\n",
                            profile.network.eager_limit_bytes->value);
    if (profile.network.plogp)
        text += fmt::format("\n{}", plogp_text(*profile.network.plogp));
    if (profile.network.alltoall)
        text += fmt::format(
            "\n{}", signature_text(*profile.network.alltoall, profile.network.eager_limit_bytes));
    for (const auto& [cluster, fit] : profile.network.alltoall_of_clusters)
        text += fmt::format("\n{}", signature_text(fit, profile.network.eager_limit_bytes,
                                                   fmt::format(" in cluster {}", cluster)));
    if (const auto& congestion = profile.network.congestion)
        text += fmt::format("\n{}", congestion_text(*congestion));
    if (profile.network.links)
        text += fmt::format("\n{}", links_text(*profile.network.links));
    if (profile.network.cluster)
        text += fmt::format("\n{}", cluster_text(*profile.network.cluster));
    if (!profile.algorithm_errors.empty())
        text += fmt::format("\n{}", algorithm_errors_table(profile.algorithm_errors));
    for (const auto& refusal : profile.refused)
        text += fmt::format(
            "\n{}", wrapped(fmt::format("refused: {}: {}", refusal.what, refusal.reason), 2));
    for (const auto& note : profile.notes)
        text += fmt::format("\n{}", wrapped(fmt::format("note: {}: {}", note.what, note.text), 2));
    if (!profile.network.assumed.empty())
        text += fmt::format("\n{}", wrapped("assumed: " + profile.network.assumed, 2));
    return text;
}

} // namespace alltold
