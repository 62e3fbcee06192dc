#include "lakeward/plan/query_binder.h"

#include <utility>

#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/limit.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/sort.h"
#include "lakeward/plan/logical/union.h"
#include "lakeward/plan/sort_binding.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::plan {

using expr::ExpressionPtr;

Result<LogicalNodePtr> QueryBinder::Bind(const sql::Query& query) {
  return BindBody(query, /*target=*/nullptr);
}

Result<LogicalNodePtr> QueryBinder::BindForTarget(const sql::Query& query,
                                                  const types::RowSchema& target_columns) {
  return BindBody(query, &target_columns);
}

Result<LogicalNodePtr> QueryBinder::BindBody(const sql::Query& query,
                                             const types::RowSchema* target) {
  if (query.with_recursive) {
    return NotSupportedYet("WITH RECURSIVE", query.position);
  }
  const size_t outer_count = named_queries_.size();
  for (const sql::CommonTableExpression& definition : query.with) {
    named_queries_.push_back({&definition, named_queries_.size()});
  }
  const auto bind = [&]() -> Result<LogicalNodePtr> {
    switch (query.kind) {
      case sql::QueryKind::kSelect:
        return BindSelect(query.As<sql::SelectQuery>());
      case sql::QueryKind::kValues: {
        LW_ASSIGN(LogicalNodePtr node, BindValues(query.As<sql::ValuesQuery>(), target));
        return OrderAndLimit(query, std::move(node));
      }
      case sql::QueryKind::kSetOperation: {
        LW_ASSIGN(LogicalNodePtr node,
                  BindSetOperation(query.As<sql::SetOperationQuery>(), target));
        return OrderAndLimit(query, std::move(node));
      }
      case sql::QueryKind::kTable: {
        const sql::QualifiedName& name = query.As<sql::TableQuery>().name;
        sql::NamedTable table(query.position);
        table.name = name;
        std::vector<std::string> path;
        LW_ASSIGN(LogicalNodePtr node, BindNamedTable(table, &path));
        if (context_.full_names != nullptr) {
          context_.full_names->emplace(&name, std::move(path));
        }
        return OrderAndLimit(query, std::move(node));
      }
      case sql::QueryKind::kNested: {
        LW_ASSIGN(LogicalNodePtr node, BindBody(*query.As<sql::NestedQuery>().query, target));
        return OrderAndLimit(query, std::move(node));
      }
    }
    return MakeError(ErrorKind::kInternal, "A query of unknown kind", "", query.position);
  };
  Result<LogicalNodePtr> node = bind();
  named_queries_.resize(outer_count);
  return node;
}

Result<LogicalNodePtr> QueryBinder::BindSetOperation(const sql::SetOperationQuery& query,
                                                     const types::RowSchema* target) {
  const std::vector<const sql::SetOperationQuery*> spine = sql::LeftSpine(query);
  LW_ASSIGN(LogicalNodePtr node, BindBody(*spine.front()->left, target));
  std::vector<LogicalNodePtr> inputs{std::move(node)};
  for (const sql::SetOperationQuery* operation : spine) {
    if (operation->op != sql::SetOperator::kUnion) {
      return NotSupportedYet(operation->op == sql::SetOperator::kIntersect ? "INTERSECT" : "EXCEPT",
                             operation->position);
    }
    LW_ASSIGN(LogicalNodePtr right, BindBody(*operation->right, target));
    inputs.push_back(std::move(right));
    if (!operation->all) {
      LW_ASSIGN(LogicalNodePtr both, MakeUnion(std::move(inputs), operation->right->position));
      inputs = {MakeDistinct(std::move(both))};
    }
  }
  return MakeUnion(std::move(inputs), query.position);
}

