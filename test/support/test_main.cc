#include <cstdio>

#include "arrow/compute/initialize.h"
#include "gtest/gtest.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const arrow::Status status = arrow::compute::Initialize();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  return RUN_ALL_TESTS();
}
