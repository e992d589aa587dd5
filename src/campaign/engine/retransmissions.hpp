// SPDX-License-Identifier: BSD-3-Clause
// How many TCP segments a host has retransmitted, as its system counts them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace alltold::campaign {

/// RetransSegs of "Tcp" in the text of /proc/net/snmp (tcpRetransSegs of RFC 4022); empty if the
/// text has none.
std::optional<std::uint64_t> retransmitted_in(std::string_view snmp);

/// Reads this host's counter. It counts all connections of the host, not only those of MPI.
class RetransmissionCounter {
  public:
    RetransmissionCounter();
    RetransmissionCounter(const RetransmissionCounter&) = delete;
    RetransmissionCounter& operator=(const RetransmissionCounter&) = delete;
    ~RetransmissionCounter();

    /// Segments since the host started; empty where the system does not tell.
    std::optional<std::uint64_t> read() const;

  private:
    int file_; ///< open, since opening takes longer than reading; -1: it could not be opened
};

} // namespace alltold::campaign
