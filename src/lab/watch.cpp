// SPDX-License-Identifier: BSD-3-Clause
#include "lab/watch.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "core/units.hpp"
#include "lab/process.hpp"

namespace alltold::lab {
namespace {

/// Ranks take turns on a processor, and the turn must come before the queues run empty: the more
/// ranks, the lower the rate. Two cores time 12 ranks at 50 Mbit and 24 at 20, but not 24 at 50
/// (docs/results/lab.md).
constexpr double most_bit_per_s_of_ranks = 300e6;

std::string on_processors(int processors) {
    return fmt::format("{} processor{}", processors, processors == 1 ? "" : "s");
}

} // namespace

int processors_here() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Status check_ranks(const LabOptions& options, int processors) {
    const auto& clusters = options.clusters;
    const int most = most_ranks_a_processor * processors;
    if (clusters.one_rank_per_host() || options.oversubscribe || clusters.ranks() <= most)
        return Done{};
    const int each = most / clusters.hosts();
    return bad_input(
        fmt::format("--clusters {}: {} ranks are more than {} can time; {} would do, or "
                    "--oversubscribe if times do not matter",
                    clusters.text(), clusters.ranks(), on_processors(processors),
                    each > 0 ? "--clusters " + with_ranks_per_host(clusters, each).text()
                             : fmt::format("up to {} ranks", most)));
}

std::string rate_warning(const LabOptions& options, int processors) {
    const double fits = most_bit_per_s_of_ranks * processors / options.clusters.ranks();
    double mean = 0;
    for (int c = 0; c < options.clusters.count(); ++c)
        mean += options.nic_of(c) * options.clusters.size(c) / options.clusters.ranks();
    if (options.clusters.one_rank_per_host() || options.oversubscribe ||
        !check_ranks(options, processors) || mean <= fits)
        return "";
    return fmt::format(
        "{} may be too few to time {} ranks at {} per host; --nic {:.0f}Mbit would do",
        on_processors(processors), options.clusters.ranks(), nic_text(options),
        std::floor(fits / 1e6));
}

namespace {

// Chosen from all-to-alls of 64 KiB on two cores (docs/results/lab.md): 12 hosts stay within the
// limits at 50 and 100 Mbit, but not at 400 Mbit, and neither do 24 hosts at 200 Mbit. The relay's
// limit is a twentieth of the default delay.
constexpr double most_packets_share = 0.50;
constexpr double most_steal_share = 0.10;
constexpr double most_relay_late_s = 250e-6;
constexpr double most_timer_late_s = 0.75e-3;
/// Sleeps of the timer (about a second) or packets of the relay; fewer are not significant.
constexpr std::uint64_t enough = 200;

double mean_s(const Lateness& late) {
    const auto count = late.count.load();
    return count == 0 ? 0
                      : static_cast<double>(late.sum_ns.load()) * 1e-9 / static_cast<double>(count);
}

} // namespace

Ticks parse_ticks(const std::string& proc_stat, const std::string& relay_stat) {
    // cpu user nice system idle iowait irq softirq steal
    std::istringstream words(proc_stat);
    std::string name;
    words >> name;
    Ticks ticks;
    double value = 0;
    for (int field = 0; field < 8 && words >> value; ++field) {
        ticks.all += value;
        if (field == 6)
            ticks.softirq = value;
        if (field == 7)
            ticks.steal = value;
    }
    // After "PID (NAME)": state and ten more fields, then the time in user mode and in the kernel.
    std::istringstream fields(
        relay_stat.substr(std::min(relay_stat.size(), relay_stat.rfind(')'))));
    for (int field = 2; field < 14; ++field)
        fields >> name;
    for (int field = 14; field < 16 && fields >> value; ++field)
        ticks.relay += value;
    return ticks;
}

Ticks Watch::read() const {
    const auto all = read_text("/proc/stat");
    const auto relay = read_text(fmt::format("/proc/{}/stat", relay_));
    return all && relay ? parse_ticks(*all, *relay) : Ticks{};
}

nlohmann::json watch_report(const Shared& shared, const Ticks& start, const Ticks& end) {
    const double all = end.all > start.all ? end.all - start.all : 1;
    const double softirq = (end.softirq - start.softirq) / all;
    const double forwarding = (end.relay - start.relay) / all;
    const double steal = (end.steal - start.steal) / all;
    const auto missed = shared.missed.load();
    const double relay = mean_s(shared.relay), timer = mean_s(shared.timer);
    const bool long_enough = shared.timer.count.load() >= enough;
    const bool relay_used = shared.relay.count.load() >= enough;
    const bool busy = softirq + forwarding > most_packets_share || steal > most_steal_share ||
                      timer > most_timer_late_s;
    return {{"softirq_share", softirq},
            {"relay_share", forwarding},
            {"steal_share", steal},
            {"timer_late_s", timer},
            {"relay_late_s", relay},
            {"missed_packets", missed},
            {"bottleneck",
             (long_enough && busy) || (relay_used && relay > most_relay_late_s) || missed > 0}};
}

nlohmann::json Watch::report(const Shared& shared) const {
    return watch_report(shared, start_, read());
}

void Watch::keep_sleeping(Shared& shared) {
    constexpr long nap_ns = 5'000'000;
    timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (;;) {
        due.tv_nsec += nap_ns;
        if (due.tv_nsec >= 1'000'000'000) {
            due.tv_nsec -= 1'000'000'000;
            ++due.tv_sec;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        shared.timer.add(static_cast<double>(now.tv_sec - due.tv_sec) * 1e9 +
                         static_cast<double>(now.tv_nsec - due.tv_nsec));
        due = now;
    }
}

std::string processor_warning(const nlohmann::json& report) {
    if (report.is_null() || !report["bottleneck"].get<bool>())
        return "";
    return fmt::format(
        "the processors were the bottleneck, not the network: {} of their time went to packets and "
        "{} to the hypervisor, timers fired {} late; use fewer hosts or lower rates",
        format_percent(report["softirq_share"].get<double>() + report["relay_share"].get<double>(),
                       0),
        format_percent(report["steal_share"].get<double>(), 0),
        format_time(
            std::max(report["relay_late_s"].get<double>(), report["timer_late_s"].get<double>())));
}

} // namespace alltold::lab
