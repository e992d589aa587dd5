// SPDX-License-Identifier: BSD-3-Clause
// Floods by UDP and the share that arrives.
#include "campaign/probe.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "campaign/probes/shared/udp.hpp"
#include "core/median.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {
namespace {

/// UDP payload of a full Ethernet frame.
constexpr std::uint64_t full_packet_bytes = 1472;
constexpr double most_flood_bytes = 6 << 20;
constexpr int most_senders = 5;
/// Below this share of arrivals the queue loses packets; random loss stays above.
constexpr double plainly_lossy = 0.9;
constexpr std::size_t lossy_lengths = 2;
/// Longer than a queue takes to drain and the receivers take to notice it; short floods wait less.
constexpr std::chrono::duration<double> drained{0.1};
constexpr double drain_per_flood = 10;

int senders_of(const Point& point) {
    return point.clusters.count() == 1 ? point.n() - 1 : point.clusters.size(0);
}

/// The target of rank `place` of the point; itself for a receiver.
int target_of(const Point& point, int place) {
    if (point.clusters.count() == 1)
        return point.n() - 1;
    const int senders = point.clusters.size(0);
    return place < senders ? place + senders : place;
}

/// One rank's side of the floods of one measurement.
class Flood {
  public:
    Flood(const Point& point, const mpi::Communicator& over) : point_(point), over_(over) {}

    /// Opens sockets and exchanges their addresses. Collective over the communicator.
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
    /// Of the last flood, on the ranks that know it; else 0.
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
    double flood_s_ = 0; ///< time of the last flood to leave this host
};

Status measure(Context& context) {
    const auto ranks = ranks_of(context.point(), context.ranks.clusters());
    if (std::find(ranks.begin(), ranks.end(), context.rank()) == ranks.end())
        return repeat(context, {[] { return Status(Done{}); }, [] { return 0.; }});
    const auto over = context.ranks.subset(context.point());
    if (!over)
        return over.error();
    Flood flood(context.point(), **over);
    if (auto ready = flood.prepare(); !ready)
        return ready;
    return repeat(context, {std::ref(flood), [&] { return flood.share(); }});
}

std::vector<Point> lengths(std::string_view probe, const Clusters& clusters) {
    std::vector<Point> points;
    for (const int count : {4, 16, 64, 256})
        points.push_back({std::string(probe), "udp", clusters, full_packet_bytes, -1, -1, count});
    return points;
}

Result<std::vector<Point>> plan_ports(const Clusters& world, const Request& request) {
    const int senders = std::min(most_senders, world.size(0) - 1);
    return request.floods && senders >= 2 ? lengths("flood", Clusters({senders + 1}))
                                          : std::vector<Point>();
}

Result<std::vector<Point>> plan_backbone(const Clusters& world, const Request& request) {
    const int pairs = world.count() > 1 ? std::min(world.size(0), world.size(1)) : 0;
    return request.floods && pairs >= 1 ? lengths("backbone_flood", Clusters({pairs, pairs}))
                                        : std::vector<Point>();
}

/// Lengths around the bend of the curve: half the shortest one that loses, and double the longest
/// until two lengths lose.
std::vector<Point> refine(std::span<const PointProgress> known) {
    std::vector<Point> wanted;
    const PointProgress* shortest_lossy = nullptr;
    const PointProgress* longest = nullptr;
    std::size_t lossy = 0;
    const auto has = [&](int count) {
        return std::any_of(known.begin(), known.end(), [&](const PointProgress& progress) {
            return progress.point.count == count;
        });
    };
    for (const auto& progress : known) {
        if (progress.times_s.empty())
            return {};
        if (!longest || progress.point.count > longest->point.count)
            longest = &progress;
        if (median(progress.times_s) > plainly_lossy)
            continue;
        ++lossy;
        if (!shortest_lossy || progress.point.count < shortest_lossy->point.count)
            shortest_lossy = &progress;
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

/// The share does not give the time of a flood; a second is more than enough.
double cost_s(const Point&, double) {
    return 0.2;
}

Probe flood(std::string_view name, std::string_view kind,
            Result<std::vector<Point>> (*plan)(const Clusters&, const Request&)) {
    Probe probe{name, kind, "share of the packets that arrives, 0 to 1", plan, measure};
    probe.cost_s = cost_s;
    probe.refine = refine;
    return probe;
}

/// TW99 section 3, network buffer: "we perform a set of tests which flood the router under
/// different duration, and record the percentage of packet arrival". All ranks of the point but
/// the last send `count` UDP packets of m bytes each to the last one, from an agreed instant on and
/// as fast as their own links carry them; a sample is the share that arrives, 0 to 1. UDP, since
/// MPI hides losses; over the addresses MPI uses. Where there are none, or UDP is blocked, the
/// share is 0. Lengths double until two of them lose more than a tenth, and end at 6 MiB a flood.
Probe flood_probe() {
    return flood("flood", "links", plan_ports);
}

/// The same for the backbone between two clusters: each host of the first floods its own partner in
/// the second, so that no port carries more than one sender's packets.
Probe backbone_flood_probe() {
    return flood("backbone_flood", "links", plan_backbone);
}

} // namespace

std::vector<Probe> flood_probes() {
    return {flood_probe(), backbone_flood_probe()};
}

} // namespace alltold::campaign
