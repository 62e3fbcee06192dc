#pragma once

#include "gtest/gtest.h"

/// Fails the test with the error's text when `expression` (a Status) is not ok.
#define ASSERT_STATUS_OK(expression)                                 \
  do {                                                               \
    const ::arrow::Status status_to_check = (expression);            \
    ASSERT_TRUE(status_to_check.ok()) << status_to_check.ToString(); \
  } while (false)
#define EXPECT_STATUS_OK(expression)                                 \
  do {                                                               \
    const ::arrow::Status status_to_check = (expression);            \
    EXPECT_TRUE(status_to_check.ok()) << status_to_check.ToString(); \
  } while (false)

#define LW_TEST_CONCATENATE_INNER(a, b) a##b
#define LW_TEST_CONCATENATE(a, b) LW_TEST_CONCATENATE_INNER(a, b)
#define LW_TEST_ASSIGN_INNER(name, target, ...)       \
  auto&& name = (__VA_ARGS__);                        \
  ASSERT_TRUE(name.ok()) << name.status().ToString(); \
  target = std::move(name).ValueUnsafe()

/// `ASSERT_ASSIGN(auto x, F());` gives x the value of a Result or fails the test with its error.
#define ASSERT_ASSIGN(target, ...) \
  LW_TEST_ASSIGN_INNER(LW_TEST_CONCATENATE(test_result_, __COUNTER__), target, __VA_ARGS__)
