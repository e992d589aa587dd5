// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/run/between_calls.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// A chain fills within a call for each rank, so filling adds at most a sixteenth: of 4 KiB on 8
/// hosts of 20 Mbit a call took 3.0, 2.3, 2.0, 1.9 and 1.9 ms in 16, 64, 128, 256 and 1,024 calls.
constexpr int calls_a_rank = 16;
/// Then 30 repetitions take a quarter of the usual budget of 60 s.
constexpr double longest_loop_s = 0.5;
/// Longer calls are sent in segments: of 64 KiB a call of a chain took 38 ms in 4 calls, 33 in 64.
constexpr int least_calls = 4;

} // namespace

std::string BetweenCalls::text() const {
    std::string text;
    if (work_s > 0)
        text = fmt::format("{} of work{}{}", format_time(work_s),
                           exponential ? " on average, exponential" : "",
                           exponential && sync ? "," : "");
    if (sync)
        text += fmt::format("{}an allreduce of 8 B after each call", text.empty() ? "" : " and ");
    return text;
}

Work::Work(const BetweenCalls& between, int rank)
    : between_(between), random_(between.seed * 1000003 + static_cast<std::uint64_t>(rank)) {}

double Work::draw_s() {
    return between_.exponential ? -between_.work_s * std::log(1 - random_.uniform())
                                : between_.work_s;
}

void Work::run(const Clock& clock) {
    if (between_.work_s <= 0)
        return;
    // Asleep, since ranks of a lab share the processors that each host would have for itself.
    clock.sleep_until(clock.now_s() + draw_s());
}

int calls_of_loop(double time_s, int ranks) {
    const int most = calls_a_rank * ranks;
    return time_s > 0 ? static_cast<int>(
                            std::clamp(longest_loop_s / time_s, static_cast<double>(least_calls),
                                       static_cast<double>(std::max(most, least_calls))))
                      : least_calls;
}

} // namespace alltold::campaign
