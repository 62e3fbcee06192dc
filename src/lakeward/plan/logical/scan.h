#pragma once

#include <memory>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// The rows of a table. Rules tell the negotiation what the query needs; a scan therefore stands in
/// one place of one plan.
struct LogicalScan final : LogicalNodeOf<LogicalKind::kScan> {
  catalog::TableContext context;
  std::shared_ptr<const catalog::TableFactory> factory;
  std::shared_ptr<catalog::ScanNegotiation> negotiation;
};

}  // namespace lakeward::plan
