// SPDX-License-Identifier: BSD-3-Clause
// The main function of every test program: pins the seed of rapidcheck, and fails skipped tests
// where asked.
#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

namespace {

/// A machine that has everything the tests need must skip none: ALLTOLD_NO_SKIPS makes a skip a
/// failure.
class NoSkips : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& test) override {
        if (test.result()->Skipped())
            ADD_FAILURE() << "skipped, and ALLTOLD_NO_SKIPS is set";
    }
};

bool is_set(const char* variable) {
    const char* const value = std::getenv(variable);
    return value && std::string_view(value) != "" && std::string_view(value) != "0";
}

} // namespace

int main(int argc, char** argv) {
    // The same random cases in every run; RC_PARAMS="seed=..." tries others.
    setenv("RC_PARAMS", "seed=20260501", 0);
    testing::InitGoogleTest(&argc, argv);
    if (is_set("ALLTOLD_NO_SKIPS"))
        testing::UnitTest::GetInstance()->listeners().Append(new NoSkips);
    return RUN_ALL_TESTS();
}
