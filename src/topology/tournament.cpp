// SPDX-License-Identifier: BSD-3-Clause
// The circle method.
#include "topology/tournament.hpp"

#include <algorithm>

namespace alltold {

std::vector<Round> tournament(std::span<const int> players, std::size_t most_rounds) {
    constexpr int nobody = -1;
    std::vector<int> seats(players.begin(), players.end());
    if (seats.size() % 2 != 0)
        seats.push_back(nobody);
    std::vector<Round> rounds;
    const auto count = std::min(most_rounds, players.size() < 2 ? 0 : seats.size() - 1);
    while (rounds.size() < count) {
        auto& round = rounds.emplace_back();
        for (std::size_t i = 0; i < seats.size() / 2; ++i)
            if (const int first = seats[i], second = seats[seats.size() - 1 - i];
                first != nobody && second != nobody)
                round.push_back({first, second});
        std::rotate(seats.begin() + 1, seats.end() - 1, seats.end());
    }
    return rounds;
}

} // namespace alltold
