// SPDX-License-Identifier: BSD-3-Clause
// The library's own all-to-all.
#include "measure/probes/alltoall.hpp"

#include "measure/plan.hpp"
#include "measure/visits.hpp"
#include "mpi/error.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;

Result<std::vector<Point>> plan(const Clusters& world, const Wishes& wishes) {
    std::vector<Point> points;
    const auto sizes = sizes_or(wishes, {1, 64, 256, 1 * ki, 2 * ki, 4 * ki, 8 * ki, 16 * ki,
                                         32 * ki, 64 * ki, 128 * ki, 256 * ki});
    for (const auto& subset : subsets_for(world, wishes))
        for (const auto size_bytes : sizes)
            points.push_back({"alltoall", "mpi", subset, size_bytes, -1, -1});
    return points;
}

/// Buffers are touched beforehand, so that no page is mapped while the clock runs.
Status visit(Visit& visit) {
    const auto& over = visit.team.subset(visit.point);
    const auto per_pair = static_cast<int>(visit.point.size_bytes);
    const auto bytes = visit.point.size_bytes * static_cast<std::size_t>(over.size());
    std::vector<char> send(bytes, 's');
    std::vector<char> receive(bytes, 'r');
    return repeat(visit, [&] {
        return mpi::check(MPI_Alltoall(send.data(), per_pair, MPI_BYTE, receive.data(), per_pair,
                                       MPI_BYTE, over.handle()),
                          "MPI_Alltoall");
    });
}

double buffer_bytes(const Point& point) {
    return 2. * point.n() * static_cast<double>(point.size_bytes);
}

} // namespace

Probe alltoall_probe() {
    Probe probe{"alltoall", "collectives", "seconds from an agreed instant to the last finish",
                plan, visit};
    probe.own_communicator = true;
    probe.buffer_bytes = buffer_bytes;
    return probe;
}

} // namespace alltold::measure
