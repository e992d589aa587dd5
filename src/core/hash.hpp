// SPDX-License-Identifier: BSD-3-Clause
// A hash that is the same on every machine and in every run.
#pragma once

#include <cstdint>
#include <string_view>

namespace alltold {

/// FNV-1a, 64 bits (Fowler, Noll and Vo), of a sequence of texts.
class Hash {
  public:
    void add(std::string_view text) {
        for (const char c : text)
            mix(static_cast<unsigned char>(c));
        mix(256); // marks the end of a text
    }
    std::uint64_t value() const { return value_; }

  private:
    void mix(std::uint64_t byte) { value_ = (value_ ^ byte) * 1099511628211U; }
    std::uint64_t value_ = 14695981039346656037U;
};

} // namespace alltold
