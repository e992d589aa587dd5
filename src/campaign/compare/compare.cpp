// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/compare/compare.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "campaign/engine/engine.hpp"
#include "campaign/policies/comparison.hpp"
#include "campaign/study/links_truth.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "lab/state.hpp"

namespace alltold::campaign {
Result<std::optional<LinkNetwork>> find_lab_links() {
    const char* file = std::getenv("ALLTOLD_LAB_TRUTH");
    if (!file)
        return std::optional<LinkNetwork>();
    ALLTOLD_TRY(links, built_links(file));
    return std::optional(std::move(*links));
}

Result<Physics> find_physics(const std::string& goodput, const Network* network,
                             const std::string& profile, const Clusters& clusters) {
    if (!goodput.empty()) {
        ALLTOLD_TRY(rate, in_context("--goodput", parse_rate(goodput)));
        return Physics{*rate / 8, {}, "--goodput"};
    }
    if (!network)
        return Physics{0, {}, "link rates unknown; give --goodput or --profile"};
    const auto rates = port_rates(*network, clusters);
    if (!rates)
        return bad_input(fmt::format("{}: has neither links nor beta, so bounds are unknown; "
                                     "fit it from a campaign with ping-pongs or trains, or give "
                                     "--goodput",
                                     profile));
    return Physics{*rates, backbone_of(*network, clusters),
                   profile.empty()  ? "the lab's truth"
                   : network->links ? "the port's goodput in " + profile
                                    : "1/beta of " + profile};
}

std::optional<double> bound_s(const Specification& specification, const Clusters& clusters,
                              const Physics& physics, std::optional<double> loop_work_s) {
    const auto& [goodput, backbone, source] = physics;
    if (goodput.lowest(clusters.count()) <= 0 || specification.ranks() < 2)
        return std::nullopt;
    return loop_work_s ? period_bound_s(specification, clusters, goodput, backbone, *loop_work_s)
                       : collective_bound_s(specification, clusters, goodput, backbone);
}

namespace {

Result<Matrix> matrix_of_file(const std::string& file, const mpi::ManagedCommunicator& world,
                              std::uint64_t& largest_bytes) {
    Result<std::string> text = std::string();
    if (world.rank() == 0)
        text = read_text_file(file, what_matrix_takes, most_data_bytes);
    ALLTOLD_TRY_DONE(mpi::agree(world, text ? Status(Done{}) : text.error()));
    text = world.broadcast_text(*text);
    if (!text)
        return text.error();
    return parse_matrix(*text, file, world.size(), largest_bytes);
}

/// MPI_Alltoallv takes displacements as ints.
Status check_fits(const ComparisonRequest& request, const mpi::ManagedCommunicator& world) {
    const auto size_bytes = std::ranges::max(request.sizes_bytes);
    const auto largest = request.specification(size_bytes);
    for (int rank = 0; rank < world.size(); ++rank)
        for (const auto buffer : {Buffer::send, Buffer::receive})
            if (largest.buffer_bytes(rank, buffer) >
                static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
                return bad_input(fmt::format(
                    "-m: with {} rank {} has more than 2 GiB, which MPI_Alltoallv cannot count",
                    format_size_word(size_bytes), rank));
    return Done{};
}

} // namespace

std::optional<Drops> dropped_so_far() {
    if (!std::getenv("ALLTOLD_LAB"))
        return std::nullopt;
    const auto counters = lab::read_counters();
    if (!counters)
        return std::nullopt;
    Drops drops;
    for (const auto& port : (*counters)["ports"])
        drops.ports += port["drops"].get<std::uint64_t>();
    if (counters->contains("backbone"))
        for (const auto& cluster : (*counters)["backbone"])
            for (const auto& way : cluster)
                drops.backbone += way["drops"].get<std::uint64_t>();
    return drops;
}

Specification ComparisonRequest::specification(std::uint64_t size_bytes) const {
    if (collective == Collective::alltoallv)
        return matrix->specification(clusters.ranks(), size_bytes);
    return Specification::of(collective, clusters.ranks(), root, size_bytes);
}

const Entry& ComparisonOutcome::entry(int candidate, std::uint64_t size_bytes) const {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) {
        return one.candidate == candidate && one.size_bytes == size_bytes;
    });
    assert(found != entries.end());
    return *found;
}

Result<std::optional<ComparisonOutcome>> compare(const Arrangement& arrangement,
                                                 const ComparisonRequest& request) {
    SessionOptions options{.start_mode = request.start_mode,
                           .seed = request.seed,
                           .watchdog_s = request.watchdog_s,
                           .smaller = "run smaller sizes with -m"};
    options.extras.matrix = request.matrix;
    for (const auto& candidate : request.candidates)
        if (candidate.choice.algorithm)
            options.extras.algorithms.push_back(candidate.choice);
    std::optional<ComparisonOutcome> outcome;
    const auto ran = with_engine(arrangement, options, [&](Engine& engine) -> Status {
        ALLTOLD_TRY(entries, Comparison::entries_of(request));
        Comparison comparison(request, std::move(*entries));
        ALLTOLD_TRY_DONE(engine.run(comparison));
        outcome = comparison.outcome();
        outcome->hosts = arrangement.hosts;
        return Done{};
    });
    if (!ran)
        return ran.error();
    return outcome;
}

Status read_matrix(const std::string& word, const mpi::ManagedCommunicator& world,
                   ComparisonRequest& request) {
    std::uint64_t largest_bytes = 0;
    ALLTOLD_TRY_INTO(request.matrix, is_generated_matrix(word)
                                         ? generated_matrix(word, world.size(), request.seed)
                                         : matrix_of_file(word, world, largest_bytes));
    if (request.sizes_bytes.empty())
        request.sizes_bytes = {largest_bytes};
    return check_fits(request, world);
}

} // namespace alltold::campaign
