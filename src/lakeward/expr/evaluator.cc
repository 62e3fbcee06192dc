#include "lakeward/expr/evaluator.h"

#include <utility>

#include "arrow/array/concatenate.h"
#include "arrow/array/util.h"
#include "arrow/compute/api_vector.h"
#include "arrow/scalar.h"
#include "lakeward/expr/cast.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/evaluation_input.h"
#include "lakeward/expr/function.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::expr {

namespace {

Result<std::shared_ptr<arrow::Array>> ToArray(const arrow::Datum& datum, int64_t row_count,
                                              const EvaluationContext& context) {
  if (datum.is_scalar()) {
    return arrow::MakeArrayFromScalar(*datum.scalar(), row_count, PoolOf(context));
  }
  return datum.make_array();
}

bool AreAllScalars(const std::vector<arrow::Datum>& arguments) {
  for (const arrow::Datum& argument : arguments) {
    if (!argument.is_scalar()) {
      return false;
    }
  }
  return true;
}

bool IsNullScalar(const arrow::Datum& datum) {
  return datum.is_scalar() && !datum.scalar()->is_valid;
}

std::vector<types::TypePtr> TypesOf(const std::vector<ExpressionPtr>& expressions) {
  std::vector<types::TypePtr> types;
  types.reserve(expressions.size());
  for (const ExpressionPtr& expression : expressions) {
    types.push_back(expression->type());
  }
  return types;
}

/// Runs the kernel of `call` over evaluated arguments.
Result<arrow::Datum> RunKernel(const Expression& call, const std::vector<arrow::Datum>& arguments,
                               int64_t row_count, const EvaluationContext& context) {
  const ScalarFunction& function = *call.function();
  const bool is_constant = function.deterministic && AreAllScalars(arguments);
  const int64_t kernel_rows = is_constant ? 1 : row_count;
  std::shared_ptr<arrow::Buffer> validity;
  if (function.null_rule == NullRule::kNullIfAnyNull) {
    for (const arrow::Datum& argument : arguments) {
      if (IsNullScalar(argument)) {
        return arrow::Datum(arrow::MakeNullScalar(types::ToArrow(*call.type())));
      }
    }
    LW_ASSIGN(validity, CombineValidity(arguments, kernel_rows, context));
  }
  const std::vector<types::TypePtr> argument_types = TypesOf(call.arguments());
  LW_ASSIGN(arrow::Datum result,
            function.kernel({arguments, kernel_rows, call.type(), argument_types, context,
                             validity == nullptr ? nullptr : validity->data()}));
  if (result.is_scalar()) {
    return result;
  }
  LW_ASSIGN(result, RestrictValidity(result, validity, context));
  if (is_constant) {
    LW_ASSIGN(std::shared_ptr<arrow::Scalar> scalar, result.make_array()->GetScalar(0));
    return arrow::Datum(std::move(scalar));
  }
  return result;
}

/// Collects the values of the rows that took one branch after another, and puts them in row order.
class BranchMerger {
 public:
  explicit BranchMerger(int64_t row_count) : position_of_row_(static_cast<size_t>(row_count)) {}

  /// `rows` are numbers of the whole input; null when the branch has all of them.
  void Add(std::shared_ptr<arrow::Array> values, const std::vector<int32_t>* rows) {
    if (rows != nullptr) {
      int32_t position = value_count_;
      for (int32_t row : *rows) {
        position_of_row_[static_cast<size_t>(row)] = position++;
      }
    }
    value_count_ += static_cast<int32_t>(values->length());
    is_in_order_ = pieces_.empty() && rows == nullptr;
    pieces_.push_back(std::move(values));
  }

  Result<arrow::Datum> Finish(const types::LogicalType& type, const EvaluationContext& context) && {
    if (pieces_.empty()) {
      LW_ASSIGN(std::shared_ptr<arrow::Array> empty,
                arrow::MakeEmptyArray(types::ToArrow(type), PoolOf(context)));
      return arrow::Datum(std::move(empty));
    }
    if (is_in_order_) {
      return arrow::Datum(std::move(pieces_[0]));
    }
    LW_ASSIGN(const std::shared_ptr<arrow::Array> values,
              arrow::Concatenate(pieces_, PoolOf(context)));
    LW_ASSIGN(std::shared_ptr<arrow::Array> ordered,
              arrow::compute::Take(*values, *ToInt32Array(std::move(position_of_row_)),
                                   arrow::compute::TakeOptions::NoBoundsCheck()));
    return arrow::Datum(std::move(ordered));
  }

