// SPDX-License-Identifier: BSD-3-Clause
// A fitted profile as a page of plain text.
#pragma once

#include <string>

#include "store/profile.hpp"

namespace alltold {

/// Parameters with their 95 % intervals, rates, leave-one-out errors of the models, whether the
/// network was saturated, and what was refused and why.
std::string fit_text(const Profile& profile);

} // namespace alltold
