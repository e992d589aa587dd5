// SPDX-License-Identifier: BSD-3-Clause
// Follows a selection tree as MPICH's csel.c does: what it does not know ends the program.
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rulefile/json_tree.hpp"
#include "rulefile/lint.hpp"
#include "rulefile/mpich_tree.hpp"

namespace alltold::rulefile {
namespace {

constexpr const char* aborts = "; MPI_Init ends the program";

/// "comm_size<=8" as its name, operator and value.
struct Condition {
    std::string_view name, relation, value;
};

Condition condition_of(std::string_view key) {
    const auto at = key.find_first_of("<=");
    if (at == key.npos)
        return {key, {}, {}};
    const auto length = key.substr(at).starts_with("<=") ? 2u : 1u;
    return {key.substr(0, at), key.substr(at, length), key.substr(at + length)};
}

/// A condition with the words that it takes; none: numbers.
struct Known {
    std::string_view name;
    bool at_most;                        ///< takes <=
    bool below;                          ///< takes <
    std::vector<std::string_view> words; ///< after =
    bool of_call;                        ///< of the call, else of the communicator
};

const std::vector<Known>& known_conditions() {
    static const std::vector<Known> rows{
        {"is_multi_threaded", false, false, {"yes", "no"}, true},
        {"comm_type", false, false, {"intra", "inter"}, false},
        {"comm_size", true, true, {"pow2", "node_comm_size", "any"}, false},
        {"comm_hierarchy", false, false, {"parent", "node_roots", "node", "flat", "any"}, false},
        {"is_node_consecutive", false, false, {"yes", "no"}, false},
        {"comm_avg_ppn", true, true, {"any"}, false},
        {"avg_msg_size", true, true, {"any"}, true},
        {"total_msg_size", true, true, {"any"}, true},
        {"count", true, true, {"any"}, true},
        {"is_sendbuf_inplace", false, false, {"yes", "no"}, true},
        {"is_commutative", false, false, {"yes", "no"}, true},
        {"is_op_built_in", false, false, {"yes", "no"}, true},
        {"is_block_regular", false, false, {"yes", "no"}, true},
    };
    return rows;
}

/// Where a branch is.
struct Place {
    std::string_view collective = {};
    std::string_view comm_type = {};
    bool under_call = false; ///< below a condition on the call
};

class Tree {
  public:
    Tree(const Target& target, Findings& findings) : target_(target), findings_(findings) {}

    void read(const JsonTree& root) {
        branches(root, {});
        const auto defaults = mpich_defaults(target_);
        std::vector<std::string_view> missing;
        for (const auto& branch : defaults.branches)
            if (std::ranges::find(seen_, branch.key) == seen_.end())
                missing.push_back(std::string_view(branch.key).substr(branch.key.find('=') + 1));
        if (missing.empty())
            return;
        const auto count = missing.size();
        if (count > 4)
            missing.resize(4);
        findings_.add(root.line,
                      fmt::format("the file replaces the whole tree, and a call of {}{} ends the "
                                  "program",
                                  fmt::join(missing, ", "),
                                  count > 4 ? fmt::format(" or {} others", count - 4) : ""),
                      "a branch \"collective=...\" for every collective, as `alltold export mpich` "
                      "writes them");
    }

  private:
    /// Reports keys as they come; checks that some branch holds for every call.
    void branches(const JsonTree& object, Place place) {
        if (object.members.empty()) {
            findings_.add(object.line, fmt::format("a branch without an algorithm{}", aborts),
                          "\"algorithm=...\": {}");
            return;
        }
        for (std::size_t i = 0; i < object.members.size(); ++i) {
            const auto& member = object.members[i];
            for (std::size_t j = 0; j < i; ++j)
                if (object.members[j].key == member.key)
                    findings_.add(
                        member.line,
                        fmt::format("\"{}\" again: it replaces the earlier one", member.key),
                        "each condition once");
            if (member.value.kind != JsonTree::Kind::object) {
                findings_.add(member.line, fmt::format("\"{}\" is no object{}", member.key, aborts),
                              "an object, {} below an algorithm");
                continue;
            }
            read_member(object, i, place);
        }
    }

    void read_member(const JsonTree& object, std::size_t i, Place place) {
        const auto& member = object.members[i];
        const auto [name, relation, value] = condition_of(member.key);
        if (name == "algorithm" || name == "composition") {
            algorithm(member, value, place);
            if (i > 0 || object.members.size() > 1)
                findings_.add(member.line, "conditions beside an algorithm are never reached",
                              "the algorithm alone");
            return;
        }
        if (name == "collective") {
            seen_.push_back(member.key);
            if (!mpich_defaults({}).find(member.key))
                findings_.add(member.line,
                              fmt::format("there is no collective '{}'{}", value, aborts),
                              "alltoall, bcast, gather, ...");
            place.collective = value;
            branches(member.value, place);
            return;
        }
        const auto& rows = known_conditions();
        const auto row = std::ranges::find(rows, name, &Known::name);
        if (row == rows.end()) {
            findings_.add(member.line, fmt::format("there is no condition '{}'{}", name, aborts),
                          "comm_type, comm_size, comm_avg_ppn, avg_msg_size, total_msg_size, ...");
            return;
        }
        condition(member, *row, relation, value, place);
        whole(object, i, *row, relation, value);
        if (name == "comm_type")
            place.comm_type = value;
        place.under_call = place.under_call || row->of_call;
        branches(member.value, place);
    }

