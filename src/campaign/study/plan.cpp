// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/plan.hpp"

#include "campaign/policies/sequential_design.hpp"
#include "core/units.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/library/library_ranking.hpp"
#include "predict/library/library_setting.hpp"
#include "topology/rank_order.hpp"

namespace alltold::campaign {
namespace {

/// The sum of predicted log ratios to the library's own choice over the reported sizes; 0 where no
/// call gains enough, or one cannot be predicted.
double predicted_gain(const Profile& profile, MpiLibrary library, Collective collective,
                      const Clusters& hosts, const Choice& choice) {
    double gain = 0, least_ratio = 1;
    for (const auto size_bytes : sizes_for(collective, reported_sizes())) {
        const auto time_of = [&](const Choice& which) {
            return evaluate_library(profile.network, library, collective, hosts, size_bytes, which);
        };
        const auto usual = time_of({}), forced = time_of(choice);
        if (!usual || !forced || !(usual->time_s.value > 0))
            return 0;
        const double ratio = forced->time_s.value / usual->time_s.value;
        least_ratio = std::min(least_ratio, ratio);
        gain -= std::log(ratio);
    }
    return least_ratio < worth_setting ? gain : 0;
}

} // namespace

std::vector<Point> forced_calls(const Profile& profile, const Clusters& hosts,
                                std::span<const Collective> collectives) {
    const auto library = library_named(profile.provenance.mpi_library);
    std::vector<Point> points;
    for (const auto collective : collectives) {
        std::string best;
        double most = 0;
        for (const auto& row : library_algorithms()) {
            if (library != row.library || !can_be_set(row, collective) ||
                row.segment == Algorithm::Use::must || row.window == Algorithm::Use::must)
                continue;
            Choice choice;
            choice.library = row.name;
            if (const double gain = predicted_gain(profile, library, collective, hosts, choice);
                gain > most) {
                most = gain;
                best = text_of(choice);
            }
        }
        if (!best.empty())
            for (const auto size_bytes : sizes_for(collective, reported_sizes()))
                for (const auto& algorithm : {std::string("mpi"), best})
                    points.push_back(
                        {std::string(name_of(collective)), algorithm, hosts, size_bytes});
    }
    return points;
}

namespace {

constexpr std::array<std::uint64_t, 1> unsized{0};
constexpr std::array<std::uint64_t, 5> reported{1 * ki, 4 * ki, 16 * ki, 64 * ki, 256 * ki};
constexpr std::array<std::uint64_t, 13> decided{64,      128,      256,     512,     1 * ki,
                                                2 * ki,  4 * ki,   8 * ki,  16 * ki, 32 * ki,
                                                64 * ki, 128 * ki, 256 * ki};
constexpr std::array<std::uint64_t, 6> between_decided{1536,    3 * ki,  6 * ki,
                                                       12 * ki, 24 * ki, 48 * ki};
/// At which calls may be measured to learn from.
constexpr std::array<std::uint64_t, 10> learned{256,     1 * ki,  2 * ki,  4 * ki,   8 * ki,
                                                16 * ki, 32 * ki, 64 * ki, 128 * ki, 256 * ki};
/// How many of our algorithms a reported call brings in.
constexpr std::size_t fastest = 2;

/// On several hosts, unless there is one only.
void add_layout(std::vector<Clusters>& layouts, Clusters layout) {
    if (layout.hosts() >= std::min(2, layouts.front().hosts()) && layout.ranks() >= 2 &&
        std::ranges::find(layouts, layout) == layouts.end())
        layouts.push_back(std::move(layout));
}

/// So many hosts, in proportion to those of each cluster, with all of their ranks. Points know the
/// first hosts of clusters only.
Clusters some_of(const Clusters& all, int hosts) {
    return first_hosts(all, spread(all.leaders(), hosts).sizes());
}

/// Without the library's own.
std::vector<const CallTime*> ours_in(const Ranking& ranking, std::size_t most) {
    std::vector<const CallTime*> ours;
    for (const auto& candidate : ranking.candidates)
        if (candidate.choice.algorithm && ours.size() < most)
            ours.push_back(&candidate);
    return ours;
}

/// The calls, none twice.
class Calls {
  public:
    Calls(const Network& network, std::span<const PointSamples> measured)
        : network_(network), measured_(measured) {}

