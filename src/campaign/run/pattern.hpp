// SPDX-License-Identifier: BSD-3-Clause
// One rank's buffers of a collective, filled so that any byte out of place is seen.
#pragma once

#include <cstddef>
#include <memory>

#include "schedule/specification.hpp"

namespace alltold::campaign {

struct WrongByte {
    enum class Where : int { received, sent, outside } where = Where::received;
    Block block;                ///< of which it should be; unused outside
    std::uint64_t position = 0; ///< in that block
    unsigned char expected = 0;
    unsigned char found = 0;
};

/// "block 3->5, byte 17: 0x2a instead of 0x5c"
std::string text_of(const WrongByte& wrong);

/// Send and receive buffer of one rank. Every byte of a block depends on its source, destination,
/// position and the repetition; the bytes around the buffers are known and must stay.
class Buffers {
  public:
    /// Allocates for `largest` and every smaller size of the same collective at `rank`.
    Buffers(const Specification& largest, int rank);

    /// Writes what the rank holds before `specification` runs for the `repetition`th time.
    void fill(const Specification& specification, std::uint64_t repetition);
    /// The first wrong byte after that run: in the blocks that should have arrived, in the send
    /// buffer, which is only to be read, or within 64 bytes around the buffers.
    std::optional<WrongByte> check(const Specification& specification,
                                   std::uint64_t repetition) const;

    std::byte* send() const { return send_.start(); }
    std::byte* receive() const { return receive_.start(); }

  private:
    /// Memory with known bytes before and behind what is used of it.
    struct Guarded {
        explicit Guarded(std::uint64_t size_bytes);
        std::byte* start() const;
        void guard(std::uint64_t used_bytes) const;
        std::optional<WrongByte> touched(std::uint64_t used_bytes) const;

        std::unique_ptr<std::byte[]> bytes;
    };

    int rank_;
    Guarded send_;
    Guarded receive_;
};

} // namespace alltold::campaign
