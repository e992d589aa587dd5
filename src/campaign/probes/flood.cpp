// SPDX-License-Identifier: BSD-3-Clause
// Floods by UDP and the share that arrives.
#include "campaign/probes/flood.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "campaign/plan.hpp"
#include "campaign/udp.hpp"
#include "campaign/visits.hpp"
#include "core/median.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::measure {
namespace {

/// UDP payload of a full Ethernet frame.
constexpr std::uint64_t full_packet_bytes = 1472;
constexpr double most_flood_bytes = 6 << 20;
constexpr int most_senders = 5;
/// Loss is plain below this share; what is lost to chance stays above.
constexpr double plainly_lossy = 0.9;
constexpr std::size_t lossy_lengths = 2;
/// Longer than a queue takes to drain and the receivers take to notice; short floods need not wait
/// so long.
constexpr std::chrono::duration<double> drained{0.1};
constexpr double drain_per_flood = 10;

int senders_of(const Point& point) {
    return point.clusters.count() == 1 ? point.n() - 1 : point.clusters.size(0);
}

/// Whom the rank `place` of the point sends to; itself when it receives.
int target_of(const Point& point, int place) {
    if (point.clusters.count() == 1)
        return point.n() - 1;
    const int senders = point.clusters.size(0);
    return place < senders ? place + senders : place;
}

/// One rank's part in the floods of one visit.
class Flood {
  public:
    Flood(const Visit& visit, const mpi::Communicator& over) : point_(visit.point), over_(over) {}

    /// Opens sockets and tells all their addresses. Collective over the communicator.
    Status prepare() {
        // Any exchange, so that MPI has connections to be found.
        const int n = over_.size();
        std::vector<int> ball(static_cast<std::size_t>(n));
        if (auto sent = mpi::check(
                MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, ball.data(), 1, MPI_INT, over_.handle()),
                "MPI_Alltoall");
            !sent)
            return sent;
        sockaddr_in mine{};
        if (const auto address = busiest_address()) {
            auto opened = UdpSocket::open(*address);
            if (opened) {
                socket_.emplace(std::move(*opened));
                mine = socket_->address();
            }
        }
        addresses_.resize(static_cast<std::size_t>(n));
        return mpi::check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, addresses_.data(),
                                        sizeof mine, MPI_BYTE, over_.handle()),
                          "MPI_Allgather");
    }

    /// One flood. Collective.
    Status operator()() {
        if (auto flooded = flood(); !flooded)
            return flooded;
        const auto share = add_up();
        if (!share)
            return share.error();
        share_ = *share;
        return Done{};
    }
    /// Of the last flood, on every rank that knows it, else 0.
    double share() const { return share_; }

  private:
    Status flood() {
        ++flood_;
        arrived_ = 0;
        if (std::any_of(addresses_.begin(), addresses_.end(),
                        [](const sockaddr_in& address) { return address.sin_port == 0; }))
            return Done{};
        const int place = over_.rank();
        const int target = target_of(point_, place);
        if (target != place)
            flood_to(addresses_[static_cast<std::size_t>(target)]);
        else
            arrived_ = socket_->count_flood(flood_, packets_here());
        return Done{};
    }

    /// The share that arrived at the receiver here, or at all of them. Collective where there are
    /// several: senders then wait, asleep, until queues have drained, since MPI's own packets would
    /// be lost in them and come back after 200 ms.
    Result<double> add_up() {
        if (point_.clusters.count() > 1) {
            if (target_of(point_, over_.rank()) != over_.rank())
                std::this_thread::sleep_for(
                    std::min(drained, std::chrono::duration<double>(drain_per_flood * flood_s_)));
            MPI_Request sum = MPI_REQUEST_NULL;
            if (auto begun = mpi::check(MPI_Iallreduce(MPI_IN_PLACE, &arrived_, 1, MPI_INT, MPI_SUM,
                                                       over_.handle(), &sum),
                                        "MPI_Iallreduce");
                !begun)
                return begun.error();
            int complete = 0;
            for (mpi::Naps naps(500e-6); complete == 0; naps.take())
                if (auto tested =
                        mpi::check(MPI_Test(&sum, &complete, MPI_STATUS_IGNORE), "MPI_Test");
                    !tested)
                    return tested.error();
        }
        return std::min(1., static_cast<double>(arrived_) / (senders_of(point_) * point_.count));
    }

    void flood_to(const sockaddr_in& target) {
        const double started_s = Clock::true_now_s();
        socket_->send_flood(target, flood_, point_.count, point_.size_bytes);
        flood_s_ = Clock::true_now_s() - started_s;
    }

    int packets_here() const {
        return point_.clusters.count() == 1 ? senders_of(point_) * point_.count : point_.count;
    }

    const Point& point_;
    const mpi::Communicator& over_;
    std::optional<UdpSocket> socket_;
    std::vector<sockaddr_in> addresses_;
    std::uint64_t flood_ = 0;
    int arrived_ = 0;
    double share_ = 0;
    double flood_s_ = 0; ///< what the last one took to leave this host
};