    void add(const CollectiveProbe& probe, const Choice& choice, const Clusters& clusters,
             std::uint64_t size_bytes, double weight) {
        auto resolved = Result(choice);
        if (choice.algorithm)
            resolved = resolve({probe.collective, clusters, size_bytes}, &network_,
                               {.choice = choice, .simulations = &simulations_});
        if (!resolved)
            return;
        resolved->parameters.clusters.reset();
        const Point point{probe.text(), text_of(*resolved), clusters, size_bytes};
        if (const auto known = std::ranges::find(points_, point); known != points_.end()) {
            auto& call = calls_[static_cast<std::size_t>(known - points_.begin())];
            call.weight = std::max(call.weight, weight);
            return;
        }
        std::vector<double> times_s;
        for (const auto& samples : measured_)
            if (samples.point == point)
                times_s = samples.series().times_s;
        keep(probe, *resolved, clusters, size_bytes, weight, std::move(times_s));
    }

    /// What `measured` holds of `collectives` beyond the calls added.
    std::vector<DesignCall> finish(std::span<const Collective> collectives) {
        for (const auto& samples : measured_) {
            const auto& point = samples.point;
            const auto probe = CollectiveProbe::parse(point.probe);
            const auto choice = parse_choice(point.algorithm);
            if (probe && !probe->within &&
                std::ranges::find(collectives, probe->collective) != collectives.end() && choice &&
                choice->library.empty() && !samples.series().times_s.empty() &&
                std::ranges::find(points_, point) == points_.end())
                keep(*probe, *choice, point.clusters, point.size_bytes, 0,
                     samples.series().times_s);
        }
        return std::move(calls_);
    }

    SimulationCache& simulations() { return simulations_; }

  private:
    void keep(const CollectiveProbe& probe, const Choice& choice, const Clusters& clusters,
              std::uint64_t size_bytes, double weight, std::vector<double> times_s) {
        auto& call = calls_.emplace_back();
        call.probe = probe;
        call.choice = choice;
        call.clusters = clusters;
        call.size_bytes = size_bytes;
        call.weight = weight;
        call.times_s = std::move(times_s);
        points_.push_back(point_of(call));
    }

