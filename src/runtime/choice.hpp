// SPDX-License-Identifier: BSD-3-Clause
// What a communicator runs for each collective by default.
#pragma once

#include "predict/choice.hpp"

namespace alltold {

/// The default choice for each collective.
Choice default_choice(Collective collective);

} // namespace alltold
