#pragma once

#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/logical/node.h"
#include "lakeward/sql/statement.h"

namespace lakeward::plan {

/// The plan of an INSERT: its query, brought into the order and types of the table's columns, and a
/// LogicalSink on top. kValidation when the query does not fit the table.
Result<LogicalNodePtr> BindInsert(const sql::InsertStatement& insert, const BindContext& context);

}  // namespace lakeward::plan
