// SPDX-License-Identifier: BSD-3-Clause
// Rounds of races on the ranks of a campaign.
#include "tune/racing.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/units.hpp"
#include "measure/plan.hpp"
#include "measure/progress.hpp"
#include "stats/random.hpp"

namespace alltold::tune {
namespace {

/// From here on a repetition ramps its connections up by itself; shorter ones are preceded by one
/// that does not count.
constexpr double long_s = 0.1;
/// Up to here a visit costs more than a repetition, so that three are taken.
constexpr double short_s = 0.02;
/// What a round takes whatever the repetitions.
constexpr double least_s = 1e-3;

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

    /// The race whose next round is worth most for its seconds, of those there is time for.
    std::optional<std::size_t> most_in_doubt() {
        std::optional<std::size_t> best;
        double most = 0;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const auto& race = calls_[i].race;
            if (race.decided())
                continue;
            const double round_s = race.round_s();
            if (round_s > left_s()) {
                report_.out_of_time = true;
                continue;
            }
            double quickest_s = std::max(round_s, least_s);
            for (const auto k : race.running())
                if (const double time_s = known_s(race.contenders()[k]).value; time_s > 0)
                    quickest_s = std::min(quickest_s, time_s);
            // Between a share of the call's time and seconds of it: both are lost by a wrong
            // choice.
            const double worth = race.doubt() * std::sqrt(quickest_s) / std::max(round_s, least_s);
            if (worth > most) {
                most = worth;
                best = i;
            }
        }
        if (best && left_s() <= 0)
            report_.out_of_time = true;
        return left_s() > 0 ? best : std::nullopt;
    }

    /// Each of those running once, in random order.
    Status round(std::size_t index) {
        auto running = calls_[index].race.running();
        for (auto i = running.size(); i > 1; --i)
            std::swap(running[i - 1], running[random_.index(i)]);
        for (const auto contender : running) {
            if (auto ready = conductor_.between_visits(); !ready)
                return ready;
            if (conductor_.conduct().interrupted || left_s() <= 0)
                return Done{};
            if (auto timed = time(index, contender); !timed)
                return timed;
        }
        return Done{};
    }

    Status time(std::size_t index, std::size_t contender) {
        auto& call = calls_[index];
        const auto point = call.point(contender);
        const double expected_s = expected(call.race, contender);
        show_progress(point);
        measure::Command command{measure::Command::What::visit,
                                 first_[index] + static_cast<int>(contender), point.size_bytes, 0};
        command.lead = effort_.lead;
        command.repetitions = expected_s < short_s ? 3 : 1;
        command.share_s = left_s();
        command.warm = !warm_.insert({index, contender}).second || expected_s >= long_s;
        return conductor_.visit(command, point, [&](double value, bool warm_up) -> Status {
            if (auto added = helm_.campaign.add(point, value, warm_up); !added)
                return added.error();
            if (!warm_up) {
                call.race.add(contender, value);
                ++report_.timings;
            }
            return Done{};
        });
    }

    /// As long as the contender's own times or prediction say, else as the least of the others'.
    static double expected(const Race& race, std::size_t contender) {
        if (const double own_s = known_s(race.contenders()[contender]).value; own_s > 0)
            return own_s;
        double shortest_s = 0;
        for (const auto& other : race.contenders())
            if (const double time_s = known_s(other).value;
                time_s > 0 && (shortest_s == 0 || time_s < shortest_s))
                shortest_s = time_s;
        return shortest_s;
    }

    void show_progress(const Point& point) {
        const auto decided =
            std::ranges::count_if(calls_, [](const auto& call) { return call.race.decided(); });
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
    std::vector<int> first_; ///< place in the plan of each call's first contender
    std::set<std::pair<std::size_t, std::size_t>> warm_; ///< visited in this session
    measure::Progress progress_;
};

} // namespace

Status race_all(measure::Helm& helm, std::vector<TunedCall>& calls, const Effort& effort,
                Report& report) {
    return Racing(helm, calls, effort, report).run();
}

} // namespace alltold::tune
