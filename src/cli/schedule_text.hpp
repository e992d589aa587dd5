// SPDX-License-Identifier: BSD-3-Clause
// A collective's schedules as text and as JSON.
#pragma once

#include <span>
#include <string>

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/timeline.hpp"

namespace alltold::cli {

/// One call and its schedules.
struct ScheduleView {
    std::string name;
    const Specification& specification;
    const Clusters& clusters;
    const Parameters& parameters;
    std::span<const Schedule> schedules;
    std::span<const Message> messages;
};

/// "alltoall.lg, 3+7 ranks, 64 KiB per block"
std::string title_of(const ScheduleView& view);

/// The messages by step, then each rank's operations with the ones they are after.
std::string text_of(const ScheduleView& view);
std::string json_of(const ScheduleView& view);

} // namespace alltold::cli
