// SPDX-License-Identifier: BSD-3-Clause
// The parts of a study's page, one function each.
#include "campaign/study/page.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/study/plan.hpp"
#include "core/percent.hpp"
#include "core/units.hpp"
#include "report/format.hpp"
#include "report/profile_summary.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"
#include "report/wrapped.hpp"

namespace alltold::campaign {
namespace {

// Within this factor of the lower bound no improvement is possible.
constexpr double close_to_bound = 1.2;

double times_the_bound(const ValidatedPoint& point) {
    return std::max(1., point.measured_s.value / point.predicted.bound_s);
}

std::string size_text(std::uint64_t size_bytes) {
    return format_size(static_cast<double>(size_bytes));
}

/// Layouts in the order of their process counts.
std::vector<std::string> layouts_of(const std::vector<ValidatedPoint>& points) {
    std::vector<std::string> layouts;
    for (const auto& point : points)
        if (std::ranges::find(layouts, point.clusters.text()) == layouts.end())
            layouts.push_back(point.clusters.text());
    return layouts;
}

/// The library's, at the sizes that a study reports.
std::vector<ValidatedPoint> alltoalls_of(const Validation& validation) {
    std::vector<ValidatedPoint> alltoalls;
    for (const auto& point : validation.points)
        if (point.collective == Collective::alltoall && !point.start_mode &&
            point.predicted.bound_s > 0 &&
            std::ranges::count(reported_sizes(), point.size_bytes) > 0)
            alltoalls.push_back(point);
    return alltoalls;
}

/// One sentence on the sizes at the largest n.
std::string verdict(const std::vector<ValidatedPoint>& points) {
    const auto worst = std::ranges::max_element(points, {}, times_the_bound);
    const int largest_n = std::ranges::max_element(points, {}, &ValidatedPoint::n)->n();
    std::set<std::uint64_t> close;
    for (const auto& point : points)
        if (point.n() == largest_n && times_the_bound(point) <= close_to_bound)
            close.insert(point.size_bytes);
    std::vector<std::string> names;
    for (const auto size : close)
        names.push_back(size_text(size));
    return fmt::format("Worst: {} times the lower bound, at n = {} and m = {}.\n"
                       "At n = {} it stays within {:.1f} times the lower bound for {}.\n",
                       format_ratio(times_the_bound(*worst), 1), worst->clusters.text(),
                       size_text(worst->size_bytes), largest_n, close_to_bound,
                       names.empty() ? "no measured size"
                                     : fmt::format("m = {}", fmt::join(names, ", ")));
}

const char* after(StartMode start_mode) {
    return start_mode == StartMode::silence   ? "after a computation"
           : start_mode == StartMode::barrier ? "right after a barrier"
                                              : "in a loop";
}

} // namespace

std::string bound_table(const std::vector<ValidatedPoint>& points) {
    if (points.empty())
        return "None was measured.\n";
    const auto layouts = layouts_of(points);
    std::map<std::uint64_t, std::map<std::string, std::string>> ratios;
    for (const auto& point : points)
        ratios[point.size_bytes][point.clusters.text()] =
            format_over_bound(point.measured_s.value, point.predicted.bound_s);
    TextTable table;
    table.column("m");
    for (const auto& layout : layouts)
        table.column("n = " + layout);
    for (const auto& [size_bytes, row] : ratios) {
        std::vector<std::string> cells{size_text(size_bytes)};
        for (const auto& layout : layouts) {
            const auto found = row.find(layout);
            cells.push_back(found == row.end() ? "-" : found->second);
        }
        table.row(std::move(cells));
    }
    return table.text() + "\n" + verdict(points);
}

std::string study_page(const std::string& heading, const Profile& profile,
                       const Validation& validation, const std::string& built_with,
                       std::span<const ChosenCall> choices, StartMode start_mode,
                       const std::vector<std::string>& warnings, const std::string& advice) {
    std::string page = fmt::format("{0}\n{1:=<{2}}\n", heading, "", heading.size());
    for (const auto& warning : warnings)
        page += wrapped("warning: " + warning, 2);
    page += fmt::format("\n1. The network\n\n{}", profile_summary(profile));
    if (!built_with.empty())
        page += "\n" + built_with;
    page += fmt::format("\n2. Calls that were predicted first and then measured\n\n"
                        "The MPI library's own collectives\n\n{}",
                        validation_table(validation, Rows::held_out));
    if (!validation.ours.empty())
        page += fmt::format("\nalltold's algorithms\n\n{}", ours_table(validation, Rows::held_out));
    page += notes_of(validation);
    page += fmt::format("\n3. Slowdown of MPI_Alltoall against the lower bound\n\n"
                        "Measured time divided by the least time in which the links can carry its "
                        "bytes.\n\n{}",
                        bound_table(alltoalls_of(validation)));
    if (!choices.empty())
        page += fmt::format(
            "\n4. What to run\n\n{}\n{}{}",
            wrapped(fmt::format("What the profile's rules choose (alltold rules prints all {}), "
                                "compared with the MPI library on all hosts. tie: within 3 %; "
                                "predicted: not both times were measured.",
                                profile.rules.size())),
            choice_table(choices), losses_text(choices));
    if (const auto table = second_start_table(choices); !table.empty())
        page += fmt::format(
            "\n{}\n{}",
            wrapped(fmt::format("The all-to-alls {}, where the time is the longest that a rank "
                                "spends in the call. All other times are {}.",
                                after(second_start(start_mode)), after(start_mode))),
            table);
    if (!advice.empty())
        page += fmt::format("\n5. Settings of the MPI library\n\n{}", advice);
    return page;
}

} // namespace alltold::campaign
