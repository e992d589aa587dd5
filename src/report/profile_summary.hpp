// SPDX-License-Identifier: BSD-3-Clause
// A profile as a page of plain text.
#pragma once

#include <string>

#include "store/profile.hpp"

namespace alltold {

/// The networks, the signature, how the models compare, what was refused and assumed; lines end
/// with a newline.
std::string profile_summary(const Profile& profile);

} // namespace alltold
