// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/clock.hpp"

#include <cerrno>
#include <ctime>

#include <sched.h>

#include <fmt/format.h>

#include "campaign/engine/context.hpp"
#include "core/units.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {
namespace {

/// The time that a wake-up may take; spent awake instead.
constexpr double awake_s = 40e-6;
constexpr std::size_t readings_kept = 10;

void sleep_until_true(double true_s) {
    timespec until{};
    until.tv_sec = static_cast<std::time_t>(true_s);
    until.tv_nsec = static_cast<long>((true_s - std::floor(true_s)) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

/// Growth of the offset from the oldest to the newest reading; 0 where that could as well be their
/// error, or where a reading between them is off that line by more than errors explain.
double drift_of(const std::vector<ClockReading>& readings) {
    const auto& oldest = readings.front();
    const auto& newest = readings.back();
    // A comparison slower than the best one is probably off by as much as it was slower.
    double best_bound_s = newest.bound_s;
    for (const auto& reading : readings)
        best_bound_s = std::min(best_bound_s, reading.bound_s);
    const auto error_of = [&](const ClockReading& reading) {
        return std::max(reading.likely_s, reading.bound_s - best_bound_s);
    };
    const double error_s = error_of(oldest) + error_of(newest);
    const double grown_s = newest.offset_s - oldest.offset_s;
    const double elapsed_s = newest.local_s - oldest.local_s;
    if (elapsed_s <= 0 || std::abs(grown_s) <= error_s)
        return 0;
    const double drift = grown_s / elapsed_s;
    for (const auto& reading : readings) {
        const double line_s = oldest.offset_s + drift * (reading.local_s - oldest.local_s);
        if (std::abs(reading.offset_s - line_s) > error_s + error_of(reading))
            return 0;
    }
    return drift;
}

} // namespace

double Clock::true_now_s() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void Clock::sleep_until(double until_s) const {
    const double true_s = (until_s - offset_s_) / (1 + drift_);
    if (true_s - true_now_s() > 2 * awake_s)
        sleep_until_true(true_s - awake_s);
    while (true_now_s() < true_s)
        sched_yield();
}

double GlobalClock::to_global(double local_s) const {
    const auto& at = readings_.back();
    return local_s + at.offset_s + drift_ * (local_s - at.local_s);
}

double GlobalClock::to_local(double global_s) const {
    const auto& at = readings_.back();
    return at.local_s + (global_s - at.offset_s - at.local_s) / (1 + drift_);
}

void GlobalClock::add(const ClockReading& reading) {
    if (!synchronised_)
        readings_.clear();
    synchronised_ = true;
    readings_.push_back(reading);
    if (readings_.size() > readings_kept)
        readings_.erase(readings_.begin());
    drift_ = readings_.size() < 3 ? 0 : drift_of(readings_);
}

namespace {

constexpr int most_pings = 30;
constexpr int fewest_pings = 5;
constexpr double longest_s = 0.3;
/// The number of quickest pings whose offsets must agree: their spread is the likely error.
constexpr std::size_t quickest = 3;
constexpr double longest_nap_for_clocks_s = 200e-6;

/// The error a clock may have.
struct Doubt {
    double likely_s = 0;
    double bound_s = 0;
};
enum class Ask : int { time, last_time };
struct Answer {
    double now_s = 0; ///< time of rank 0
    Doubt doubt;
};

/// How much a clock may gain or lose beyond its known drift since its last comparison.
constexpr double unknown_drift = 200e-6;

/// Notifies a child and answers its requests with rank 0's time as known here. `mine` is empty on
/// rank 0.
Status serve(const mpi::ManagedCommunicator& control, int child, const GlobalClock& clock,
             std::optional<Doubt> mine) {
    const char turn = 0;
    ALLTOLD_TRY_DONE(control.send(mpi::bytes_of(turn), child, tag_clock_turn));
    for (auto ask = Ask::time; ask != Ask::last_time;) {
        ALLTOLD_TRY_DONE(control.receive(mpi::bytes_of(ask), child, tag_clock_ask));
        Answer answer{clock.now_s(), mine.value_or(Doubt())};
        if (mine)
            answer.doubt.bound_s +=
                unknown_drift * (clock.local().now_s() - clock.latest().local_s);
        ALLTOLD_TRY_DONE(control.send(mpi::bytes_of(answer), child, tag_clock_answer));
    }
    return Done{};
}

struct Ping {
    double round_trip_s;
    double offset_s;
    Doubt doubt; ///< of the parent
};

Result<std::vector<Ping>> ask_times(const mpi::ManagedCommunicator& control, int parent,
                                    const Clock& clock) {
    std::vector<Ping> pings;
    const double started_s = clock.now_s();
    for (auto ask = Ask::time; ask != Ask::last_time;) {
        const auto taken = static_cast<int>(pings.size()) + 1;
        if (taken == most_pings || (taken >= fewest_pings && clock.now_s() - started_s > longest_s))
            ask = Ask::last_time;
        Answer there;
        const double sent_s = clock.now_s();
        ALLTOLD_TRY_DONE(control.send(mpi::bytes_of(ask), parent, tag_clock_ask));
        ALLTOLD_TRY_DONE(control.receive(mpi::bytes_of(there), parent, tag_clock_answer));
        const double back_s = clock.now_s();
        pings.push_back({back_s - sent_s, there.now_s - (sent_s + back_s) / 2, there.doubt});
    }
    return pings;
}

ClockReading reading_of(std::vector<Ping> pings, double local_s) {
    std::ranges::sort(pings, {}, &Ping::round_trip_s);
    const auto used = std::min(pings.size(), quickest);
    const auto [low, high] =
        std::minmax_element(pings.begin(), pings.begin() + static_cast<std::ptrdiff_t>(used),
                            [](const Ping& a, const Ping& b) { return a.offset_s < b.offset_s; });
    const auto& best = pings.front();
    const double bound_s = best.doubt.bound_s + best.round_trip_s / 2;
    const double spread_s = high->offset_s - low->offset_s;
    return {local_s, best.offset_s, std::min(best.doubt.likely_s + spread_s, bound_s), bound_s};
}

/// Compares with the parent and returns the clock's deviation from its predicted offset.
Result<double> compare_with_parent(const mpi::ManagedCommunicator& control, int parent,
                                   GlobalClock& clock) {
    char turn = 0;
    mpi::Requests arrival;
    ALLTOLD_TRY_DONE(arrival.receive(control, mpi::bytes_of(turn), parent, tag_clock_turn));
    ALLTOLD_TRY_DONE(arrival.wait_napping(longest_nap_for_clocks_s));
    ALLTOLD_TRY(pings, ask_times(control, parent, clock.local()));
    const double local_s = clock.local().now_s();
    const auto reading = reading_of(std::move(*pings), local_s);
    const double deviation_s = std::abs(clock.to_global(local_s) - (local_s + reading.offset_s));
    clock.add(reading);
    return deviation_s;
}

} // namespace

void ClockQuality::merge(const ClockQuality& other) {
    likely_s = std::max(likely_s, other.likely_s);
    bound_s = std::max(bound_s, other.bound_s);
    worst_drift = std::max(worst_drift, other.worst_drift);
    worst_deviation_s = std::max(worst_deviation_s, other.worst_deviation_s);
}

std::string ClockQuality::text() const {
    return fmt::format("synchronised to rank 0 by repeated ping-pongs (Cristian) along a tree: "
                       "error below {} if latency is symmetric, {} if not",
                       format_time(likely_s), format_time(bound_s));
}

Result<ClockQuality> compare_clocks(const mpi::ManagedCommunicator& control, const Tree& tree,
                                    GlobalClock& clock) {
    const int rank = control.rank();
    std::optional<Doubt> mine;
    ClockQuality quality;
    if (tree.parent(rank) >= 0) {
        ALLTOLD_TRY_INTO(quality.worst_deviation_s,
                         compare_with_parent(control, tree.parent(rank), clock));
        quality.likely_s = clock.latest().likely_s;
        quality.bound_s = clock.latest().bound_s;
        mine = Doubt{quality.likely_s, quality.bound_s};
    }
    for (const int child : tree.children(rank))
        ALLTOLD_TRY_DONE(serve(control, child, clock, mine));
    quality.worst_drift = std::abs(clock.drift());
    for (const int child : tree.children(rank)) {
        ClockQuality below;
        mpi::Requests report;
        ALLTOLD_TRY_DONE(report.receive(control, mpi::bytes_of(below), child, tag_clock_report));
        ALLTOLD_TRY_DONE(report.wait_napping(longest_nap_for_clocks_s));
        quality.merge(below);
    }
    if (tree.parent(rank) >= 0)
        ALLTOLD_TRY_DONE(control.send(mpi::bytes_of(quality), tree.parent(rank), tag_clock_report));
    return quality;
}

} // namespace alltold::campaign
