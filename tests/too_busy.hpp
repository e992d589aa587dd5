// SPDX-License-Identifier: BSD-3-Clause
// The one reason to skip a test that does not count as a failure where all tests must run.
#pragma once

namespace alltold::test {

/// What the message of such a skip says.
inline constexpr const char* too_busy = "the machine was too busy to tell";

} // namespace alltold::test
