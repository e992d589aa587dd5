// SPDX-License-Identifier: BSD-3-Clause
// A command line with something wrong in it, and what alltold is to say.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../scratch.hpp"

namespace alltold::test {

inline constexpr int no = 1, bad = 2, environment_cannot = 3;

struct Case {
    const char* name;
    std::vector<std::string> arguments;
    int exit_status;
    const char* pattern; ///< of the one line, after "alltold: "
    bool as_nobody = false;
};

inline std::ostream& operator<<(std::ostream& out, const Case& row) {
    return out << row.name;
}

class BadInput : public testing::TestWithParam<Case> {
  protected:
    /// Makes files that are good, and files that are bad in every way we know, for commands to run
    /// beside: good.db, truncated.json, ...
    static void SetUpTestSuite();
    static void TearDownTestSuite() { folder.reset(); }
    static std::optional<Scratch> folder;
};

inline std::string name_of(const testing::TestParamInfo<Case>& row) {
    return row.param.name;
}

} // namespace alltold::test
