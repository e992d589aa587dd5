// SPDX-License-Identifier: BSD-3-Clause
// Patterns of host names: one for many hosts.
#pragma once

#include <string_view>

#include "core/result.hpp"

namespace alltold {

/// Whether a pattern names the host. '*' stands for any characters, '?' for one, "[1-400,500]" for
/// a whole number in one of these ranges and "[1-]" for one from 1 on; leading zeros do not matter.
/// Without any of these it is a name. Where pattern or name is without a domain, both are compared
/// up to the first dot.
bool names_host(std::string_view pattern, std::string_view host);

/// Fails for brackets that do not hold ranges of numbers, with what would be right.
Status check_host_pattern(std::string_view pattern);

} // namespace alltold
