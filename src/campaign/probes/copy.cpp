// SPDX-License-Identifier: BSD-3-Clause
// memcpy with source and target in memory.
#include "campaign/probe.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "campaign/probes/shared/caches.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

constexpr std::size_t largest_area_bytes = 128 * ki * ki;
/// Times several copies together so that the clock's own time does not matter.
constexpr std::size_t bytes_timed_together = 256 * ki;

Result<std::vector<Point>> plan_copy(const Clusters&, const Request&) {
    std::vector<Point> points;
    for (const std::uint64_t size_bytes : {ki, 4 * ki, 16 * ki, 64 * ki, 256 * ki})
        points.push_back({"copy", "memory_to_memory", Clusters({1}), size_bytes, 0, -1});
    return points;
}

/// A copy's source or target, which moves through its area.
class Place {
  public:
    Place(std::size_t area_bytes, std::size_t step_bytes)
        : area_(std::max(area_bytes, step_bytes), 'x'), step_(step_bytes) {}
    char* next() {
        char* here = area_.data() + at_;
        at_ += step_;
        if (at_ + step_ > area_.size())
            at_ = 0;
        return here;
    }

  private:
    std::vector<char> area_;
    std::size_t step_;
    std::size_t at_ = 0;
};

double copy_s(Place& from, Place& to, std::size_t bytes) {
    const std::size_t rounds = std::max<std::size_t>(1, bytes_timed_together / bytes);
    const double started_s = Clock::true_now_s();
    for (std::size_t i = 0; i < rounds; ++i) {
        char* target = to.next();
        std::memcpy(target, from.next(), bytes);
        asm volatile("" : : "r"(target) : "memory");
    }
    return (Clock::true_now_s() - started_s) / static_cast<double>(rounds);
}

Status measure_copy(Context& context) {
    if (context.rank() != 0)
        return Done{};
    static const Caches caches = find_caches();
    const std::size_t area = std::min(2 * caches.last_bytes, largest_area_bytes);
    Place from(area, context.point().size_bytes);
    Place to(area, context.point().size_bytes);
    Samples mine;
    mine.warm_up.push_back(copy_s(from, to, context.point().size_bytes));
    for (int i = 0; i < context.measurement.repetitions; ++i)
        mine.values.push_back(copy_s(from, to, context.point().size_bytes));
    return report(context, 0, mine);
}

double copy_cost_s(const Point&, double) {
    return 0.02; // most of it to lay out the areas
}
double copy_buffer_bytes(const Point&) {
    return 2. * largest_area_bytes;
}

/// M_mtm of TW99 section 3 B, on rank 0: seconds to copy m bytes from memory to memory. Neither
/// source nor target has been touched before: the copies walk through areas of twice the last
/// cache's size, at most 128 MiB each.
Probe copy_probe() {
    Probe probe{"copy", "cluster", "seconds to copy m bytes", plan_copy, measure_copy};
    probe.cost_s = copy_cost_s;
    probe.buffer_bytes = copy_buffer_bytes;
    return probe;
}

} // namespace

std::vector<Probe> copy_probes() {
    return {copy_probe()};
}

} // namespace alltold::campaign
