// SPDX-License-Identifier: BSD-3-Clause
// One all-to-all across two clusters, packet by packet: a schedule of alltold's as actors of
// SimGrid on its ns-3 model. For bench/packets.sh, which says what it needs.
//
//   bench_packets PLATFORM.xml HOSTS1 HOSTS2 BYTES ALGORITHM SEED
//
// prints the seconds until the last rank has finished. The platform's hosts are host0, host1 and so
// on, the first HOSTS1 of them in the first cluster. Each rank enters up to 1 ms late, by SEED.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "core/random.hpp"
#include "simulate/event_graph.hpp"

using namespace alltold;
using simulate::EventGraph;
namespace s4u = simgrid::s4u;

namespace {

constexpr double latest_entry_s = 1e-3;

/// Runs one rank's operations: each starts when those it is after are complete; copies take no
/// time. A message is its sender's number in the graph, so that it meets its own receive.
class Rank {
  public:
    Rank(const EventGraph& graph, int rank, double entry_s)
        : graph_(graph), rank_(rank), entry_s_(entry_s) {}

    void operator()() {
        s4u::this_actor::sleep_for(entry_s_);
        const auto first = graph_.first(rank_), end = graph_.first(rank_ + 1);
        for (auto i = first; i < end; ++i)
            waits_for_.push_back(graph_[i].waits_for);
        for (auto i = first; i < end; ++i)
            if (graph_[i].waits_for == 0)
                start(i);
        while (!under_way_.empty()) {
            const auto done = static_cast<std::size_t>(s4u::Comm::wait_any(under_way_));
            const auto i = numbers_[done];
            under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(done));
            numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(done));
            complete(i);
        }
    }

  private:
    void start(std::int32_t i) {
        const auto& node = graph_[i];
        if (!node.is_outgoing() && !node.is_incoming())
            return complete(i);
        const auto message = node.is_outgoing() ? i : node.partner;
        auto* const mailbox = s4u::Mailbox::by_name(std::to_string(message));
        under_way_.push_back(
            node.is_outgoing()
                ? mailbox->put_async(&token_, static_cast<std::uint64_t>(node.weight_bytes()))
                : mailbox->get_async(&got_));
        numbers_.push_back(i);
    }
    void complete(std::int32_t i) {
        for (const auto follower : graph_.followers(i))
            if (--waits_for_[static_cast<std::size_t>(follower - graph_.first(rank_))] == 0)
                start(follower);
    }

    const EventGraph& graph_;
    int rank_;
    double entry_s_;
    std::vector<int> waits_for_;
    std::vector<s4u::CommPtr> under_way_;
    std::vector<std::int32_t> numbers_; ///< of the operations under way
    int token_ = 0;
    int* got_ = nullptr;
};

} // namespace

int main(int argc, char** argv) {
    s4u::Engine engine(&argc, argv); // takes its own options away
    if (argc != 7) {
        std::fputs("bench_packets: needs PLATFORM.xml HOSTS1 HOSTS2 BYTES ALGORITHM SEED\n",
                   stderr);
        return 2;
    }
    const Clusters clusters({std::atoi(argv[2]), std::atoi(argv[3])});
    const int ranks = clusters.ranks();
    const auto algorithm = find_algorithm(argv[5]);
    if (!algorithm) {
        std::fprintf(stderr, "bench_packets: %s\n", algorithm.error().message.c_str());
        return 2;
    }
    Parameters parameters;
    if ((*algorithm)->takes_clusters())
        parameters.clusters = clusters;
    const auto graph =
        EventGraph::of(**algorithm,
                       Specification::of(Collective::alltoall, ranks, 0,
                                         static_cast<std::uint64_t>(std::atoll(argv[4]))),
                       parameters);
    if (!graph) {
        std::fprintf(stderr, "bench_packets: %s\n", graph.error().message.c_str());
        return 2;
    }
    engine.load_platform(argv[1]); // one made by calls would have no routes in ns-3
    Random random(static_cast<std::uint64_t>(std::atoll(argv[6])));
    for (int rank = 0; rank < ranks; ++rank)
        s4u::Actor::create("rank", s4u::Host::by_name("host" + std::to_string(rank)),
                           Rank(*graph, rank, latest_entry_s * random.uniform()));
    engine.run();
    std::printf("%.6f\n", s4u::Engine::get_clock());
    return 0;
}
