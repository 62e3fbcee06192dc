#include "lakeward/plan/physical_values.h"

#include <algorithm>
#include <utility>

#include "arrow/array/builder_base.h"
#include "arrow/builder.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::plan {
namespace {

using Row = std::vector<expr::ExpressionPtr>;

bool IsConstant(const Row& row) {
  return std::all_of(row.begin(), row.end(), [](const expr::ExpressionPtr& value) {
    return value->kind() == expr::ExpressionKind::kLiteral;
  });
}

Result<PhysicalNodePtr> MakeValues(const types::RowSchema& schema, const std::vector<Row>& rows) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (int i = 0; i < schema.size(); ++i) {
    std::unique_ptr<arrow::ArrayBuilder> builder;
    LW_TRY(arrow::MakeBuilder(arrow::default_memory_pool(), types::ToArrow(*schema.columns[i].type),
                              &builder));
    LW_TRY(builder->Reserve(static_cast<int64_t>(rows.size())));
    for (const Row& row : rows) {
      const arrow::Scalar& scalar = *row[i]->literal();
      LW_TRY(scalar.is_valid ? builder->AppendScalar(scalar) : builder->AppendNull());
    }
    LW_ASSIGN(std::shared_ptr<arrow::Array> column, builder->Finish());
    columns.push_back(std::move(column));
  }
  auto node = std::make_shared<ValuesNode>();
  node->schema = schema;
  node->rows = arrow::RecordBatch::Make(types::ToArrowSchema(schema),
                                        static_cast<int64_t>(rows.size()), std::move(columns));
  return node;
}

Result<PhysicalNodePtr> MakeComputedRow(const types::RowSchema& schema, const Row& row) {
  const LogicalNodePtr single = MakeSingleRow();
  auto calc = std::make_shared<CalcNode>();
  calc->schema = schema;
  calc->projections = row;
  LW_ASSIGN(PhysicalNodePtr input, MakeValues(single->schema, single->As<LogicalValues>().rows));
  calc->inputs.push_back(std::move(input));
  return calc;
}

}  // namespace

Result<PhysicalNodePtr> BuildValues(const LogicalValues& values,
                                    const expr::EvaluationContext& evaluation) {
  std::vector<PhysicalNodePtr> parts;
  std::vector<Row> constants;
  const auto flush = [&]() -> Status {
    if (!constants.empty()) {
      LW_ASSIGN(PhysicalNodePtr part, MakeValues(values.schema, std::exchange(constants, {})));
      parts.push_back(std::move(part));
    }
    return Status::OK();
  };
  for (const Row& row : values.rows) {
    Row folded;
    for (const expr::ExpressionPtr& value : row) {
      folded.push_back(expr::FoldConstants(value, evaluation));
    }
    if (IsConstant(folded)) {
      constants.push_back(std::move(folded));
      continue;
    }
    LW_TRY(flush());
    LW_ASSIGN(PhysicalNodePtr part, MakeComputedRow(values.schema, folded));
    parts.push_back(std::move(part));
  }
  LW_TRY(flush());
  if (parts.empty()) {
    return MakeValues(values.schema, {});
  }
  if (parts.size() == 1) {
    return parts.front();
  }
  auto node = std::make_shared<UnionNode>();
  node->schema = values.schema;
  node->inputs = std::move(parts);
  return node;
}

}  // namespace lakeward::plan
