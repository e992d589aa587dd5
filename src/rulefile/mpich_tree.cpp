// SPDX-License-Identifier: BSD-3-Clause
#include "rulefile/mpich_tree.hpp"

#include <cctype>

#include <fmt/format.h>

namespace alltold::rulefile {
namespace {

/// How the lines of the defaults shorten keys.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> words{{
    {"size", "comm_size"},
    {"level", "comm_hierarchy"},
    {"avg", "avg_msg_size"},
    {"total", "total_msg_size"},
    {"commutative", "is_commutative"},
    {"builtin", "is_op_built_in"},
    {"regular", "is_block_regular"},
    {"inplace", "is_sendbuf_inplace"},
    {"consecutive", "is_node_consecutive"},
    {"count", "count"},
}};

std::string key_of(std::string_view word) {
    if (word == "intra" || word == "inter")
        return fmt::format("comm_type={}", word);
    const auto name = word.substr(0, word.find_first_of("<="));
    for (const auto& [brief, full] : words)
        if (name == brief)
            return fmt::format("{}{}", full, word.substr(name.size()));
    return std::string(word);
}

std::string_view take_word(std::string_view& line) {
    const auto end = std::min(line.find(' '), line.size());
    const auto word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

/// Those that 4.1 added and does not choose by itself, but for the barrier's.
constexpr std::array<std::string_view, 13> new_algorithms{
    "MPIR_Allgather_intra_k_brucks",
    "MPIR_Allgather_intra_recexch_doubling",
    "MPIR_Allgather_intra_recexch_halving",
    "MPIR_Allreduce_intra_k_reduce_scatter_allgather",
    "MPIR_Allreduce_intra_recexch",
    "MPIR_Allreduce_intra_recursive_multiplying",
    "MPIR_Allreduce_intra_ring",
    "MPIR_Allreduce_intra_tree",
    "MPIR_Alltoall_intra_k_brucks",
    "MPIR_Barrier_intra_k_dissemination",
    "MPIR_Barrier_intra_recexch",
    "MPIR_Bcast_intra_pipelined_tree",
    "MPIR_Bcast_intra_tree"};

bool in_defaults(const MpichNode& node, std::string_view key) {
    return node.key == key || std::ranges::any_of(node.branches, [&](const MpichNode& branch) {
               return in_defaults(branch, key);
           });
}

void write(std::string& text, const MpichNode& node, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    text += "{";
    const char* before = "\n";
    for (const auto& branch : node.branches) {
        text += fmt::format("{}{}  \"{}\": ", before, indent, branch.key);
        if (branch.branches.empty())
            text += "{}";
        else
            write(text, branch, depth + 1);
        before = ",\n";
    }
    text += fmt::format("\n{}}}", indent);
}

} // namespace

MpichNode& MpichNode::branch(std::string_view of) {
    const auto found = std::ranges::find(branches, of, &MpichNode::key);
    if (found != branches.end())
        return *found;
    branches.push_back({std::string(of)});
    return branches.back();
}

const MpichNode* MpichNode::find(std::string_view of) const {
    const auto found = std::ranges::find(branches, of, &MpichNode::key);
    return found == branches.end() ? nullptr : &*found;
}

MpichNode mpich_defaults(const Target& target) {
    MpichNode root;
    for (auto rest = mpich_default_lines(); !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        auto line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty())
            continue;
        const auto collective = take_word(line);
        auto* node = &root.branch(fmt::format("collective={}", collective));
        for (auto word = take_word(line); word != "->"; word = take_word(line))
            node = &node->branch(key_of(word));
        node->branch(fmt::format("algorithm={}{}", mpich_prefix(collective), line));
    }
    if (target.from(4, 1)) {
        auto& barrier = root.branch("collective=barrier")
                            .branch("comm_type=intra")
                            .branch("comm_hierarchy=any");
        barrier.branches = {{"algorithm=MPIR_Barrier_intra_k_dissemination", {{"k=2"}}}};
    }
    return root;
}

bool mpich_has(std::string_view algorithm, const Target& target) {
    if (algorithm.starts_with("MPIR_I") || algorithm.ends_with("_allcomm_nb"))
        return true;
    if (std::ranges::find(new_algorithms, algorithm) != new_algorithms.end())
        return !target.before(4, 1);
    if (algorithm == "MPIR_Barrier_intra_dissemination")
        return !target.from(4, 1);
    static const auto defaults = mpich_defaults({});
    return in_defaults(defaults, fmt::format("algorithm={}", algorithm));
}

std::string mpich_prefix(std::string_view collective) {
    auto name = fmt::format("MPIR_{}_", collective);
    name[5] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[5])));
    return name;
}

std::string text_of(const MpichNode& tree) {
    std::string text;
    write(text, tree, 0);
    return text + "\n";
}

} // namespace alltold::rulefile
