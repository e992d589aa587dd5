// SPDX-License-Identifier: BSD-3-Clause
// Keywords in a launcher's host file that say which host is in which cluster, and patterns of host
// names.
#pragma once

#include <span>
#include <vector>

#include "core/result.hpp"

namespace alltold {

/// Whether a pattern names the host. '*' stands for any characters, '?' for one, "[1-400,500]" for
/// a whole number in one of these ranges and "[1-]" for one from 1 on; leading zeros do not matter.
/// Without any of these it is a name. Where pattern or name is without a domain, both are compared
/// up to the first dot.
bool names_host(std::string_view pattern, std::string_view host);

/// Fails for brackets that do not hold ranges of numbers, with what would be right.
Status check_host_pattern(std::string_view pattern);

/// Whether two names mean one host: equal, or, where one is without a domain, equal up to the first
/// dot.
bool same_host(std::string_view a, std::string_view b);

/// The clusters named in a host file (Jeannot and Steffenel 2007 list keywords in the machine file
/// among the ways in which a rank learns its cluster). The keywords are comments to the launchers
/// of Open MPI and MPICH, so that one file serves both:
///
///     # cluster: nancy
///     n1 slots=2
///     n2 slots=2
///     r1 slots=2   # cluster: rennes
///
/// A comment on its own line applies to all hosts below it, one after a host to that host. '='
/// works as well as ':'. A name may be a pattern (names_host); the first one that fits counts.
class HostFile {
  public:
    /// Reads `text`; `name` is the file's, for errors. Fails, naming file and line, for a keyword
    /// without a name or with more than one word, for a host in two clusters and, where any host is
    /// in a cluster, for one in none.
    static Result<HostFile> parse(std::string_view text, std::string name);

    /// Whether no host is in a cluster.
    bool silent() const;
    /// Whether a name or pattern of the file fits.
    bool names(std::string_view host) const { return find(host) != nullptr; }
    /// Fails, naming file and line, for a pattern that is none.
    Status check_patterns() const;
    /// The cluster of each of `hosts`, numbered by appearance there. Fails, naming file and host,
    /// for a host that is not in the file.
    Result<std::vector<int>> clusters_of(std::span<const std::string> hosts) const;

  private:
    struct Host {
        std::string name;
        std::string cluster;
        int line = 0;
    };
    const Host* find(std::string_view host) const;

    std::string file_;
    std::vector<Host> hosts_;
};

} // namespace alltold
