// SPDX-License-Identifier: BSD-3-Clause
#include "report/next_command.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/library/library_setting.hpp"

namespace alltold {
namespace {

/// Clusters and bytes, fewest ranks first.
using TimedCall = std::tuple<int, std::string, std::uint64_t>;
using TimesByCall = std::map<TimedCall, std::vector<double>>;

constexpr std::size_t fewest_times = 3;

/// One algorithm that was forced.
struct Forced {
    TimesByCall times_s, default_s; ///< of the same calls
    double gain() const { return setting_gain(times_s, default_s); }
};

/// The calls of `probe` that the algorithm ran.
TimesByCall times_of(std::span<const PointSamples> measured, std::string_view probe,
                     std::string_view algorithm) {
    TimesByCall times;
    for (const auto& samples : measured)
        if (const auto& point = samples.point; point.probe == probe && point.algorithm == algorithm)
            if (auto series = samples.series(); series.times_s.size() >= fewest_times)
                times[{point.n(), point.clusters.text(), point.size_bytes}] =
                    std::move(series.times_s);
    return times;
}

Forced forced_of(std::span<const PointSamples> measured, const LibraryAlgorithm& algorithm,
                 const TimesByCall& default_s) {
    Choice choice;
    choice.library = algorithm.name;
    Forced forced{times_of(measured, name_of(algorithm.collective), text_of(choice)), {}};
    for (const auto& [call, times_s] : default_s)
        if (forced.times_s.contains(call))
            forced.default_s.emplace(call, times_s);
    return forced;
}

/// The largest gain, in a line.
std::string gain_text(Collective collective, const Forced& forced) {
    const auto ratio = [&](const auto& usual) {
        return median(forced.times_s.at(usual.first)) / median(usual.second);
    };
    const auto& [call, usual_s] = *std::ranges::min_element(forced.default_s, {}, ratio);
    const auto& [ranks, clusters, size_bytes] = call;
    const auto size = traits_of(collective).has_data ? " of " + format_size(size_bytes) : "";
    const auto calls = forced.default_s.size();
    return fmt::format("# the MPI library's own {}{} on n = {}: {} instead of {}{}\n",
                       name_of(collective), size, clusters,
                       format_time(median(forced.times_s.at(call))), format_time(median(usual_s)),
                       calls > 1 ? fmt::format("; none of {} calls is slower", calls) : "");
}

} // namespace

std::string ranks_option(const Clusters& clusters) {
    const bool flat = clusters.count() == 1 && clusters.one_rank_per_host();
    return fmt::format("{} {}", flat ? "-n" : "--clusters", clusters.text());
}

std::string size_option(Collective collective, std::uint64_t size_bytes) {
    return traits_of(collective).has_data ? " -m " + format_size_word(size_bytes) : "";
}

std::string rank_command(const std::string& command, const std::string& profile,
                         Collective collective, const Clusters& clusters,
                         std::uint64_t size_bytes) {
    return fmt::format("{} rank {} {} {}{} --why", command, profile, name_of(collective),
                       ranks_option(clusters), size_option(collective, size_bytes));
}

std::string forced_advice(std::span<const PointSamples> measured, MpiLibrary library) {
    if (library != MpiLibrary::open_mpi)
        return "";
    EnvironmentVariables variables;
    std::string gains;
    for (const auto collective : uniform_collectives) {
        const auto default_s = times_of(measured, name_of(collective), "mpi");
        const LibraryAlgorithm* best = nullptr;
        Forced best_forced;
        for (const auto& algorithm : library_algorithms())
            if (can_be_set(algorithm, collective))
                if (auto forced = forced_of(measured, algorithm, default_s);
                    forced.gain() > best_forced.gain()) {
                    best = &algorithm;
                    best_forced = std::move(forced);
                }
        if (!best)
            continue;
        for (auto& variable : forcing_variables(*best))
            if (std::ranges::find(variables, variable) == variables.end())
                variables.push_back(std::move(variable));
        gains += gain_text(collective, best_forced);
    }
    if (variables.empty())
        return "";
    return fmt::format("export {}\n{}# If you set it, run the study again: the fastest choices may "
                       "change.\n",
                       settings_text(variables), gains);
}

std::string settings_command(const std::string& command, const Point& call) {
    const auto collective = collective_named(call.probe);
    return fmt::format("{} settings {}{} -- mpirun -n {}", command, call.probe,
                       collective ? size_option(*collective, call.size_bytes) : "", call.n());
}

} // namespace alltold
