#pragma once

#include <memory>
#include <vector>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// Writes the input's rows, which have the table's columns, into a table. `schema` is the table's
/// types under the query's names, as EXPLAIN shows it.
struct LogicalSink final : LogicalNodeOf<LogicalKind::kSink> {
  catalog::TableContext context;
  std::shared_ptr<const catalog::TableFactory> factory;
  std::shared_ptr<const catalog::SinkNegotiation> negotiation;
};

}  // namespace lakeward::plan
