// SPDX-License-Identifier: BSD-3-Clause
// Sums over the program's calls by shape: a fixed amount of memory, whatever the program does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "schedule/specification.hpp"

namespace alltold::preload {

/// Calls that are alike: of one collective, on as many ranks, of sizes with as many bits, run
/// alike.
struct CallClass {
    Collective collective = Collective::bcast;
    int ranks = 1;
    int size_bits =
        0; ///< 0: 0 B, a barrier or an all-to-all-v; n: from 2^(n-1) to 2^n - 1 bytes of a block
    int why = 0; ///< Why
    bool nonblocking = false;
    std::string choice; ///< as parse_choice reads it

    auto key() const { return std::tie(collective, ranks, size_bits, why, nonblocking, choice); }
    bool operator<(const CallClass& other) const { return key() < other.key(); }
};

/// The number of bits of a size.
int size_bits_of(Collective collective, std::uint64_t size_bytes);

/// Sums over calls; those of several ranks add up.
struct CallSums {
    double calls = 0;
    double bytes = 0;  ///< a block of each call; for an all-to-all-v, all that the rank sends
    double time_s = 0; ///< within calls

    void add(const CallSums& other) {
        calls += other.calls;
        bytes += other.bytes;
        time_s += other.time_s;
    }
};

/// Sums over blocks of calls that run alike: what they showed; those of several ranks add up.
struct BlockSums {
    double calls = 0;
    double time_s = 0;  ///< wall time, whatever the program did between calls
    double saved_s = 0; ///< less than with the library's own
    double error_s = 0; ///< standard error of saved_s, as if all errors had one sign

    void add(const BlockSums& other) {
        calls += other.calls;
        time_s += other.time_s;
        saved_s += other.saved_s;
        error_s += other.error_s;
    }
};

/// Classes with their sums, at most `most_classes`; calls of further classes are summed up as one.
class CallLog {
  public:
    static constexpr std::size_t most_classes = 256;

    void add(const CallClass& shape, const CallSums& sums);
    /// Whatever their `why`.
    void add_blocks(CallClass shape, const BlockSums& sums);
    /// Null where blocks did not show it.
    const BlockSums* blocks_of(CallClass shape) const;
    /// A rank's time from MPI_Init to MPI_Finalize.
    void add_run(double time_s) { run_s_ += time_s; }
    /// All ranks' times, added up.
    double run_s() const { return run_s_; }
    const std::map<CallClass, CallSums>& classes() const { return classes_; }
    const CallSums& others() const { return others_; }

    /// Lines that read() adds to another log.
    std::string text() const;
    void read(std::string_view text);

  private:
    std::map<CallClass, CallSums> classes_;
    std::map<CallClass, BlockSums> blocks_; ///< `why` is 0; at most as many
    CallSums others_;
    double run_s_ = 0;
};

} // namespace alltold::preload
