// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms/circulant.hpp"

#include <array>
#include <bit>
#include <cassert>

namespace alltold {
namespace {

/// Which blocks a place receives, round by round, in one run through all skips, as far as the first
/// `wanted` rounds. A place comes to its first block, the number of its baseblock, over a row of
/// falling skips from place 0; the others it gets from places that have them from the run before,
/// and these carry numbers below 0: block b of the run before is b - q.
class ReceiveSchedule {
  public:
    ReceiveSchedule(const std::vector<int>& skip, int place, int wanted)
        : skip_(skip), rounds_(static_cast<int>(skip.size()) - 1), wanted_(wanted),
          target_(skip.back() + place), nearest_(2 * skip.back()) {
        for (int e = 0; e <= rounds_; ++e) {
            next_[index(e)] = e - 1;
            previous_[index(e)] = e + 1;
        }
        base_ = baseblock(place);
        first_ = rounds_;
        unlink(base_);
        search(0, first_);
        assert(found_ == wanted);
    }

    int block(int round) const {
        const int block = blocks_[index(round)];
        return block == rounds_ ? base_ : block - rounds_;
    }

  private:
    static constexpr std::size_t most = 32; ///< rounds and one more: places are counted in ints
    static std::size_t index(int e) { return static_cast<std::size_t>(e); }
    int skip(int e) const { return skip_[index(e)]; }

    int baseblock(int place) const {
        for (int k = rounds_ - 1; k >= 0; --k) {
            if (skip(k) == place)
                return k;
            if (skip(k) < place)
                place -= skip(k);
        }
        return rounds_; // of place 0
    }

    void unlink(int e) {
        const int after = next_[index(e)], before = previous_[index(e)];
        (before > rounds_ ? first_ : next_[index(before)]) = after;
        if (after >= 0)
            previous_[index(after)] = before;
    }

    /// Follows every remaining skip from `here`, largest first, to the places from which the target
    /// can be reached in the next round, each nearer to place 0 than the previous one.
    void search(int here, int e) {
        while (e >= 0 && found_ < wanted_) {
            const int there = here + skip(e);
            if (there <= target_ - skip(found_) && there < nearest_) {
                if (there <= target_ - skip(found_ + 1))
                    search(there, e);
                if (found_ >= wanted_ || here > target_ - skip(found_ + 1))
                    return;
                nearest_ = there;
                blocks_[index(found_++)] = e;
                unlink(e);
            }
            e = next_[index(e)];
        }
    }

    const std::vector<int>& skip_;
    int rounds_;
    int wanted_;
    int target_;  ///< the place, one lap around the ring
    int nearest_; ///< the last place found
    int first_ = 0;
    int base_ = 0;
    std::array<int, most> next_, previous_; ///< remaining skips, in descending order
    std::array<int, most> blocks_;          ///< blocks found
    int found_ = 0;
};

} // namespace

std::vector<int> circulant_skips(int places) {
    const auto q = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(places) - 1U));
    std::vector<int> skip(q + 1, places);
    for (auto k = q; k-- > 0;)
        skip[k] = (skip[k + 1] + 1) / 2;
    return skip;
}

std::vector<CirculantRound> circulant_rounds(int place, int places, std::int64_t blocks) {
    assert(blocks >= 1);
    const auto skip = circulant_skips(places);
    const int q = static_cast<int>(skip.size()) - 1;
    if (q == 0)
        return {};
    const ReceiveSchedule receives(skip, place, q);
    std::vector<int> received, sent;
    for (int k = 0; k < q; ++k) {
        const int to = (place + skip[static_cast<std::size_t>(k)]) % places;
        received.push_back(receives.block(k));
        sent.push_back(ReceiveSchedule(skip, to, k + 1).block(k));
    }

    // Runs of q rounds end with the last round; the first run may lack its beginning.
    const auto rounds = blocks - 1 + q;
    const auto missing = (q - rounds % q) % q;
    std::vector<CirculantRound> result(static_cast<std::size_t>(rounds));
    for (std::int64_t i = 0; i < rounds; ++i) {
        const auto at = i + missing;
        const auto k = static_cast<std::size_t>(at % q);
        // Past the last block it stands for all that would follow.
        const auto block = [&](int of_run) {
            return std::min(of_run + at / q * q - missing, blocks - 1);
        };
        auto& round = result[static_cast<std::size_t>(i)];
        const int to = (place + skip[k]) % places;
        if (block(sent[k]) >= 0)
            round.to = to, round.sent = block(sent[k]);
        if (block(received[k]) >= 0)
            round.from = (place - skip[k] + places) % places, round.received = block(received[k]);
    }
    return result;
}

} // namespace alltold
