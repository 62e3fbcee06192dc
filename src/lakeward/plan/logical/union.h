#pragma once

#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// All rows of all inputs, which have the same column types.
struct LogicalUnion final : LogicalNodeOf<LogicalKind::kUnion> {};

}  // namespace lakeward::plan
