// SPDX-License-Identifier: BSD-3-Clause
// Options that describe a call: collectives, block sizes (a barrier has none), ranks, parameters of
// algorithms and models; values that are sizes, or lists such as "4,8,12" and "1KiB,64KiB".
#pragma once

#include "cli/subcommand.hpp"
#include "network/cost_model.hpp"
namespace alltold::cli {

/// "bcast, scatter or gather", with `further` words as the last, if any.
std::string listed(std::span<const Collective> collectives, std::string_view further = "");

std::string root_help();

/// The help text of --collective, which takes several and by default the `usual` ones.
std::string collectives_help(std::span<const Collective> usual);

/// Adds --collective, a list such as "bcast,allreduce" of those that have a single block size; each
/// counts once. The default is `usual`.
void add_collectives(CLI::App& subcommand, std::vector<Collective>& collectives,
                     std::span<const Collective> usual);

/// Fails if none of these has blocks, because only those take -m.
Status takes_sizes(std::span<const Collective> collectives);

/// Adds -m, sizes of messages or blocks, in bytes.
void add_sizes(CLI::App& subcommand, std::vector<std::uint64_t>& sizes_bytes,
               const std::string& help);
/// As above, for a subcommand that takes one size.
void add_size(CLI::App& subcommand, std::optional<std::uint64_t>& size_bytes,
              const std::string& help);

/// The sizes of blocks that -m gave; a barrier's are {0}. Fails where -m is missing, and where a
/// barrier has one.
Result<std::vector<std::uint64_t>> block_sizes(Collective collective,
                                               std::vector<std::uint64_t> given);
/// As above, for a subcommand that takes one size.
Result<std::uint64_t> block_size(Collective collective, std::optional<std::uint64_t> given);

/// Adds --segment, --window and --inter-cluster-window, which are at least 1. `otherwise` says in
/// the help what holds where one is not given.
void add_parameters(CLI::App& subcommand, Parameters& parameters,
                    const std::string& otherwise = "");

/// Integers from `least` to `most`. Fails and names `option` and the bad entry.
Result<std::vector<int>> parse_counts(std::string_view option, std::string_view text, int least,
                                      int most);

/// Sizes in bytes, each parsed by parse_size. Fails and names `option` and the bad entry.
Result<std::vector<std::uint64_t>> parse_sizes(std::string_view option, std::string_view text);

/// The values of -m in ascending order, each once, for subcommands that time calls. Fails for more
/// than 1 GiB.
Result<std::vector<std::uint64_t>> sizes_to_time(std::vector<std::uint64_t> sizes_bytes);

/// "model of WHAT (...): NAME (HELP); ...", of the models that are able, the preferred first.
std::string model_help(std::string_view what, bool (CostModel::*able)() const);

/// --clusters as typed. Fails, naming the option.
Result<Clusters> parse_clusters(const std::string& text);

void add_clusters_of_call(CLI::App& subcommand, std::optional<Clusters>& clusters,
                          const std::string& help);

/// The clusters that --clusters gave, or without it one cluster of `n` ranks, `least` or more.
/// Fails, naming the options, where both are missing or contradict each other.
Result<Clusters> asked_clusters(const std::optional<Clusters>& given, std::optional<int> n,
                                int least);

} // namespace alltold::cli
