// SPDX-License-Identifier: BSD-3-Clause
// A collective run once after what is to come right before it.
#pragma once

#include "campaign/player.hpp"
#include "campaign/timed.hpp"
#include "network/start_mode.hpp"

namespace alltold::measure {

/// What each rank runs from the agreed instant on: what `start_mode` puts right before, untimed,
/// then the collective. `took_s` is how long that kept this rank. Collective over the player's
/// ranks.
Status play_led(StartMode start_mode, const play::Player& player,
                const Specification& specification, const play::Buffers& buffers,
                const Clock& clock, double& took_s);

/// The repetition's time in seconds, where ranks read what play_led told them.
inline double led_time_s(StartMode start_mode, const Timed& timed) {
    return start_mode == StartMode::silence ? timed.time_s() : timed.worst.reading;
}

} // namespace alltold::measure
