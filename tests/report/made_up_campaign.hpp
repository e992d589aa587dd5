// SPDX-License-Identifier: BSD-3-Clause
// A campaign on two clusters that has something for every chart of the page.
#pragma once

#include "core/random.hpp"
#include "network/signature/signature.hpp"
#include "report/page/figures.hpp"
#include "store/fit_campaign.hpp"

namespace alltold::test {

class MadeUpCampaign {
  public:
    /// `repetitions` of each point besides its warm-up.
    explicit MadeUpCampaign(int repetitions = 8) : repetitions_(repetitions) {
        measure();
        profile_ = fit_points(points_, where(), {"net", "net.db"});
        profile_.rules = {"alltoall:-8KiB = mpi", "alltoall:8KiB- = alltoall.pairwise",
                          "bcast:any = bcast.binomial"};
        validation_ = validate(points_, profile_, nullptr);
        add_other_calls();
    }

    const Profile& profile() const { return profile_; }
    const std::vector<PointSamples>& points() const { return points_; }
    PageInput input() const {
        return {"net.db", "profile.json", profile_, points_, validation_, notes_};
    }

  private:
    static Provenance where() {
        Provenance where;
        where.hosts = {"a1", "a2", "a3", "a4", "b1", "b2", "b3"};
        where.clusters = Clusters({4, 3});
        where.clusters_from = "made up";
        where.mpi_library = "Open MPI v4.1.4, made up";
        where.kernel = "Linux";
        where.clock_method = "perfect";
        return where;
    }

    /// The library's collectives other than broadcasts lose packets from 64 KiB on.
    void add(const Point& point, double time_s) {
        const bool loses = CollectiveProbe::parse(point.probe) && point.probe != "bcast" &&
                           point.algorithm == "mpi" && point.size_bytes >= 65536;
        PointSamples samples{point, {{0, 100 * time_s, true, 1.7e9}}};
        for (int i = 1; i <= repetitions_; ++i)
            samples.samples.push_back({i, time_s * (1 + 0.02 * random_.normal()), false, 1.7e9 + i,
                                       loses ? point.size_bytes >> 13 : 0});
        points_.push_back(std::move(samples));
    }

    void measure() {
        constexpr Hockney local{100e-6, 170e-9}, inter_cluster{5e-3, 45e-9};
        constexpr Signature signature{2.2, 3e-3, 16384};
        for (const std::uint64_t size : {1024, 4096, 16384, 65536, 262144}) {
            const auto m = static_cast<double>(size);
            for (const auto& [one, other] : {std::pair{0, 1}, std::pair{2, 3}, std::pair{4, 6}})
                add({"pingpong", "mpi", Clusters({2}), size, one, other}, local.time_s(m));
            add({"pingpong", "mpi", Clusters({1, 1}), size, 0, 4}, inter_cluster.time_s(m));
            for (const int n : {2, 3, 4}) {
                add({"alltoall", "mpi", Clusters({n}), size},
                    alltoall_time_s(local, signature, n, m));
                add({"alltoall", "alltoall.pairwise", Clusters({n}), size},
                    1.1 * (n - 1) * local.time_s(m));
            }
            for (const char* collective : {"alltoall", "bcast", "scatter", "gather"})
                add({collective, "mpi", Clusters({4, 3}), size}, 0.02 + 20 * m * 170e-9);
            add({"alltoall", "alltoall.pairwise", Clusters({4, 3}), size}, 0.02 + 10 * m * 170e-9);
            add({"bcast", "bcast.binomial", Clusters({4, 3}), size}, 0.01 + 4 * m * 170e-9);
            for (const char* probe : {"plogp.gap", "plogp.send", "plogp.receive"})
                add({probe, "mpi", Clusters({2}), size, 0, 1}, 30e-6 + m * 170e-9);
        }
        constexpr std::uint64_t flood_bytes = 1472;
        add({"flood_gap", "mpi", Clusters({4}), flood_bytes, 0}, 257e-6);
        add({"flood_queue", "mpi", Clusters({4}), flood_bytes, 0}, 40);
        add({"flood_gap", "mpi", Clusters({3, 3}), flood_bytes, 0, 4}, 100e-6);
        add({"flood_queue", "mpi", Clusters({3, 3}), flood_bytes, 0, 4}, 60);
        add({"plogp.round_trip", "mpi", Clusters({2}), 1, 0, 1}, 300e-6);
    }

    /// All-to-alls after a barrier, where the library's take 20 times as long, and a barrier.
    void add_other_calls() {
        for (auto* points : {&validation_.points, &validation_.ours}) {
            auto after_barrier = *points;
            std::erase_if(after_barrier, [](const ValidatedPoint& point) {
                return point.collective != Collective::alltoall;
            });
            for (auto& point : after_barrier) {
                point.start_mode = StartMode::barrier;
                if (!point.ours())
                    for (double* time_s :
                         {&point.measured_s.value, &point.measured_s.low, &point.measured_s.high})
                        *time_s *= 20;
            }
            points->insert(points->end(), after_barrier.begin(), after_barrier.end());
        }
        ValidatedPoint barrier{.collective = Collective::barrier,
                               .clusters = Clusters({4, 3}),
                               .repetitions = repetitions_,
                               .measured_s = {0.05, 0.049, 0.051},
                               .predicted = {}};
        barrier.predicted.time_s = {0.05, 0.04, 0.06};
        validation_.points.push_back(std::move(barrier));
    }

    int repetitions_;
    Random random_{1};
    std::vector<PointSamples> points_;
    Profile profile_;
    Validation validation_;
    std::vector<std::string> notes_{"stopped <b>early</b> & \"quoted\", </script>"};
};

} // namespace alltold::test
