// SPDX-License-Identifier: BSD-3-Clause
// From rules by clusters, ranks and sizes to bands that a library can tell apart.
#include "rulefile/exported.hpp"

#include <set>

#include <fmt/format.h>

#include "predict/rules/choice_table.hpp"
#include "predict/rules/decision_table.hpp"

namespace alltold::rulefile {
namespace {

/// The numbers of clusters that n ranks, one a host, may lie in.
std::vector<int> shapes_of(const Clusters& hosts, int n) {
    const int largest = std::ranges::max(hosts.sizes());
    std::vector<int> shapes;
    for (int count = 1; count <= std::min(hosts.count(), n); ++count)
        if (count > 1 || n <= largest || hosts.count() == 1)
            shapes.push_back(count);
    return shapes;
}

/// Those whose rules its files can hold and we can write: in MPICH's trees, conditions on the
/// operator would stand between ours.
std::span<const Collective> exported_to(MpiLibrary library) {
    return library == MpiLibrary::open_mpi ? std::span<const Collective>(uniform_collectives)
                                           : std::span<const Collective>(papers_collectives);
}

/// Why Open MPI cannot tell calls of different sizes apart; empty if it can.
std::string_view why_sizes_do_not_count(Collective collective) {
    switch (collective) {
    case Collective::scatter:
    case Collective::gather:
        return "ranks may see different sizes";
    case Collective::scan:
    case Collective::exscan:
        return "rules are looked up by the size of one element times ranks";
    default:
        return {};
    }
}

class Bands {
  public:
    Bands(std::span<const Rule> table, const Clusters& hosts, const Target& target)
        : table_(table), hosts_(hosts), target_(target) {}

    Exported all(int most_ranks) && {
        for (const auto collective : exported_to(target_.library))
            for (int n = 2; n <= most_ranks; ++n)
                add(collective, n, rules_at(collective, n));
        return std::move(exported_);
    }

  private:
    std::vector<ExportedRule> rules_at(Collective collective, int n) {
        std::set<std::uint64_t> sizes{0};
        std::vector<ChoiceTable> shapes;
        const std::vector<std::vector<Rule>> source{{table_.begin(), table_.end()}};
        for (const int count : shapes_of(hosts_, n)) {
            const RankCounts counts(n, count);
            shapes.emplace_back(source, collective, counts);
            for (const auto& rule : table_)
                if (rule.covers(collective, rule.size_bytes.least, counts)) {
                    sizes.insert(rule.size_bytes.least);
                    if (rule.size_bytes.most != Span::endless)
                        sizes.insert(rule.size_bytes.most + 1);
                }
        }
        std::vector<ExportedRule> rules;
        for (const auto size : sizes) {
            auto choice = shapes.front().at(size);
            for (const auto& shape : shapes)
                if (!(shape.at(size) == choice)) {
                    note("one cluster and several need different algorithms at some sizes; the "
                         "library cannot tell them apart and decides itself there");
                    choice = {};
                }
            if (choice.parameters.window > 0 && target_.library == MpiLibrary::open_mpi &&
                !target_.from(6)) {
                note("windows need Open MPI 6; the library decides itself there");
                choice = {};
            }
            if (rules.empty() || !(rules.back().choice == choice))
                rules.push_back({size, choice});
        }
        const auto unseen =
            target_.library == MpiLibrary::open_mpi ? why_sizes_do_not_count(collective) : "";
        if (!unseen.empty() && rules.size() > 1) {
            note(fmt::format("{}: {}, so that only one algorithm for all sizes is safe; none is "
                             "known to be quicker at all of them",
                             name_of(collective), unseen));
            rules = {{}};
        }
        return rules;
    }

    void add(Collective collective, int n, std::vector<ExportedRule> rules) {
        if (std::ranges::all_of(rules, [](const auto& rule) { return rule.choice.is_default(); }))
            return;
        auto& bands = exported_.bands;
        if (!bands.empty() && bands.back().collective == collective &&
            bands.back().to_ranks == n - 1 && bands.back().rules == rules)
            bands.back().to_ranks = n;
        else
            bands.push_back({collective, n, n, std::move(rules)});
    }

    void note(std::string_view text) {
        if (std::ranges::find(exported_.notes, text) == exported_.notes.end())
            exported_.notes.emplace_back(text);
    }

    std::span<const Rule> table_;
    const Clusters& hosts_;
    const Target& target_;
    Exported exported_;
};

} // namespace

Exported exported(std::span<const Rule> table, const Clusters& hosts, const Target& target,
                  int most_ranks) {
    return Bands(table, hosts, target).all(most_ranks);
}

Exported exported(const Network& network, const Clusters& hosts, const Target& target) {
    const int most_ranks = std::max(2, 2 * hosts.ranks());
    const auto table = decision_table(
        network, {.clusters = hosts, .most_ranks = most_ranks, .library = target.library});
    return exported(table, hosts, target, most_ranks);
}

std::string text_of(const Exported& exported, const Target& target) {
    if (target.library == MpiLibrary::mpich)
        return mpich_json(exported, target);
    return target.from(6) ? openmpi_json(exported) : openmpi_classic(exported);
}

std::vector<Setting> settings_for(const Exported& exported, const Target& target,
                                  const std::string& file) {
    if (target.library == MpiLibrary::mpich) {
        std::vector<Setting> settings{{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", file}};
        // Its device would divide a broadcast by nodes before it looks at the tree.
        if (std::ranges::any_of(exported.bands, [](const auto& band) {
                return band.collective == Collective::bcast;
            }))
            settings.push_back({"MPIR_CVAR_BCAST_DEVICE_COLLECTIVE", "0"});
        return settings;
    }
    std::vector<Setting> settings{{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
                                  {"OMPI_MCA_coll_tuned_dynamic_rules_filename", file}};
    // Its priority of 35 would keep tuned's 30 from being asked.
    if (target.from(5))
        settings.push_back({"OMPI_MCA_coll_han_priority", "0"});
    return settings;
}

} // namespace alltold::rulefile
