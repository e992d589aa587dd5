// SPDX-License-Identifier: BSD-3-Clause
// The distribution of Mann and Whitney's statistic by recursion.
#include "core/rank_sum.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace alltold {

double rank_sum_chance(std::span<const double> small, std::span<const double> large) {
    const auto rows = small.size(), columns = large.size();
    if (rows == 0 || columns == 0)
        return 1;
    double above = 0; // pairs in which the one of `small` is the larger
    for (const double one : small)
        for (const double other : large)
            above += one > other ? 1 : one == other ? 0.5 : 0;
    // chance[j][u]: of u such pairs among i of `small` and j of `large`, for growing i.
    const auto pairs = rows * columns;
    std::vector<std::vector<double>> chance(columns + 1, std::vector<double>(pairs + 1, 0));
    for (auto& one : chance)
        one[0] = 1;
    for (std::size_t i = 1; i <= rows; ++i)
        for (std::size_t j = 1; j <= columns; ++j) {
            // The largest of all is one of `small`, above all j, or one of `large`.
            std::vector<double> both(pairs + 1, 0);
            const double share = static_cast<double>(i) / static_cast<double>(i + j);
            for (std::size_t u = 0; u <= pairs; ++u)
                both[u] = share * (u >= j ? chance[j][u - j] : 0) + (1 - share) * chance[j - 1][u];
            chance[j] = std::move(both);
        }
    double sum = 0;
    for (std::size_t u = 0; u <= static_cast<std::size_t>(std::ceil(above)); ++u)
        sum += chance[columns][u];
    return sum;
}

} // namespace alltold
