// SPDX-License-Identifier: BSD-3-Clause
// Reading rules.
//
//   rules      = rule { (newline | ";") rule }, blank ones and what follows "#" on a line left out
//   rule       = COLLECTIVE ":" sizes { ":" condition } "=" candidate { "|" candidate }
//   sizes      = "any" | SIZE | [SIZE] "-" [SIZE]    from the first up to, but without, the second
//   condition  = ("n" | "clusters") (">=" | "<=" | ">" | "<" | "=") COUNT
//              | ("n" | "clusters") "=" COUNT "-" COUNT     both ends among them
//              | "one cluster"
//   candidate  = choice { ("silence" | "barrier") "=" RATIO }    its time over the library's own
//   choice     = "mpi" | ALGORITHM { ("segment" | "window" | "inter_cluster_window") "=" NUMBER }
#pragma once

#include "predict/rules/rule.hpp"

namespace alltold {

/// Parses rules; no two may cover the same call. Fails, naming `source`, line and column of the
/// mistake and a correction: an unknown name or condition, an empty range, a parameter that the
/// algorithm does not take or lacks, clusters it cannot run on, an overlap.
Result<std::vector<Rule>> parse_rules(std::string_view text, std::string_view source);

} // namespace alltold
