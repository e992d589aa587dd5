// SPDX-License-Identifier: BSD-3-Clause
// What a communicator runs for each collective while its caller chooses nothing.
#pragma once

#include "predict/choice.hpp"

namespace alltold {

/// What each collective runs while nothing else was chosen.
Choice default_choice(Collective collective);

} // namespace alltold
