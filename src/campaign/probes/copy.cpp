// SPDX-License-Identifier: BSD-3-Clause
// memcpy with source and target in memory.
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "campaign/probe.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

std::size_t from_sysconf(int name) {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

/// "32K" of one entry of /sys, 0 for an instruction cache or none.
std::size_t from_sys(int index) {
    const auto folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::string type;
    std::string text;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> text;
    if (type.empty() || type == "Instruction" || text.empty())
        return 0;
    const std::size_t unit = text.back() == 'M' ? ki * ki : text.back() == 'K' ? ki : 1;
    return unit * std::strtoull(text.c_str(), nullptr, 10);
}

/// Seconds a byte takes when this many bytes are copied over and over.
double copy_s_per_byte(std::vector<char>& to, const std::vector<char>& from, std::size_t bytes) {
    double quickest_s = 1;
    for (int i = 0; i < 5; ++i) {
        const std::size_t rounds = std::max<std::size_t>(1, 4 * ki * ki / bytes);
        const double started_s = Clock::true_now_s();
        for (std::size_t round = 0; round < rounds; ++round) {
            std::memcpy(to.data(), from.data(), bytes);
            asm volatile("" : : "r"(to.data()) : "memory");
        }
        quickest_s = std::min(quickest_s, (Clock::true_now_s() - started_s) /
                                              static_cast<double>(rounds * bytes));
    }
    return quickest_s;
}

/// Copies touch two buffers, so a cache is twice as large as what is copied in it.
std::size_t from_sweep() {
    constexpr std::size_t most = 32 * ki * ki;
    std::vector<char> from(most, 'f');
    std::vector<char> to(most, 't');
    const double near_s = copy_s_per_byte(to, from, 4 * ki);
    std::size_t nearest_bytes = 8 * ki, last_bytes = 8 * ki;
    double last_s = near_s;
    for (std::size_t bytes = 8 * ki; bytes <= most; bytes *= 2) {
        const double here_s = copy_s_per_byte(to, from, bytes);
        if (here_s <= 1.25 * near_s)
            nearest_bytes = 2 * bytes;
        if (here_s > 1.5 * last_s)
            last_bytes = bytes;
        last_s = here_s;
    }
    return std::max(last_bytes, nearest_bytes);
}

/// The largest cache: from sysconf or /sys, else from a sweep of copies: the size up to which a
/// byte takes at most 50 % more than at the previous size.
std::size_t find_last_cache() {
    std::size_t last_bytes = 0;
    for (const int level : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE})
        last_bytes = std::max(last_bytes, from_sysconf(level));
    for (int index = 0; index < 5; ++index)
        last_bytes = std::max(last_bytes, from_sys(index));
    return last_bytes > 0 ? last_bytes : from_sweep();
}

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
    static const std::size_t last_cache_bytes = find_last_cache();
    const std::size_t area = std::min(2 * last_cache_bytes, largest_area_bytes);
    Place from(area, context.point().size_bytes);
    Place to(area, context.point().size_bytes);
    Samples mine;
    mine.warm_up.push_back(copy_s(from, to, context.point().size_bytes));
    for (int i = 0; i < context.measurement.repetitions; ++i)
        mine.values.push_back(copy_s(from, to, context.point().size_bytes));
    return report(context, 0, mine);
}

} // namespace

std::vector<Probe> copy_probes() {
    return {
        // M_mtm of TW99 section 3 B, on rank 0: seconds to copy m bytes from memory to memory.
        // Neither source nor target has been touched before: the copies walk through areas of twice
        // the last cache's size, at most 128 MiB each.
        {"copy", "cluster", "seconds to copy m bytes", plan_copy, measure_copy,
         [](const Point&, double) { return 0.02; }, // most of it to lay out the areas
         [](const Point&) { return 2. * largest_area_bytes; }},
    };
}

} // namespace alltold::campaign
