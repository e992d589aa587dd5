// SPDX-License-Identifier: BSD-3-Clause
// The published networks; a network of a different kind has its own function.
#pragma once

#include "store/profile.hpp"

namespace alltold {

/// "@fast-ethernet-1999": TW99's table 1, a cluster model and nothing else.
Profile fast_ethernet_1999();

} // namespace alltold
