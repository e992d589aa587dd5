// SPDX-License-Identifier: BSD-3-Clause
// Rounds of races on the ranks of a campaign.
#include "campaign/tune/racing.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "campaign/plan.hpp"
#include "campaign/progress.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace alltold::tune {
namespace {

/// From here on a repetition ramps its connections up by itself; shorter ones are preceded by one
/// that does not count.
constexpr double long_s = 0.1;
/// Up to here a visit costs more than a repetition, so that several are taken.
constexpr double short_s = 5e-3;
constexpr int times_of_short = 4;
/// About what a repetition and a visit take beside the collective.
constexpr double repetition_s = 2e-3;
constexpr double visit_s = 4e-3;

class Racing {
  public:
    Racing(measure::Helm& helm, std::vector<TunedCall>& calls, const Effort& effort, Report& report)
        : helm_(helm), calls_(calls), effort_(effort), report_(report), random_(effort.seed),
          conductor_(helm.team, helm.campaign, helm.watchdog, helm.clocks),
          started_s_(conductor_.now_s()) {
        int first = 0;
        for (const auto& call : calls_) {
            first_.push_back(first);
            first += static_cast<int>(call.choices.size());
        }
    }

    Status run() {
        while (const auto next = most_in_doubt()) {
            if (auto done = round(*next); !done)
                return done;
            if (conductor_.conduct().interrupted)
                break;
        }
        report_.conduct = conductor_.conduct();
        report_.elapsed_s = conductor_.now_s() - started_s_;
        return helm_.campaign.note(fmt::format("tune: {} timings in {}, {}", report_.timings,
                                               format_time(report_.elapsed_s),
                                               conductor_.conduct().clocks.text()));
    }

  private:
    double left_s() const { return started_s_ + effort_.budget_s - conductor_.now_s(); }

    /// What a round costs, as far as is known.
    static double cost_s(const Elimination& race) {
        double total_s = 0;
        for (const auto i : race.running()) {
            const double time_s = known_s(race.candidates()[i]).value;
            total_s += visit_s + repetitions(time_s) * (time_s + repetition_s);
        }
        return total_s;
    }

    static int repetitions(double time_s) { return time_s < short_s ? times_of_short : 1; }

    /// What a round is worth for its seconds: the share of the call's time that may be lost, since
    /// what takes long is called less often. What was never timed comes first, and of that what
    /// costs least.
    static double worth(const Elimination& race, double round_s) {
        constexpr double never_timed = 1e6;
        return (race.winner() ? race.doubt() : never_timed) / round_s;
    }

    /// The race whose next round is worth most, of those there is time for.
    std::optional<std::size_t> most_in_doubt() {
        std::optional<std::size_t> best;
        double most = 0;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const auto& race = calls_[i].elimination;
            if (race.decided())
                continue;
            const double round_s = cost_s(race);
            if (round_s > left_s()) {
                report_.out_of_time = true;
            } else if (const double value = worth(race, round_s); value > most) {
                most = value;
                best = i;
            }
        }
        return best;
    }

    /// Those running, in random order; the first time the library's own decision and then what is
    /// predicted to be quickest, so that who needs no timing any more by then is seen.
    std::vector<std::size_t> order(const Elimination& race) {
        auto running = race.running();
        for (auto i = running.size(); i > 1; --i)
            std::swap(running[i - 1], running[random_.index(i)]);
        if (!race.winner())
            std::stable_sort(running.begin(), running.end(), [&](std::size_t a, std::size_t b) {
                return known_s(race.candidates()[a]).value < known_s(race.candidates()[b]).value;
            });
        return running;
    }

    /// Each of those still running once.
    Status round(std::size_t index) {
        const auto& race = calls_[index].elimination;
        for (const auto candidate : order(race)) {
            if (auto ready = conductor_.between_visits(); !ready)
                return ready;
            if (conductor_.conduct().interrupted || left_s() <= 0)
                return Done{};
            const auto running = race.running();
            if (std::find(running.begin(), running.end(), candidate) == running.end())
                continue;
            if (auto timed = time(index, candidate); !timed)
                return timed;
        }
        return Done{};
    }

    Status time(std::size_t index, std::size_t candidate) {
        auto& call = calls_[index];
        const auto point = call.point(candidate);
        const double expected_s = expected(call.elimination, candidate);
        show_progress(point);
        measure::Command command{measure::Command::What::visit,
                                 first_[index] + static_cast<int>(candidate), point.size_bytes, 0};
        command.start_mode = effort_.start_mode;
        command.repetitions = repetitions(expected_s);
        command.share_s = left_s();
        command.warm = !warm_.insert({index, candidate}).second || expected_s >= long_s;
        return conductor_.visit(command, point, [&](double value, bool warm_up) -> Status {
            if (auto added = helm_.campaign.add(point, value, warm_up); !added)
                return added.error();
            if (!warm_up) {
                call.elimination.add(candidate, value);
                ++report_.timings;
            }
            return Done{};
        });
    }

    /// As long as the candidate's own times or prediction say, else as the least of the others'.
    static double expected(const Elimination& race, std::size_t candidate) {
        if (const double own_s = known_s(race.candidates()[candidate]).value; own_s > 0)
            return own_s;
        double shortest_s = 0;
        for (const auto& other : race.candidates())
            if (const double time_s = known_s(other).value;
                time_s > 0 && (shortest_s == 0 || time_s < shortest_s))
                shortest_s = time_s;
        return shortest_s;
    }

    void show_progress(const Point& point) {
        const auto decided = std::ranges::count_if(
            calls_, [](const auto& call) { return call.elimination.decided(); });
        progress_.show(conductor_.now_s(), static_cast<int>(decided),
                       static_cast<int>(calls_.size()), report_.timings, left_s(),
                       measure::describe(point));
    }

    measure::Helm& helm_;
    std::vector<TunedCall>& calls_;
    Effort effort_;
    Report& report_;
    Random random_;
    measure::Conductor conductor_;
    double started_s_;
    std::vector<int> first_; ///< place in the plan of each call's first candidate
    std::set<std::pair<std::size_t, std::size_t>> warm_; ///< visited in this session
    measure::Progress progress_;
};

} // namespace

Status race_all(measure::Helm& helm, std::vector<TunedCall>& calls, const Effort& effort,
                Report& report) {
    return Racing(helm, calls, effort, report).run();
}

} // namespace alltold::tune
