// SPDX-License-Identifier: BSD-3-Clause
// Rates from options, profiles and labs; bounds of the four collectives.
#include "compare/physics.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/units.hpp"
#include "store/json_cursor.hpp"
#include "store/profile.hpp"
#include "store/text_file.hpp"

namespace alltold::compare {
namespace {

Result<Physics> of_profile(const std::string& name) {
    const auto profile = load_profile(name);
    if (!profile)
        return profile.error();
    if (!profile->local)
        return bad_input(fmt::format("{}: has no local beta, which bounds need; fit it from a "
                                     "campaign with ping-pongs, or give --goodput",
                                     name));
    return Physics{1 / profile->local->beta_s_per_byte.value, {}, "1/beta of " + name};
}

/// What the lab was built with: exact, and the backbone too.
Result<Physics> of_lab(const char* file) {
    const auto text = read_text_file(file, "the truth file of the lab (ALLTOLD_LAB_TRUTH)");
    if (!text)
        return text.error();
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

/// Which rank's bytes must reach which, for the collectives that make no copies.
MessageDigraph messages_of(const Specification& specification) {
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    if (specification.collective() == Collective::alltoall)
        return MessageDigraph::uniform(specification.ranks(), size_bytes);
    MessageDigraph messages(specification.ranks());
    const int root = specification.root();
    for (int rank = 0; rank < specification.ranks(); ++rank)
        if (rank != root && specification.collective() == Collective::scatter)
            messages.add({root, rank, size_bytes});
        else if (rank != root)
            messages.add({rank, root, size_bytes});
    return messages;
}

} // namespace

Result<Physics> find_physics(const std::string& goodput, const std::string& profile) {
    if (!goodput.empty()) {
        const auto rate = parse_rate(goodput);
        if (!rate)
            return bad_input(fmt::format("--goodput: {}", rate.error().message));
        return Physics{*rate / 8, {}, "--goodput"};
    }
    if (!profile.empty())
        return of_profile(profile);
    if (const char* file = std::getenv("ALLTOLD_LAB_TRUTH"))
        return of_lab(file);
    return Physics{0, {}, "no --goodput or --profile says what the links can carry"};
}

std::optional<double> bound_s(const Specification& specification, const Clusters& clusters,
                              const Physics& physics) {
    if (physics.goodput_bytes_per_s <= 0 || specification.ranks() < 2)
        return std::nullopt;
    const bool crosses = physics.backbone && clusters.count() > 1;
    if (specification.collective() == Collective::bcast) {
        // Every other host must receive the block once, every other cluster too.
        const auto size_bytes = static_cast<double>(specification.size_bytes());
        const double nic_s = size_bytes / physics.goodput_bytes_per_s;
        return crosses ? std::max(nic_s, size_bytes / physics.backbone->goodput_bytes_per_s +
                                             physics.backbone->latency_s)
                       : nic_s;
    }
    const auto messages = messages_of(specification);
    const double nic_s = nic_bound_s(messages, physics.goodput_bytes_per_s);
    return crosses ? std::max(nic_s, wan_bound_s(messages, clusters, *physics.backbone)) : nic_s;
}

} // namespace alltold::compare