Result<LogicalNodePtr> MakeUnion(std::vector<LogicalNodePtr> inputs, SqlPosition at) {
  if (inputs.size() == 1) {
    return inputs.front();
  }
  const types::RowSchema first = inputs.front()->schema;
  types::RowSchema schema;
  for (const LogicalNodePtr& input : inputs) {
    if (input->schema.size() != first.size()) {
      return MakeError(ErrorKind::kValidation,
                       "Column count mismatch in UNION: " + std::to_string(first.size()) +
                           " columns on one side, " + std::to_string(input->schema.size()) +
                           " on the other.",
                       "Select as many columns on both sides.", at);
    }
  }
  for (int i = 0; i < first.size(); ++i) {
    std::vector<types::TypePtr> types;
    for (const LogicalNodePtr& input : inputs) {
      types.push_back(input->schema.columns[i].type);
    }
    const std::optional<types::TypePtr> common = types::FindCommonType(types);
    if (!common.has_value()) {
      std::string list;
      for (const types::TypePtr& type : types) {
        list += (list.empty() ? "" : ", ") + type->ToString();
      }
      return MakeError(ErrorKind::kValidation,
                       "Type mismatch in column " + std::to_string(i + 1) + " ('" +
                           first.columns[i].name + "') of UNION: " + list + ".",
                       "Convert the column to one type with CAST(… AS type).", at);
    }
    schema.columns.push_back({first.columns[i].name, *common});
  }
  auto node = std::make_shared<LogicalUnion>();
  for (LogicalNodePtr& input : inputs) {
    std::vector<ExpressionPtr> expressions = ColumnsOf(input->schema);
    for (int i = 0; i < schema.size(); ++i) {
      expressions[i] = CoerceTo(expressions[i], schema.columns[i].type);
    }
    node->inputs.push_back(IsIdentity(expressions, schema.size())
                               ? std::move(input)
                               : MakeProject(std::move(input), expressions, schema.Names()));
  }
  node->schema = std::move(schema);
  return node;
}

LogicalNodePtr MakeDistinct(LogicalNodePtr node) {
  auto aggregate = std::make_shared<LogicalAggregate>();
  for (int i = 0; i < node->schema.size(); ++i) {
    aggregate->keys.push_back(i);
  }
  aggregate->schema = node->schema;
  aggregate->inputs.push_back(std::move(node));
  return aggregate;
}

Status CheckOrderAllowed(const BindContext& context, const sql::Query& query) {
  if (query.order_by.empty() || context.batch_mode()) {
    return Status::OK();
  }
  const SqlPosition at = query.order_by.front().expression->position;
  if (query.limit != nullptr) {
    return NotSupportedYet("ORDER BY … LIMIT in streaming mode", at,
                           "SET 'execution.runtime-mode' = 'batch' where the sources are bounded.");
  }
  return MakeError(ErrorKind::kUnsupported,
                   "Sort on a non-time-attribute field is not supported in streaming mode: an "
                   "endless result has no order.",
                   "SET 'execution.runtime-mode' = 'batch' where the sources are bounded.", at);
}

namespace {

Result<int64_t> BindRowCount(const sql::Expression& expression, std::string_view clause) {
  const auto* literal = expression.AsIf<sql::LiteralExpression>();
  int64_t count = 0;
  if (literal == nullptr || literal->literal != sql::LiteralKind::kExactNumber) {
    return MakeError(ErrorKind::kValidation, std::string(clause) + " must be a whole number.", "",
                     expression.position);
  }
  const Result<int64_t> parsed = config::ParseInt64(literal->text);
  if (!parsed.ok()) {
    return MakeError(ErrorKind::kValidation,
                     std::string(clause) + " " + literal->text + " is not a whole number in range.",
                     "", expression.position);
  }
  count = *parsed;
  return count;
}

}  // namespace

Result<LogicalNodePtr> ApplyLimit(const sql::Query& query, LogicalNodePtr node) {
  if (query.limit == nullptr && query.offset == nullptr) {
    return node;
  }
  auto limit = std::make_shared<LogicalLimit>();
  if (query.limit != nullptr) {
    LW_ASSIGN(limit->limit, BindRowCount(*query.limit, "LIMIT"));
  }
  if (query.offset != nullptr) {
    LW_ASSIGN(limit->offset, BindRowCount(*query.offset, "OFFSET"));
  }
  limit->schema = node->schema;
  limit->inputs.push_back(std::move(node));
  return limit;
}

Result<LogicalNodePtr> QueryBinder::OrderAndLimit(const sql::Query& query, LogicalNodePtr node) {
  if (!query.order_by.empty()) {
    LW_TRY(CheckOrderAllowed(context_, query));
    Scope scope;
    scope.Add("", {}, node->schema);
    ExpressionBinder binder(context_, scope, "ORDER BY");
    SortBinding binding(ColumnsOf(node->schema), node->schema.Names());
    for (const sql::OrderItem& item : query.order_by) {
      LW_TRY(binding.Add(item, &binder));
    }
    node = binding.Build(std::move(node), /*distinct=*/false);
  }
  return ApplyLimit(query, std::move(node));
}

}  // namespace lakeward::plan
