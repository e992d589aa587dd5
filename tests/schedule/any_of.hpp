// SPDX-License-Identifier: BSD-3-Clause
// Numbers for properties.
#pragma once

#include <rapidcheck.h>

namespace alltold::test {

/// From `from` to before `end`, as likely large as small from the first case on.
template <typename Number>
rc::Gen<Number> any_of(Number from, Number end) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, end));
}

} // namespace alltold::test
