// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/compare/physics.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

Result<Physics> of_network(const Network& network, const std::string& file) {
    const auto goodput = port_goodput(network);
    if (!goodput)
        return bad_input(fmt::format("{}: has neither links nor beta, so bounds are unknown; "
                                     "fit it from a campaign with ping-pongs or trains, or give "
                                     "--goodput",
                                     file));
    return Physics{*goodput, backbone_of(network),
                   (network.links ? "the port's goodput in " : "1/beta of ") + file};
}

/// The lab's exact rates, with the backbone.
Result<Physics> of_lab(const char* file) {
    ALLTOLD_TRY(text, read_text_file(file, "the truth file of the lab (ALLTOLD_LAB_TRUTH)"));
    auto truth = JsonCursor::parse(*text, file);
    const auto rate = [](JsonCursor link) {
        return link.member("goodput_byte_per_s").number({"bytes per second", 0, true});
    };
    Physics physics{rate(truth.member("nic")), {}, "the lab's truth"};
    if (auto wan = truth.optional_member("wan"))
        physics.backbone = Backbone{rate(*wan), wan->member("one_way_delay_s").number({"seconds"})};
    if (truth.error())
        return *truth.error();
    return physics;
}

Result<std::optional<LinkNetwork>> links_of_lab(const char* file) {
    ALLTOLD_TRY(text, read_text_file(file, "the truth file of the lab (ALLTOLD_LAB_TRUTH)"));
    auto truth = JsonCursor::parse(*text, file);
    const auto number = [](JsonCursor in, const char* name, const char* unit) {
        return in.member(name).number({unit, 0});
    };
    LinkNetwork links;
    links.port.goodput_bytes_per_s =
        number(truth.member("nic"), "goodput_byte_per_s", "bytes per second");
    links.port.queue_bytes = number(truth.member("switch"), "port_buffer_bytes", "bytes");
    if (auto wan = truth.optional_member("wan"))
        links.backbone =
            Link{number(*wan, "goodput_byte_per_s", "bytes per second"),
                 number(*wan, "one_way_delay_s", "seconds"), number(*wan, "queue_bytes", "bytes")};
    if (truth.error())
        return *truth.error();
    return std::optional(links);
}

} // namespace

Result<std::optional<LinkNetwork>> find_lab_links() {
    if (const char* file = std::getenv("ALLTOLD_LAB_TRUTH"))
        return links_of_lab(file);
    return std::optional<LinkNetwork>();
}

Result<Physics> find_physics(const std::string& goodput, const Profile* profile,
                             const std::string& file) {
    if (!goodput.empty()) {
        ALLTOLD_TRY(rate, in_context("--goodput", parse_rate(goodput)));
        return Physics{*rate / 8, {}, "--goodput"};
    }
    if (profile)
        return of_network(profile->network, file);
    if (const char* truth = std::getenv("ALLTOLD_LAB_TRUTH"))
        return of_lab(truth);
    return Physics{0, {}, "link rates unknown; give --goodput or --profile"};
}

std::optional<double> bound_s(const Specification& specification, const Clusters& clusters,
                              const Physics& physics, std::optional<double> loop_work_s) {
    const auto& [goodput, backbone, source] = physics;
    if (goodput <= 0 || specification.ranks() < 2)
        return std::nullopt;
    return loop_work_s ? period_bound_s(specification, clusters, goodput, backbone, *loop_work_s)
                       : collective_bound_s(specification, clusters, goodput, backbone);
}

} // namespace alltold::campaign
