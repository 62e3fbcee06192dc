#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arrow/record_batch.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/json/json.h"
#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/planner_fixture.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::plan {

/// What became of the cases of a suite of recorded expressions.
struct VectorTally {
  int passed = 0;
  std::map<std::string, int> unsupported;  ///< by reason
  std::set<std::string> known;             ///< cases whose difference has a reason
  std::vector<std::string> failed;         ///< "id: sql: expected, got"; without the known ones

  void Fail(const std::string& id, const std::string& what) {
    if (known.contains(id)) {
      ++unsupported["known difference"];
    } else {
      failed.push_back(id + ": " + what);
    }
  }

  std::string Summary() const {
    std::string text =
        std::to_string(passed) + " passed, " + std::to_string(failed.size()) + " failed\n";
    for (const auto& [reason, count] : unsupported) {
      text += "  " + std::to_string(count) + " x " + reason + "\n";
    }
    return text;
  }
};

/// Computes single expressions over one row whose values are given as JSON, as recorded from Flink.
class VectorFixture : public PlannerFixture {
 protected:
  struct Field {
    std::string name;
    std::string type;  ///< SQL
    json::Json value;
  };

  /// A value as SQL of the given type; nothing for those that the binder cannot make yet.
  static std::optional<std::string> ToSql(const json::Json& value, const std::string& type) {
    const auto cast = [&](const std::string& text) { return "CAST(" + text + " AS " + type + ")"; };
    const auto quoted = [](std::string text) {
      for (size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 2) {
        text.insert(i, "'");
      }
      return "'" + text + "'";
    };
    if (value.is_null()) {
      return cast("NULL");
    }
    if (value.is_boolean()) {
      return cast(value.get<bool>() ? "TRUE" : "FALSE");
    }
    if (value.is_number()) {
      return cast(quoted(value.dump()));
    }
    if (value.is_string()) {
      return cast(quoted(value.get<std::string>()));
    }
    if (!value.is_object() || value.size() != 1 || !value.begin().value().is_string()) {
      return std::nullopt;
    }
    const std::string& kind = value.begin().key();
    std::string text = value.begin().value().get<std::string>();
    if (kind == "$bytes") {
      return cast("X'" + text + "'");
    }
    if (kind == "$LocalDateTime" || kind == "$Instant") {
      text[text.find('T')] = ' ';
      if (text.back() == 'Z') {
        text.pop_back();
      }
      return cast(quoted(text.size() == 16 ? text + ":00" : text));
    }
    if (kind == "$LocalTime") {
      return cast(quoted(text.size() == 5 ? text + ":00" : text));
    }
    if (kind == "$LocalDate" || kind == "$byte" || kind == "$short" || kind == "$long" ||
        kind == "$float" || kind == "$double" || kind == "$decimal" || kind == "$DecimalData") {
      return cast(quoted(text));
    }
    return std::nullopt;
  }

  Result<BindContext> ContextIn(const std::string& zone) {
    Set("table.local-time-zone", zone);
    LW_ASSIGN(BindContext context, BindContext::Make(context_));
    context.evaluation.clock = SystemClock();
    context.evaluation.random = SystemRandom();
    context.evaluation.query_start_us = SystemClock()->NowMicros();
    return context;
  }

  /// The row of all fields that can be made. Points in time without zone are read in `zone`.
  Result<std::shared_ptr<arrow::RecordBatch>> MakeRow(const std::vector<Field>& fields,
                                                      const std::string& zone,
                                                      types::RowSchema* schema) {
    std::vector<std::shared_ptr<arrow::Array>> columns;
    for (const Field& field : fields) {
      const std::optional<std::string> sql = ToSql(field.value, field.type);
      if (!sql.has_value()) {
        continue;
      }
      const bool instant = field.value.is_object() && field.value.contains("$Instant");
      LW_ASSIGN(const BindContext context, ContextIn(instant ? "UTC" : zone));
      const auto column = Compute(*sql, context, Scope(), *EmptyRow());
      if (!column.ok()) {
        continue;
      }
      const auto type = ParseType(field.type);
      schema->columns.push_back({field.name, *type});
      columns.push_back(column->second);
    }
    return arrow::RecordBatch::Make(types::ToArrowSchema(*schema), 1, std::move(columns));
  }

  static Result<types::TypePtr> ParseType(const std::string& text) {
    LW_ASSIGN(const sql::TypeNamePtr parsed, sql::ParseTypeName(text));
    return BindType(*parsed);
  }

  using Computed = std::pair<expr::ExpressionPtr, std::shared_ptr<arrow::Array>>;

  Result<Computed> Compute(const std::string& text, const BindContext& context, const Scope& scope,
                           const arrow::RecordBatch& row) {
    LW_ASSIGN(const sql::ExpressionPtr parsed, sql::ParseExpression(text));
    ExpressionBinder binder(context, scope, "SELECT");
    LW_ASSIGN(const expr::ExpressionPtr bound, binder.Bind(*parsed));
    LW_ASSIGN(std::shared_ptr<arrow::Array> value,
              expr::EvaluateToArray(*bound, row, context.evaluation));
    return Computed{bound, std::move(value)};
  }

  static std::shared_ptr<arrow::RecordBatch> EmptyRow() {
    return arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 1,
                                    std::vector<std::shared_ptr<arrow::Array>>{});
  }

  /// Why a case cannot be judged, empty when the error is a real one.
  static std::string ReasonOf(const Status& status) {
    const std::string& message = status.message();
    if (KindOf(status) == ErrorKind::kUnsupported) {
      return message.substr(0, message.find('\n'));
    }
    if (const size_t at = message.find("signature "); message.starts_with("No match found")) {
      return "function " + message.substr(at + 10, message.find(':') - at - 10);
    }
    if (const size_t quote = message.find('\''); message.starts_with("Cannot apply")) {
      return "a form of " + message.substr(quote + 1, message.find('\'', quote + 1) - quote - 1);
    }
    if (message.find("not found") != std::string::npos) {
      return "a field of a type that these tests cannot make";
    }
    return "";
  }
};

}  // namespace lakeward::plan
