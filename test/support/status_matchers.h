#pragma once

#include "arrow/status.h"
#include "gtest/gtest.h"

namespace lakeward::test {

inline ::testing::AssertionResult IsOk(const ::arrow::Status& status) {
  return status.ok() ? ::testing::AssertionSuccess()
                     : ::testing::AssertionFailure() << status.ToString();
}

}  // namespace lakeward::test

/// Fails the test with the error's text when `expression` (a Status) is not ok.
#define ASSERT_STATUS_OK(expression) ASSERT_TRUE(::lakeward::test::IsOk(expression))
#define EXPECT_STATUS_OK(expression) EXPECT_TRUE(::lakeward::test::IsOk(expression))

#define LW_TEST_CONCATENATE_INNER(a, b) a##b
#define LW_TEST_CONCATENATE(a, b) LW_TEST_CONCATENATE_INNER(a, b)
#define LW_TEST_ASSIGN_INNER(name, target, ...)       \
  auto&& name = (__VA_ARGS__);                        \
  ASSERT_TRUE(name.ok()) << name.status().ToString(); \
  target = std::move(name).ValueUnsafe()

/// `ASSERT_ASSIGN(auto x, F());` gives x the value of a Result or fails the test with its error.
#define ASSERT_ASSIGN(target, ...) \
  LW_TEST_ASSIGN_INNER(LW_TEST_CONCATENATE(test_result_, __COUNTER__), target, __VA_ARGS__)
