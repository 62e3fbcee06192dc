#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lakeward/stream/operator.h"

namespace lakeward::stream {

/// Drops the first `offset` rows, lets the next `limit` pass (nothing: all). On one task.
std::unique_ptr<Operator> MakeLimitOperator(int64_t offset, std::optional<int64_t> limit);

}  // namespace lakeward::stream
