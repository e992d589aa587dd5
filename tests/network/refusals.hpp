// SPDX-License-Identifier: BSD-3-Clause
// What a fit says when it refuses.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "core/result.hpp"

template <typename Fit>
std::string refusal(const alltold::Result<Fit>& fit) {
    if (fit)
        return "it was fitted";
    EXPECT_EQ(fit.error().status, alltold::ExitStatus::no);
    return fit.error().message;
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
