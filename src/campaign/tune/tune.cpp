// SPDX-License-Identifier: BSD-3-Clause
// From the store to a profile with rules; the races between on all ranks.
#include "campaign/tune/tune.hpp"

#include <fmt/format.h>

#include "campaign/tune/racing.hpp"
#include "runtime/mpi/agree.hpp"
#include "store/fit_campaign.hpp"
#include "store/profile_rules.hpp"

namespace alltold::tune {
namespace {

/// What the store says before and after the races.
struct Known {
    std::vector<PointSamples> points;
    Profile profile;
};

Result<Known> read(const Options& options) {
    const auto campaign = Campaign::read(options.store);
    if (!campaign)
        return campaign.error();
    auto points = campaign->points();
    if (!points)
        return points.error();
    const auto here = campaign->provenance();
    if (!here)
        return here.error();
    FitRequest request;
    request.name = options.profile.stem();
    request.source = options.store.filename();
    request.seed = options.seed;
    auto profile = fit_points(*points, *here, request);
    return Known{std::move(*points), std::move(profile)};
}

/// Points of all candidates, one a line, so that all ranks have the same plan.
std::string text_of(const std::vector<TunedCall>& calls) {
    std::string text;
    for (const auto& call : calls)
        for (std::size_t i = 0; i < call.choices.size(); ++i) {
            const auto point = call.point(i);
            text += fmt::format("{}\t{}\t{}\t{}\n", point.probe, point.clusters.text(),
                                point.size_bytes, point.algorithm);
        }
    return text;
}

std::vector<Point> points_in(std::string_view text) {
    std::vector<Point> points;
    const auto next = [&](char end) {
        const auto word = text.substr(0, text.find(end));
        text.remove_prefix(word.size() + 1);
        return std::string(word);
    };
    while (!text.empty()) {
        Point point;
        point.probe = next('\t');
        point.clusters = *Clusters::parse(next('\t'));
        point.size_bytes = std::stoull(next('\t'));
        point.algorithm = next('\n');
        points.push_back(std::move(point));
    }
    return points;
}

/// Subsets wished for must be parts of the hosts.
Status check(const Wishes& wishes, const Clusters& hosts) {
    for (const auto& subset : wishes.subsets) {
        bool inside = subset.count() <= hosts.count() && subset.ranks() >= 2;
        for (int c = 0; inside && c < subset.count(); ++c)
            inside = subset.size(c) <= hosts.size(c);
        if (!inside)
            return bad_input(fmt::format("-n: '{}' does not fit into the {} ranks of clusters {}",
                                         subset.text(), hosts.ranks(), hosts.text()));
    }
    return Done{};
}

/// Rank 0's calls and everyone's plan.
struct Plan {
    std::vector<TunedCall> calls;
    std::vector<Point> points;
};

Result<Plan> plan_on(const measure::Arrangement& ranks, const Options& options) {
    Plan plan;
    Status made = Done{};
    if (ranks.ranks.rank() == 0) {
        made = check(options.wishes, ranks.clusters);
        auto known = made ? read(options) : Result<Known>(made.error());
        if (!known)
            made = known.error();
        else if (known->profile.provenance.clusters != ranks.clusters)
            made = bad_input(fmt::format(
                "{}: was measured on clusters {}, but this run has {}", options.store.string(),
                known->profile.provenance.clusters.text(), ranks.clusters.text()));
        else
            plan.calls = calls_of(known->profile, options.wishes, known->points);
    }
    if (auto agreed = mpi::agree(ranks.ranks, made); !agreed)
        return agreed.error();
    const auto text = ranks.ranks.broadcast_text(text_of(plan.calls));
    if (!text)
        return text.error();
    plan.points = points_in(*text);
    return plan;
}

/// The profile with rules by the winners of all races in the store, else by its models, saved.
Result<Report> write_tables(const Options& options, Profile profile, std::vector<TunedCall> calls,
                            std::span<const PointSamples> points) {
    Report report;
    report.profile = std::move(profile);
    report.calls = std::move(calls);
    make_rules(report.profile, points);
    if (auto saved = save_profile(report.profile, options.profile); !saved)
        return saved.error();
    return report;
}

} // namespace

Result<Report> make_tables(const Options& options) {
    auto known = read(options);
    if (!known)
        return known.error();
    auto calls = calls_of(known->profile, options.wishes, known->points);
    return write_tables(options, std::move(known->profile), std::move(calls), known->points);
}

Result<std::optional<Report>> verify(const mpi::Session& session, const Options& options) {
    if (session.world().size() < 2)
        return bad_input("tuning needs at least 2 ranks; start it with mpirun -n 2 or more");
    const auto ranks = measure::arrange(session.world(), options.clusters);
    if (!ranks)
        return ranks.error();
    auto plan = plan_on(*ranks, options);
    if (!plan)
        return plan.error();
    measure::Options campaign;
    campaign.store = options.store;
    campaign.start_mode = options.start_mode;
    campaign.seed = options.seed;
    Report raced;
    const auto steer = [&](measure::Helm& helm) {
        return race_all(helm, plan->calls, {options.start_mode, options.budget_s, options.seed},
                        raced);
    };
    if (auto conducted = measure::conduct(*ranks, campaign, std::move(plan->points), steer);
        !conducted)
        return conducted.error();
    if (ranks->ranks.rank() != 0)
        return std::optional<Report>();
    auto known = read(options);
    if (!known)
        return known.error();
    auto report =
        write_tables(options, std::move(known->profile), std::move(plan->calls), known->points);
    if (!report)
        return report.error();
    report->timings = raced.timings;
    report->elapsed_s = raced.elapsed_s;
    report->conduct = raced.conduct;
    report->out_of_time = raced.out_of_time;
    return std::optional(std::move(*report));
}

} // namespace alltold::tune
