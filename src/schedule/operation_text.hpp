// SPDX-License-Identifier: BSD-3-Clause
// Operations as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schedule/schedule.hpp"

namespace alltold {

/// "send", "receive", "signal", "await", "copy", "join"
std::string_view name_of(Kind kind);
/// And back.
std::optional<Kind> kind_named(std::string_view name);

/// "send", "receive", "scratch"
std::string_view name_of(Buffer buffer);

/// "send scratch[0..9] to 3", "await signal of 2", "copy send[0..9] to receive[0..9]"
std::string text_of(const Operation& operation);

} // namespace alltold
