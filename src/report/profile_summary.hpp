// SPDX-License-Identifier: BSD-3-Clause
// A profile as plain text.
#pragma once

#include "store/profile.hpp"

namespace alltold {

/// The parameters of all models, how they compare, and what was refused, noted or assumed; ends
/// with a newline.
std::string profile_summary(const Profile& profile);

} // namespace alltold
