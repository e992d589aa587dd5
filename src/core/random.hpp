// SPDX-License-Identifier: BSD-3-Clause
// Seeded random numbers that are the same with every standard library.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace alltold {

/// A 64-bit Mersenne twister; the engine is fixed by the standard, the distributions here are ours,
/// since the library's differ between implementations.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

    /// Uniform in 0..count-1, count >= 1 and far below 2^53.
    std::size_t index(std::size_t count) {
        assert(count >= 1);
        return static_cast<std::size_t>(uniform() * static_cast<double>(count));
    }

    /// Standard normal, by Box and Muller.
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace alltold