 private:
  std::vector<int32_t> position_of_row_;
  std::vector<std::shared_ptr<arrow::Array>> pieces_;
  int32_t value_count_ = 0;
  bool is_in_order_ = false;
};

/// Splits `rows` by a condition computed over them: `taken` where it is true, `rest` elsewhere.
Status SplitRows(const arrow::Datum& condition, const std::vector<int32_t>& rows,
                 std::vector<int32_t>* taken, std::vector<int32_t>* rest) {
  std::vector<int32_t> true_rows;
  LW_TRY(AppendTrueRows(condition, static_cast<int64_t>(rows.size()), &true_rows));
  size_t next = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (next < true_rows.size() && static_cast<size_t>(true_rows[next]) == i) {
      taken->push_back(rows[i]);
      ++next;
    } else {
      rest->push_back(rows[i]);
    }
  }
  return Status::OK();
}

/// CASE: each branch is computed only over the rows that reach it, so that its errors stay there.
Result<arrow::Datum> EvaluateCase(const std::vector<ExpressionPtr>& arguments,
                                  const types::LogicalType& type, EvaluationInput* input,
                                  const EvaluationContext& context) {
  BranchMerger merger(input->row_count());
  std::vector<int32_t> remaining(static_cast<size_t>(input->row_count()));
  for (size_t row = 0; row < remaining.size(); ++row) {
    remaining[row] = static_cast<int32_t>(row);
  }
  const auto add_branch = [&](const Expression& value, const std::vector<int32_t>& rows) -> Status {
    if (rows.empty()) {
      return Status::OK();
    }
    if (static_cast<int64_t>(rows.size()) == input->row_count()) {
      LW_ASSIGN(auto values, EvaluateToArrayOver(value, input, context));
      merger.Add(std::move(values), nullptr);
      return Status::OK();
    }
    EvaluationInput part(input, ToInt32Array(rows));
    LW_ASSIGN(auto values, EvaluateToArrayOver(value, &part, context));
    merger.Add(std::move(values), &rows);
    return Status::OK();
  };
  for (size_t i = 0; i + 1 < arguments.size() && !remaining.empty(); i += 2) {
    const bool is_whole = static_cast<int64_t>(remaining.size()) == input->row_count();
    EvaluationInput part(input, ToInt32Array(remaining));
    LW_ASSIGN(const arrow::Datum condition,
              EvaluateOver(*arguments[i], is_whole ? input : &part, context));
    std::vector<int32_t> taken;
    std::vector<int32_t> rest;
    LW_TRY(SplitRows(condition, remaining, &taken, &rest));
    LW_TRY(add_branch(*arguments[i + 1], taken));
    remaining = std::move(rest);
  }
  LW_TRY(add_branch(*arguments.back(), remaining));
  return std::move(merger).Finish(type, context);
}

/// Rows for which the left side of AND (OR) leaves the result open: not false (not true).
Result<std::vector<int32_t>> OpenRows(const arrow::Datum& left, bool decisive, int64_t row_count) {
  std::vector<int32_t> rows;
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(left));
  const BooleanValues values(column);
  for (int64_t row = 0; row < row_count; ++row) {
    if (column.IsNull(row) || values[row] != decisive) {
      rows.push_back(static_cast<int32_t>(row));
    }
  }
  return rows;
}

/// AND and OR whose right side may fail: it is computed only where the left side does not decide.
Result<arrow::Datum> EvaluateGuarded(const Expression& call, EvaluationInput* input,
                                     const EvaluationContext& context) {
  const bool decisive = call.function()->argument_rule == ArgumentRule::kUntilTrue;
  LW_ASSIGN(arrow::Datum result, EvaluateOver(*call.arguments()[0], input, context));
  for (size_t i = 1; i < call.arguments().size(); ++i) {
    LW_ASSIGN(const std::vector<int32_t> open, OpenRows(result, decisive, input->row_count()));
    if (open.empty()) {
      return result;
    }
    arrow::Datum right;
    if (static_cast<int64_t>(open.size()) == input->row_count()) {
      LW_ASSIGN(right, EvaluateOver(*call.arguments()[i], input, context));
    } else {
      EvaluationInput part(input, ToInt32Array(open));
      LW_ASSIGN(auto values, EvaluateToArrayOver(*call.arguments()[i], &part, context));
      BranchMerger merger(input->row_count());
      merger.Add(std::move(values), &open);
      std::vector<int32_t> decided;
      for (int32_t row = 0, next = 0; row < static_cast<int32_t>(input->row_count()); ++row) {
        if (next < static_cast<int32_t>(open.size()) && open[static_cast<size_t>(next)] == row) {
          ++next;
        } else {
          decided.push_back(row);
        }
      }
      LW_ASSIGN(auto filler,
                arrow::MakeArrayFromScalar(arrow::BooleanScalar(decisive),
                                           static_cast<int64_t>(decided.size()), PoolOf(context)));
      merger.Add(std::move(filler), &decided);
      LW_ASSIGN(right, std::move(merger).Finish(*call.type(), context));
    }
    LW_ASSIGN(result, RunKernel(call, {result, right}, input->row_count(), context));
  }
  return result;
}

bool AnyMayFailFrom(const std::vector<ExpressionPtr>& arguments, size_t first) {
  for (size_t i = first; i < arguments.size(); ++i) {
    if (MayFail(*arguments[i])) {
      return true;
    }
  }
  return false;
}