    const Network& network_;
    std::span<const PointSamples> measured_;
    SimulationCache simulations_;
    std::vector<DesignCall> calls_;
    std::vector<Point> points_; ///< of the calls
};

/// Log-uniform, in multiples of four.
std::uint64_t random_size(Random& random) {
    return 4 * static_cast<std::uint64_t>(std::exp2(7 + 9 * random.uniform()));
}

/// All clusters of `hosts` three times in four, else some.
Clusters random_layout(const Clusters& hosts, Random& random) {
    const auto count = static_cast<std::size_t>(hosts.count());
    const bool all = count == 1 || random.uniform() < 0.75;
    const auto some =
        largest_clusters(hosts, static_cast<int>(all ? count : 1 + random.index(count - 1)));
    const auto& whole = some.hosts() < 2 ? hosts : some;
    const int least = std::max(2, whole.count());
    if (whole.hosts() <= least)
        return whole;
    return some_of(whole, least + static_cast<int>(random.index(
                                      static_cast<std::size_t>(whole.hosts() - least + 1))));
}

/// A call with the seconds that it is expected to take.
struct Drawn {
    Point point;
    double time_s = 0;
};

/// `network` is as calls of the probe find it.
std::optional<Drawn> draw(const Network& network, const Clusters& hosts,
                          const CollectiveProbe& probe, bool of_library, Random& random) {
    const auto collective = probe.collective;
    const auto layout = random_layout(hosts, random);
    const auto size_bytes = traits_of(collective).has_data ? random_size(random) : 0;
    const auto place = random.index(3);
    const auto drawn = [&](const Choice& choice, double time_s) {
        return Drawn{{probe.text(), text_of(choice), layout, size_bytes}, time_s};
    };
    if (probe.start_mode && !correction_of(network, collective, layout, of_library))
        return std::nullopt;
    if (of_library) {
        const auto predicted = predict_library(network, collective, layout, size_bytes);
        return predicted ? std::optional(drawn({}, predicted->time_s.value)) : std::nullopt;
    }
    const auto ranking = rank(network, collective, layout, size_bytes);
    if (!ranking)
        return std::nullopt;
    const auto ours = ours_in(*ranking, place + 1);
    if (ours.empty())
        return std::nullopt;
    return drawn(ours.back()->choice, ours.back()->time_s.value);
}

} // namespace

double weight_of(const Clusters& layout, const Clusters& hosts) {
    return layout == hosts ? 1 : layout.count() == hosts.count() ? 0.5 : 0.25;
}

std::span<const std::uint64_t> reported_sizes() {
    return reported;
}

std::vector<Clusters> reported_layouts(const Clusters& hosts) {
    std::vector<Clusters> layouts{hosts};
    if (hosts.hosts() >= 2)
        add_layout(layouts, some_of(hosts, std::max({2, hosts.count(), (hosts.hosts() + 1) / 2})));
    if (hosts.count() > 1)
        add_layout(layouts, largest_clusters(hosts, 1));
    return layouts;
}

std::span<const std::uint64_t> rule_sizes() {
    return decided;
}

std::span<const std::uint64_t> sizes_between_rule_sizes() {
    return between_decided;
}

std::vector<Clusters> measured_layouts(const Clusters& hosts) {
    auto layouts = reported_layouts(hosts);
    for (const auto& whole : {hosts, largest_clusters(hosts, 1)})
        for (const double share : {1. / 3, 2. / 3})
            if (const int least = std::max(2, whole.count()); whole.hosts() >= least)
                add_layout(layouts, some_of(whole, std::max(least, static_cast<int>(std::lround(
                                                                       share * whole.hosts())))));
    return layouts;
}

std::span<const std::uint64_t> sizes_for(Collective collective,
                                         std::span<const std::uint64_t> sizes_bytes) {
    return traits_of(collective).has_data ? sizes_bytes : std::span<const std::uint64_t>(unsized);
}

std::vector<CollectiveProbe> study_probes(std::span<const Collective> collectives,
                                          StartMode usual) {
    std::vector<CollectiveProbe> probes;
    for (const auto collective : collectives)
        probes.push_back({collective});
    if (std::ranges::find(collectives, Collective::alltoall) != collectives.end())
        probes.push_back({Collective::alltoall, second_start(usual)});
    return probes;
}

std::vector<DesignCall> study_calls(const Profile& profile, std::span<const PointSamples> measured,
                                    std::span<const Collective> collectives) {
    const auto& network = profile.network;
    const auto& hosts = profile.provenance.clusters;
    Calls calls(network, measured);
    const auto layouts = measured_layouts(hosts);
    const auto targets = reported_layouts(hosts);
    for (const auto& probe : study_probes(collectives, profile.provenance.start_mode)) {
        std::vector<const Algorithm*> ours;
        for (const auto& layout : targets)
            for (const auto size_bytes : sizes_for(probe.collective, reported)) {
                calls.add(probe, {}, layout, size_bytes, weight_of(layout, hosts));
                const auto ranking =
                    rank(network, probe.collective, layout, size_bytes, &calls.simulations());
                if (!ranking)
                    continue;
                for (const auto* candidate : ours_in(*ranking, fastest)) {
                    calls.add(probe, candidate->choice, layout, size_bytes,
                              weight_of(layout, hosts));
                    if (std::ranges::find(ours, candidate->choice.algorithm) == ours.end())
                        ours.push_back(candidate->choice.algorithm);
                }
            }
        for (const auto& layout : layouts)
            for (const auto size_bytes : sizes_for(probe.collective, learned)) {
                calls.add(probe, {}, layout, size_bytes, 0);
                for (const auto* algorithm : ours)
                    calls.add(probe, {algorithm}, layout, size_bytes, 0);
            }
    }
    return calls.finish(collectives);
}

std::vector<Point> random_calls(const Profile& profile, std::span<const PointSamples> measured,
                                std::uint64_t seed, int repetitions, double most_s,
                                std::span<const Collective> collectives) {
    constexpr int rounds = 4;
    constexpr int tries = 8;
    Random random(seed);
    std::vector<Point> points;
    double left_s = most_s;
    const auto usual = profile.provenance.start_mode;
    const auto probes = study_probes(collectives, usual);
    const auto after = network_after(profile.network, second_start(usual));
    const auto is_new = [&](const Point& point) {
        return std::ranges::find(points, point) == points.end() &&
               std::ranges::find(measured, point, &PointSamples::point) == measured.end();
    };
    for (int round = 0; round < rounds; ++round)
        for (const auto& probe : probes)
            for (const bool of_library : {true, false})
                for (int attempt = 0; attempt < tries; ++attempt) {
                    const auto drawn = draw(probe.start_mode ? after : profile.network,
                                            profile.provenance.clusters, probe, of_library, random);
                    if (!drawn || !is_new(drawn->point))
                        continue;
                    const double cost_s = (1 + repetitions) * (drawn->time_s + 5e-3);
                    // No call takes more than its share of what is left, and some.
                    const int calls_left = 2 * static_cast<int>(probes.size()) * rounds -
                                           static_cast<int>(points.size());
                    if (cost_s > std::min(left_s, 3 * left_s / calls_left))
                        continue;
                    left_s -= cost_s;
                    points.push_back(drawn->point);
                    break;
                }
    return points;
}

} // namespace alltold::campaign