Status visit(Visit& visit) {
    const auto ranks = ranks_of(visit.point, visit.team.clusters());
    if (std::find(ranks.begin(), ranks.end(), visit.rank()) == ranks.end())
        return repeat(
            visit, [] { return Status(Done{}); }, [] { return 0.; });
    Flood flood(visit, visit.team.subset(visit.point));
    if (auto ready = flood.prepare(); !ready)
        return ready;
    return repeat(visit, std::ref(flood), [&] { return flood.share(); });
}

std::vector<Point> lengths(std::string_view probe, const Clusters& clusters) {
    std::vector<Point> points;
    for (const int count : {4, 16, 64, 256})
        points.push_back({std::string(probe), "udp", clusters, full_packet_bytes, -1, -1, count});
    return points;
}

Result<std::vector<Point>> plan_ports(const Clusters& world, const Wishes& wishes) {
    const int senders = std::min(most_senders, world.size(0) - 1);
    return wishes.floods && senders >= 2 ? lengths("flood", Clusters({senders + 1}))
                                         : std::vector<Point>();
}

Result<std::vector<Point>> plan_backbone(const Clusters& world, const Wishes& wishes) {
    const int pairs = world.count() > 1 ? std::min(world.size(0), world.size(1)) : 0;
    return wishes.floods && pairs >= 1 ? lengths("backbone_flood", Clusters({pairs, pairs}))
                                       : std::vector<Point>();
}

/// Where the curve bends: half the shortest length that loses, and double the longest until two
/// lengths do.
std::vector<Point> refine(std::span<const Pace> known) {
    std::vector<Point> wanted;
    const Pace* shortest_lossy = nullptr;
    const Pace* longest = nullptr;
    std::size_t lossy = 0;
    const auto has = [&](int count) {
        return std::any_of(known.begin(), known.end(),
                           [&](const Pace& pace) { return pace.point.count == count; });
    };
    for (const auto& pace : known) {
        if (pace.times_s.empty())
            return {};
        if (!longest || pace.point.count > longest->point.count)
            longest = &pace;
        if (median(pace.times_s) > plainly_lossy)
            continue;
        ++lossy;
        if (!shortest_lossy || pace.point.count < shortest_lossy->point.count)
            shortest_lossy = &pace;
    }
    const auto ask = [&](const Point& like, int count) {
        Point point = like;
        point.count = count;
        const double bytes = static_cast<double>(point.size_bytes) * senders_of(point) * count;
        if (count >= 1 && !has(count) && bytes <= most_flood_bytes)
            wanted.push_back(point);
    };
    if (!longest || median(longest->times_s) == 0)
        return {};
    for (std::size_t i = lossy, factor = 2; i < lossy_lengths; ++i, factor *= 2)
        ask(longest->point, static_cast<int>(factor) * longest->point.count);
    if (shortest_lossy)
        ask(shortest_lossy->point, shortest_lossy->point.count / 2);
    return wanted;
}

/// What a flood of that share takes is not known from the share; a second is more than enough.
double cost_s(const Point&, double) {
    return 0.2;
}

Probe flood(std::string_view name, std::string_view kind,
            Result<std::vector<Point>> (*plan)(const Clusters&, const Wishes&)) {
    Probe probe{name, kind, "share of the packets that arrives, 0 to 1", plan, visit};
    probe.own_communicator = true;
    probe.cost_s = cost_s;
    probe.refine = refine;
    return probe;
}

} // namespace

Probe flood_probe() {
    return flood("flood", "links", plan_ports);
}

Probe backbone_flood_probe() {
    return flood("backbone_flood", "links", plan_backbone);
}

} // namespace alltold::measure
