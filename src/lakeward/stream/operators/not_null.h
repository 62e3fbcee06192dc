#pragma once

#include <memory>
#include <vector>

#include "lakeward/stream/operator.h"

namespace lakeward::stream {

enum class NullViolation : uint8_t {
  kFail,  ///< the job fails with the column's name
  kDrop,  ///< the row is left out
};

/// Checks columns declared NOT NULL before a sink (table.exec.sink.not-null-enforcer).
std::unique_ptr<Operator> MakeNotNullOperator(std::vector<int> columns, NullViolation violation);

}  // namespace lakeward::stream
