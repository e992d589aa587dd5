// SPDX-License-Identifier: BSD-3-Clause
// The environment and the files it names.
#include "preload/settings.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "alltold_commit.hpp"
#include "core/environment.hpp"
#include "core/hash.hpp"
#include "core/text_file.hpp"
#include "network/json/profile_network.hpp"
#include "preload/log_setting.hpp"
#include "preload/process.hpp"
#include "runtime/environment.hpp"
#include "site/usual_trials.hpp"
#include "topology/clusters.hpp"
#include "topology/host_file.hpp"

namespace alltold::preload {
namespace {

/// Reads the hosts on which the profile was measured, if it names them.
Status read_hosts(JsonCursor root, Settings& settings) {
    auto provenance = root.optional_member("provenance");
    if (!provenance)
        return Done{};
    if (auto hosts = provenance->optional_member("hosts"))
        for (auto& host : hosts->items())
            settings.hosts.push_back(host.text());
    auto sizes = provenance->optional_member("clusters");
    const auto clusters = Clusters::parse(sizes ? sizes->text() : std::string());
    if (root.error())
        return *root.error();
    if (!clusters || static_cast<std::size_t>(clusters->ranks()) != settings.hosts.size())
        settings.hosts.clear(); // a paper's network, or a profile written by hand
    for (int rank = 0; rank < std::ssize(settings.hosts); ++rank)
        settings.cluster_of_host.push_back(clusters->cluster_of(rank));
    const std::set names(settings.hosts.begin(), settings.hosts.end());
    settings.ranks_are_hosts =
        names.size() < settings.hosts.size() && clusters->one_rank_per_host();
    return Done{};
}

Status read_profile(const JsonCursor& root, Settings& settings) {
    settings.profile = root.file();
    auto network = network_of_profile(root);
    if (!network)
        return network.error();
    settings.network = std::make_shared<const Network>(std::move(*network));
    return read_hosts(root, settings);
}

/// The time of another MPI library is not known, so its own runs until blocks show a gain.
std::vector<Rule> as_trials(std::vector<Rule> rules) {
    for (auto& rule : rules) {
        rule.others.insert(rule.others.begin(), {rule.choice, {}, false});
        std::erase_if(rule.others, [](const auto& other) { return !other.choice.algorithm; });
        for (auto& other : rule.others) {
            other.expected = {};
            other.trial = true;
        }
        rule.choice = {};
        rule.expected = {};
    }
    return rules;
}

/// The user's own, and those of `profiles`, which are of `site` if that is not null; of a site
/// without a profile, trials.
Status read_rules(const std::vector<JsonCursor>& profiles, const SiteOfJob* site,
                  Settings& settings, Hash& hash) {
    auto texts = Result(std::vector<mpi::NamedText>());
    if (!profiles.empty() || !variable("ALLTOLD_RULES").empty())
        texts = read_rule_sources(profiles);
    if (!texts)
        return texts.error();
    if (site && profiles.empty())
        texts->push_back({"usual trials", std::string(site::usual_trials)});
    if (texts->empty())
        return Done{};
    for (const auto& source : *texts)
        hash.add(source.text);
    auto rules = parse_rule_sources(*texts);
    if (!rules)
        return rules.error();
    settings.rules = std::move(*rules);
    if (site && site->trials_only) { // the profile's, which come last
        auto sources = *settings.rules;
        sources.back() = as_trials(std::move(sources.back()));
        settings.rules = std::make_shared<const RuleSources>(std::move(sources));
    }
    return Done{};
}

Status read_places(Settings& settings) {
    settings.cluster_sizes = variable("ALLTOLD_CLUSTERS");
    if (settings.cluster_sizes == "auto") // found by probing, which a program has no time for
        settings.cluster_sizes.clear();
    settings.host_file_name = variable("ALLTOLD_HOSTFILE");
    if (settings.host_file_name.empty())
        return Done{};
    auto text =
        read_text_file(settings.host_file_name, "ALLTOLD_HOSTFILE to name a launcher's host file");
    if (!text)
        return text.error();
    settings.host_file = std::move(*text);
    return Done{};
}

void use_site(const SiteOfJob& site, Settings& settings) {
    settings.site = site;
    const auto& clusters = settings.cluster_of_host;
    if (std::ranges::all_of(clusters, [&](int cluster) { return cluster == clusters.front(); }))
        settings.hosts.clear(); // no host needs to be looked up
    if (settings.host_file_name.empty())
        std::tie(settings.host_file_name, settings.host_file) =
            std::tie(site.hosts.name, site.hosts.text);
}

/// `site` is null where the profile is not of one.
Result<Settings> settings_of(const std::vector<mpi::NamedText>& profiles, const SiteOfJob* site) {
    Settings settings;
    Hash hash;
    hash.add(version);
    std::vector<JsonCursor> roots;
    for (const auto& [name, text] : profiles) {
        hash.add(text);
        roots.push_back(profile_root(text, name));
        if (auto read = read_profile(roots.back(), settings); !read)
            return read.error();
    }
    if (auto read = read_rules(roots, site, settings, hash); !read)
        return read.error();
    if (auto read = read_places(settings); !read)
        return read.error();
    if (site)
        use_site(*site, settings);
    const auto compare = variable("ALLTOLD_COMPARE");
    settings.compare = compare == "off"   ? Compare::off
                       : compare == "all" ? Compare::all
                                          : Compare::exact;
    if (settings.site)
        hash.add(settings.site->learned.text);
    // An observer's end is collective, so all ranks must have one or none.
    const auto log_kind = log_setting(variable("ALLTOLD_LOG"), "").kind;
    settings.observe_only = log_kind == LogSetting::Kind::profile;
    for (const auto& text : {settings.cluster_sizes, settings.host_file,
                             fmt::format("compare {}", static_cast<int>(settings.compare)),
                             fmt::format("log {}", static_cast<int>(log_kind))})
        hash.add(text);
    settings.hash = hash.value();
    return settings;
}

} // namespace

const char* const version = ALLTOLD_VERSION " " ALLTOLD_COMMIT;

bool has_settings() {
    return !variable("ALLTOLD_PROFILE").empty() || !variable("ALLTOLD_RULES").empty();
}

Result<Settings> read_settings() {
    const auto profiles = read_profile_text();
    return profiles ? settings_of(*profiles, nullptr) : profiles.error();
}

Result<Settings> read_settings(const SiteOfJob& site) {
    return settings_of(site.profile.name.empty() ? std::vector<mpi::NamedText>()
                                                 : std::vector{site.profile},
                       &site);
}

} // namespace alltold::preload