    void condition(const JsonTree::Member& member, const Known& row, std::string_view relation,
                   std::string_view value, const Place& place) {
        const bool number = relation == "<=" ? row.at_most : relation == "<" && row.below;
        const bool pow2 = row.name == "count" && member.key == "count<pow2";
        if (relation == "=" && std::ranges::find(row.words, value) == row.words.end())
            findings_.add(member.line, fmt::format("'{}' is unknown{}", member.key, aborts),
                          fmt::format("{}= and one of {}{}", row.name, fmt::join(row.words, ", "),
                                      row.at_most ? fmt::format(", or {}<=NUMBER", row.name) : ""));
        else if (relation != "=" && !number)
            findings_.add(member.line, fmt::format("'{}' is unknown{}", member.key, aborts),
                          fmt::format("{}= and one of {}", row.name, fmt::join(row.words, ", ")));
        else if (relation != "=" && !pow2)
            threshold(member, value);
        if (row.name == "comm_size" && relation == "<" && place.under_call)
            findings_.add(member.line,
                          fmt::format("below a condition on the call '{}' also holds for {} ranks",
                                      member.key, value),
                          "<= and one less");
        if (row.name == "avg_msg_size" && !place.collective.empty()) {
            constexpr std::array<std::string_view, 8> sized{"alltoall",  "bcast",     "reduce",
                                                            "allreduce", "ialltoall", "ibcast",
                                                            "ireduce",   "iallreduce"};
            if (std::ranges::find(sized, place.collective) == sized.end())
                findings_.add(member.line,
                              fmt::format("avg_msg_size is not defined for {}; its first call ends "
                                          "the program",
                                          place.collective),
                              "total_msg_size");
        }
        if (row.name == "total_msg_size" && relation != "=" && place.comm_type != "inter" &&
            (place.collective.ends_with("gather") || place.collective.ends_with("scatter")) &&
            (place.collective.size() <= 8 && !place.collective.starts_with("all") &&
             !place.collective.starts_with("iall")))
            findings_.add(member.line,
                          fmt::format("total_msg_size of {} is its count times ranks, without the "
                                      "size of the datatype",
                                      place.collective),
                          "no size condition, or one in elements for a single datatype");
    }

    void threshold(const JsonTree::Member& member, std::string_view value) {
        std::uint64_t number = 0;
        const auto end = value.data() + value.size();
        const auto read = std::from_chars(value.data(), end, number);
        if (read.ec == std::errc::invalid_argument || read.ptr != end)
            findings_.add(
                member.line,
                fmt::format("'{}' is read up to its first character that is no digit", member.key),
                "a whole number");
        else if (read.ec != std::errc() ||
                 number > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
            findings_.add(member.line, fmt::format("'{}' overflows an int", member.key),
                          fmt::format("at most {}", std::numeric_limits<int>::max()));
    }

    /// The last branch must hold for the rest, and nothing may follow one that always holds.
    void whole(const JsonTree& object, std::size_t i, const Known& row, std::string_view relation,
               std::string_view value) {
        const auto& member = object.members[i];
        const bool last = i + 1 == object.members.size();
        const bool any = relation == "=" && value == "any";
        if (any && !last)
            findings_.add(object.members[i + 1].line,
                          fmt::format("never reached, behind '{}'{}", member.key, aborts),
                          fmt::format("'{}' as the last branch", member.key));
        if (!last || any)
            return;
        std::string other;
        if (row.words.size() == 2 && relation == "=")
            other = fmt::format("{}={}", row.name, row.words[value == row.words[0] ? 1 : 0]);
        const bool rest = !other.empty() && std::ranges::any_of(object.members, [&](const auto& m) {
            return m.key == other;
        });
        // Only collectives without a form for intercommunicators do without that branch.
        if (rest || (row.name == "comm_type" && value == "intra"))
            return;
        findings_.add(
            member.line,
            fmt::format("no branch holds where '{}' does not; such a call ends the program",
                        member.key),
            other.empty() ? fmt::format("'{}=any' as the last branch", row.name)
                          : fmt::format("'{}' as well", other));
    }

    void algorithm(const JsonTree::Member& member, std::string_view name, const Place& place) {
        if (place.collective.empty())
            return;
        const auto prefix = mpich_prefix(place.collective);
        const bool known = mpich_has(name, target_);
        const bool fits =
            name.starts_with(prefix) && (name.substr(prefix.size()).starts_with("intra_") ||
                                         name.substr(prefix.size()).starts_with("inter_") ||
                                         name.substr(prefix.size()).starts_with("allcomm_"));
        if (!known || !fits)
            findings_.add(member.line,
                          known
                              ? fmt::format("{} is no algorithm of {}; its first call ends the "
                                            "program",
                                            name, place.collective)
                              : fmt::format("{} has no algorithm {}{}",
                                            target_.major ? target_.text() : "MPICH", name, aborts),
                          fmt::format("one that begins with {}{}_", prefix,
                                      place.comm_type.empty() ? "intra" : place.comm_type));
        // MPICH's own tree has a scan for intercommunicators, which no call reaches.
        else if (!place.comm_type.empty() && place.collective != "scan" &&
                 name.substr(prefix.size())
                     .starts_with(place.comm_type == "intra" ? "inter_" : "intra_"))
            findings_.add(member.line,
                          fmt::format("{} does not run on communicators of comm_type={}", name,
                                      place.comm_type),
                          fmt::format("one that begins with {}{}_", prefix, place.comm_type));
    }

    const Target& target_;
    Findings& findings_;
    std::vector<std::string> seen_;
};

} // namespace

void lint_mpich(std::string_view text, const Target& target, Findings& findings) {
    int line = 1;
    const auto tree = read_json(text, line);
    if (!tree) {
        findings.add(line,
                     fmt::format("no JSON: {}; MPI_Init does not survive it", tree.error().message),
                     "valid JSON");
        return;
    }
    Tree(target, findings).read(*tree);
}

} // namespace alltold::rulefile
