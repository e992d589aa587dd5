// SPDX-License-Identifier: BSD-3-Clause
// The published networks, one function where a paper's differs in kind from the others'.
#pragma once

#include "store/profile.hpp"

namespace alltold {

/// "@fast-ethernet-1999": TW99's table 1, a cluster model and nothing else.
Profile fast_ethernet_1999();

} // namespace alltold
