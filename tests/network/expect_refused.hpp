// SPDX-License-Identifier: BSD-3-Clause
// What is worthless is refused, with its reason.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "core/result.hpp"

namespace alltold::test {

template <typename Fit>
void expect_refused(const Result<Fit>& fit, std::string_view reason) {
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().status, ExitStatus::no);
    EXPECT_NE(fit.error().message.find(reason), std::string::npos) << fit.error().message;
}

} // namespace alltold::test