/// COALESCE(a, b, c) as CASE WHEN a IS NOT NULL THEN a WHEN b IS NOT NULL THEN b ELSE c END.
std::vector<ExpressionPtr> CoalesceBranches(const std::vector<ExpressionPtr>& arguments) {
  const ScalarFunction* is_not_null = FunctionRegistry::Builtin()->FindScalar("IS NOT NULL");
  std::vector<ExpressionPtr> branches;
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    branches.push_back(MakeCall(is_not_null, {arguments[i]}, types::Boolean(false)));
    branches.push_back(arguments[i]);
  }
  branches.push_back(arguments.back());
  return branches;
}

/// Which of a query's operations failed.
std::string ShortText(const Expression& call) {
  constexpr size_t kBytesMax = 120;
  std::string text = call.ToString();
  if (text.size() > kBytesMax) {
    size_t end = kBytesMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
      --end;
    }
    text.resize(end);
    text += "…";
  }
  return text;
}

Result<arrow::Datum> EvaluateCall(const Expression& call, EvaluationInput* input,
                                  const EvaluationContext& context) {
  const std::vector<ExpressionPtr>& expressions = call.arguments();
  const ArgumentRule rule = call.function()->argument_rule;
  if (rule != ArgumentRule::kAll && AnyMayFailFrom(expressions, 1)) {
    switch (rule) {
      case ArgumentRule::kUntilFalse:
      case ArgumentRule::kUntilTrue:
        return EvaluateGuarded(call, input, context);
      case ArgumentRule::kUntilNotNull:
        return EvaluateCase(CoalesceBranches(expressions), *call.type(), input, context);
      default:
        return EvaluateCase(expressions, *call.type(), input, context);
    }
  }
  std::vector<arrow::Datum> arguments;
  arguments.reserve(expressions.size());
  for (const ExpressionPtr& expression : expressions) {
    LW_ASSIGN(arrow::Datum argument, EvaluateOver(*expression, input, context));
    arguments.push_back(std::move(argument));
  }
  Result<arrow::Datum> result = RunKernel(call, arguments, input->row_count(), context);
  return result.ok() ? result : WithContext(result.status(), ShortText(call));
}

Result<arrow::Datum> EvaluateCast(const Expression& cast, EvaluationInput* input,
                                  const EvaluationContext& context) {
  const Expression& argument = *cast.arguments()[0];
  LW_ASSIGN(const arrow::Datum value, EvaluateOver(argument, input, context));
  const CastCall call{*argument.type(), *cast.type(), cast.null_on_failure(), context};
  if (!value.is_scalar()) {
    LW_ASSIGN(std::shared_ptr<arrow::Array> result, CastArray(value.make_array(), call));
    return arrow::Datum(std::move(result));
  }
  LW_ASSIGN(std::shared_ptr<arrow::Array> one, arrow::MakeArrayFromScalar(*value.scalar(), 1));
  LW_ASSIGN(const std::shared_ptr<arrow::Array> result, CastArray(std::move(one), call));
  LW_ASSIGN(std::shared_ptr<arrow::Scalar> scalar, result->GetScalar(0));
  return arrow::Datum(std::move(scalar));
}

}  // namespace

Result<arrow::Datum> EvaluateOver(const Expression& expression, EvaluationInput* input,
                                  const EvaluationContext& context) {
  switch (expression.kind()) {
    case ExpressionKind::kColumn: {
      LW_ASSIGN(std::shared_ptr<arrow::Array> column, input->Column(expression.column()));
      return arrow::Datum(std::move(column));
    }
    case ExpressionKind::kLiteral:
      return arrow::Datum(expression.literal());
    case ExpressionKind::kCall:
      return EvaluateCall(expression, input, context);
    case ExpressionKind::kCast:
      return EvaluateCast(expression, input, context);
    case ExpressionKind::kCase:
      return EvaluateCase(expression.arguments(), *expression.type(), input, context);
  }
  return MakeError(ErrorKind::kInternal, "unknown kind of expression");
}

Result<std::shared_ptr<arrow::Array>> EvaluateToArrayOver(const Expression& expression,
                                                          EvaluationInput* input,
                                                          const EvaluationContext& context) {
  LW_ASSIGN(const arrow::Datum result, EvaluateOver(expression, input, context));
  return ToArray(result, input->row_count(), context);
}

Result<arrow::Datum> Evaluate(const Expression& expression, const arrow::RecordBatch& input,
                              const EvaluationContext& context) {
  EvaluationInput whole(input);
  return EvaluateOver(expression, &whole, context);
}

Result<std::shared_ptr<arrow::Array>> EvaluateToArray(const Expression& expression,
                                                      const arrow::RecordBatch& input,
                                                      const EvaluationContext& context) {
  EvaluationInput whole(input);
  return EvaluateToArrayOver(expression, &whole, context);
}

}  // namespace lakeward::expr
