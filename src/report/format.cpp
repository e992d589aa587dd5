// SPDX-License-Identifier: BSD-3-Clause
// Formats intervals and choices; both ends share the unit if it is the same.
#include "report/format.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {
namespace {

std::string joined(std::string low, const std::string& high) {
    const auto unit = low.find(' ');
    if (unit != std::string::npos && high.ends_with(low.substr(unit)))
        low.erase(unit);
    return fmt::format("{} .. {}", low, high);
}

} // namespace

std::string format_interval(const Estimate& time_s) {
    if (time_s.low == time_s.high || !std::isfinite(time_s.low) || !std::isfinite(time_s.high))
        return "-";
    if (time_s.low <= 0)
        return "below " + format_time(time_s.high);
    return joined(format_time(time_s.low), format_time(time_s.high));
}

bool says_nothing(const Estimate& time_s) {
    constexpr double most_apart = 10;
    return std::isfinite(time_s.high) && time_s.high > most_apart * time_s.low;
}

std::string format_predicted(const Estimate& time_s) {
    return says_nothing(time_s) ? "not known" : format_time(time_s.value);
}

std::string format_estimate(const Estimate& estimate,
                            const std::function<std::string(double)>& format) {
    const auto value = format(estimate.value);
    if (estimate.low == estimate.high)
        return value;
    if (!std::isfinite(estimate.high))
        return fmt::format("{} ({} or more)", value, format(estimate.low));
    return fmt::format("{} ({})", value, joined(format(estimate.low), format(estimate.high)));
}

std::string format_over_bound(double time_s, double bound_s) {
    // Rates are known to a few percent: less than this below a bound contradicts it.
    constexpr double contradicts = 0.97;
    const double ratio = bound_s > 0 ? time_s / bound_s : 0;
    return ratio < contradicts ? "-" : format_ratio(std::max(1., ratio));
}

std::string format_bound(double bound_s, bool doubtful) {
    return bound_s > 0 ? format_time(bound_s) + (doubtful ? " ?" : "") : "-";
}

std::string mpi_library_text(std::string_view version) {
    return std::string(version.substr(0, version.find(',')));
}

std::string hosts_text(const Clusters& clusters) {
    const auto ranks =
        clusters.one_rank_per_host() ? "" : fmt::format("{} ranks on ", clusters.ranks());
    const bool split = clusters.count() > 1 || !clusters.one_rank_per_host();
    return fmt::format("{}{} hosts{}", ranks, clusters.hosts(),
                       split ? fmt::format(" ({})", clusters.text()) : "");
}

std::string basis_text(const std::string& model, const std::string& method) {
    // The model of the library's own calls already says what corrects it.
    if (method == model || model.find("corrected by") != model.npos)
        return model;
    const bool of_paper = method.starts_with("BM04");
    return fmt::format("{}, {}{}", model, of_paper ? "closed form of " : "", method);
}

std::string short_text(const Choice& choice) {
    auto text = algorithm_name(choice);
    if (choice.algorithm)
        text.erase(0, text.find('.') + 1);
    const auto& [segment_bytes, window, inter_cluster_window, clusters] = choice.parameters;
    if (segment_bytes > 0)
        text += ", " + format_size(segment_bytes);
    if (window > 0 || inter_cluster_window > 0)
        text += fmt::format(", window {}", window > 0 ? std::to_string(window) : "-");
    if (inter_cluster_window > 0)
        text += fmt::format("/{}", inter_cluster_window);
    return text;
}

std::string windows_text(int window, int inter_cluster_window) {
    if (window == 0)
        return "-";
    return inter_cluster_window > 0 ? fmt::format("{}/{}", window, inter_cluster_window)
                                    : std::to_string(window);
}

} // namespace alltold
