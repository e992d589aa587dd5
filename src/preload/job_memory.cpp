// SPDX-License-Identifier: BSD-3-Clause
// Lines gathered by rank 0.
#include "preload/job_memory.hpp"

#include <ctime>
#include <numeric>

#include <fmt/format.h>
#include <mpi.h>

#include "core/text.hpp"
#include "preload/functions.hpp"
#include "preload/observer.hpp"
#include "preload/process.hpp"
#include "site/give_back.hpp"

namespace alltold::preload {
namespace {

/// Those of all ranks, on rank 0.
std::string gathered_lines(const std::string& mine) {
    const auto ranks = static_cast<std::size_t>(world_size());
    int length = static_cast<int>(mine.size());
    std::vector<int> lengths(ranks), from(ranks);
    library().gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::exclusive_scan(lengths.begin(), lengths.end(), from.begin(), 0);
    std::string all;
    if (world_rank() == 0)
        all.resize(static_cast<std::size_t>(from.back() + lengths.back()));
    PMPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), from.data(), MPI_CHAR,
                 0, MPI_COMM_WORLD);
    return all;
}

} // namespace

JobMemory::JobMemory(const SiteOfJob& site) : file_(site.learned.name), library_(site.library) {
    earlier_.read(site.learned.text);
}

JobMemory::Earlier JobMemory::find(Collective collective, std::uint64_t size_bytes,
                                   const Clusters& layout) const {
    if (const auto* const same = earlier_.find(library_, collective, size_bytes, layout.text()))
        return {same, true};
    return {earlier_.find_like(library_, collective, size_bytes, layout), false};
}

void JobMemory::add(site::LearnedShape shape) {
    shape.library = library_;
    shape.version = ALLTOLD_VERSION;
    shape.time_s = std::time(nullptr);
    const std::lock_guard lock(adding_);
    mine_.add(std::move(shape));
}

void JobMemory::give_back() {
    site::Learned all;
    all.read(gathered_lines(mine_.text()));
    if (world_rank() != 0 || all.empty())
        return;
    std::vector<site::LearnedShape> shapes;
    for (const auto* shape : all.shapes()) {
        shapes.push_back(*shape);
        shapes.back().jobs = 1; // several communicators of one layout are one job
    }
    const auto kept = site::give_back(file_, shapes);
    if (!kept)
        say(fmt::format("alltold: {}\n", kept.error().message));
    else if (observes())
        say(fmt::format("alltold: {}: {} of {} shapes of calls\n", file_,
                        *kept == site::Kept::yes ? "keeps what blocks showed"
                                                 : "may not be written, so it does not keep what "
                                                   "blocks showed",
                        shapes.size()));
}

} // namespace alltold::preload
