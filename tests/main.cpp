// SPDX-License-Identifier: BSD-3-Clause
// The main function of every test program: pins the seed of rapidcheck, and fails skipped tests
// where asked.
#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>
#include <malloc.h>

#include "too_busy.hpp"

namespace {

/// Whether a test was skipped for another reason than the machine's load.
bool lacked_something(const testing::TestResult& result) {
    for (int i = 0; i < result.total_part_count(); ++i) {
        const auto& part = result.GetTestPartResult(i);
        if (part.skipped() && std::string_view(part.message()).find(alltold::test::too_busy) ==
                                  std::string_view::npos)
            return true;
    }
    return false;
}

/// A machine that has everything the tests need must skip none: ALLTOLD_NO_SKIPS makes a skip a
/// failure.
class NoSkips : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& test) override {
        if (lacked_something(*test.result()))
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
    // Freed memory is kept for the next case, as in mpi_launch.
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
    testing::InitGoogleTest(&argc, argv);
    if (is_set("ALLTOLD_NO_SKIPS"))
        testing::UnitTest::GetInstance()->listeners().Append(new NoSkips);
    return RUN_ALL_TESTS();
}
