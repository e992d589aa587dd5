// SPDX-License-Identifier: BSD-3-Clause
// The start_mode, then the collective against the local clock.
#include "campaign/led.hpp"

namespace alltold::measure {

Status play_led(StartMode start_mode, const play::Player& player,
                const Specification& specification, const play::Buffers& buffers,
                const Clock& clock, double& took_s) {
    if (start_mode == StartMode::barrier)
        if (auto met = player.meet(); !met)
            return met;
    if (start_mode == StartMode::back_to_back)
        if (auto played = player.play(specification, buffers); !played)
            return played;
    const double began_s = clock.now_s();
    auto played = player.play(specification, buffers);
    took_s = clock.now_s() - began_s;
    return played;
}

} // namespace alltold::measure
