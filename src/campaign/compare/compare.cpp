// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/compare/compare.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "campaign/engine/engine.hpp"
#include "campaign/policies/comparison.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "lab/state.hpp"

namespace alltold::campaign {
namespace {

Result<Physics> of_network(const Network& network, const std::string& file,
                           const Clusters& clusters) {
    const auto goodput = port_rates(network, clusters);
    if (!goodput)
        return bad_input(fmt::format("{}: has neither links nor beta, so bounds are unknown; "
                                     "fit it from a campaign with ping-pongs or trains, or give "
                                     "--goodput",
                                     file));
    return Physics{*goodput, backbone_of(network, clusters),
                   (network.links ? "the port's goodput in " : "1/beta of ") + file};
}

Link link_of(JsonCursor& wan) {
    return {wan.member("goodput_byte_per_s").number({"bytes per second", 0, true}),
            wan.member("one_way_delay_s").number({"seconds", 0}),
            wan.member("queue_bytes").number({"bytes", 0})};
}

/// Of all pairs of clusters, in the order of LinkNetwork::path_index.
std::vector<Link> paths_of(JsonCursor own, const Link& star, int clusters) {
    const auto pairs = static_cast<std::size_t>(clusters * (clusters - 1) / 2);
    std::vector<Link> paths(pairs, star);
    for (auto& item : own.items()) {
        std::vector<int> pair;
        auto named = item.member("clusters");
        for (auto& one : named.items())
            pair.push_back(one.whole_number(0));
        if (pair.size() != 2 || pair[0] == pair[1] ||
            LinkNetwork::path_index(pair[0], pair[1]) >= pairs)
            named.complain("no pair of the lab's clusters");
        else
            paths[LinkNetwork::path_index(pair[0], pair[1])] = link_of(item);
    }
    return paths;
}

Result<LinkNetwork> links_of_lab(const char* file) {
    ALLTOLD_TRY(text, read_text_file(file, "the truth file of the lab (ALLTOLD_LAB_TRUTH)"));
    auto truth = JsonCursor::parse(*text, file);
    const auto rate = [](JsonCursor nic) {
        return nic.member("goodput_byte_per_s").number({"bytes per second", 0, true});
    };
    LinkNetwork links;
    links.port.queue_bytes =
        truth.member("switch").member("port_buffer_bytes").number({"bytes", 0});
    auto nic = truth.member("nic");
    links.port.goodput_bytes_per_s = rate(nic);
    Clusters all{{1}};
    const auto read_clusters = [&] {
        truth.member("clusters").take(Clusters::parse(truth.member("clusters").text()), all);
        links.of_clusters = all;
    };
    if (auto own = nic.optional_member("of_clusters")) {
        read_clusters();
        for (auto& item : own->items()) {
            links.ports.push_back(links.port);
            links.ports.back().goodput_bytes_per_s = rate(item);
        }
    }
    if (auto wan = truth.optional_member("wan")) {
        links.backbone = link_of(*wan);
        if (auto own = wan->optional_member("of_pairs")) {
            read_clusters();
            links.paths = paths_of(std::move(*own), *links.backbone, all.count());
        }
    }
    if (truth.error())
        return *truth.error();
    return links;
}

} // namespace

Result<std::optional<LinkNetwork>> find_lab_links() {
    if (const char* file = std::getenv("ALLTOLD_LAB_TRUTH")) {
        ALLTOLD_TRY(links, links_of_lab(file));
        return std::optional(std::move(*links));
    }
    return std::optional<LinkNetwork>();
}

Result<Physics> find_physics(const std::string& goodput, const Profile* profile,
                             const std::string& file, const Clusters& clusters) {
    if (!goodput.empty()) {
        ALLTOLD_TRY(rate, in_context("--goodput", parse_rate(goodput)));
        return Physics{*rate / 8, {}, "--goodput"};
    }
    if (profile)
        return of_network(profile->network, file, clusters);
    if (const char* truth = std::getenv("ALLTOLD_LAB_TRUTH")) {
        ALLTOLD_TRY(links, links_of_lab(truth));
        const auto there = links->on(clusters);
        return Physics{port_rates(there), backbone_of(there), "the lab's truth"};
    }
    return Physics{0, {}, "link rates unknown; give --goodput or --profile"};
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
