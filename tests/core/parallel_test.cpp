// SPDX-License-Identifier: BSD-3-Clause
// Values come in order, and what goes wrong in a thread comes out.
#include "core/parallel.hpp"

#include <stdexcept>

#include <gtest/gtest.h>
#include <pthread.h>

namespace alltold {
namespace {

TEST(Parallel, keeps_the_order) {
    const auto squares = in_parallel(1000, [](std::size_t i) { return i * i; });
    ASSERT_EQ(squares.size(), 1000U);
    for (std::size_t i = 0; i < squares.size(); ++i)
        EXPECT_EQ(squares[i], i * i);
    EXPECT_TRUE(in_parallel(0, [](std::size_t i) { return i; }).empty());
}

TEST(Parallel, lets_exceptions_out) {
    const auto some_fail = [](std::size_t i) -> int {
        if (i == 57)
            throw std::runtime_error("57");
        return 0;
    };
    EXPECT_THROW(in_parallel(100, some_fail), std::runtime_error);
}

TEST(Parallel, goes_on_with_fewer_threads_than_it_wants) {
    pthread_attr_t usual, huge;
    pthread_getattr_default_np(&usual);
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 60); // no thread gets so large a stack
    ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
    const auto squares = in_parallel(10, [](std::size_t i) { return i * i; });
    pthread_setattr_default_np(&usual);
    EXPECT_EQ(squares.back(), 81U);
}

} // namespace
} // namespace alltold
