// EvaluateSelection: the comparison of a column with a constant, the usual filter, writes row
// numbers straight from the typed buffer; everything else goes through Evaluate.
#include <numeric>
#include <type_traits>
#include <utility>

#include "arrow/scalar.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/evaluation_input.h"
#include "lakeward/expr/function.h"
#include "lakeward/expr/int128.h"

namespace lakeward::expr {

using types::TypeRoot;

namespace {

enum class Order : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

std::optional<Order> FindOrder(std::string_view name, bool is_swapped) {
  if (name == "=") {
    return Order::kEqual;
  }
  if (name == "<>") {
    return Order::kNotEqual;
  }
  if (name == "<") {
    return is_swapped ? Order::kGreater : Order::kLess;
  }
  if (name == "<=") {
    return is_swapped ? Order::kGreaterEqual : Order::kLessEqual;
  }
  if (name == ">") {
    return is_swapped ? Order::kLess : Order::kGreater;
  }
  if (name == ">=") {
    return is_swapped ? Order::kLessEqual : Order::kGreaterEqual;
  }
  return std::nullopt;
}

/// The rows that are still in play; "all of the first n" until something drops out.
class RowSet {
 public:
  explicit RowSet(int64_t row_count) : row_count_(row_count) {}

  int64_t row_count() const { return row_count_; }
  int64_t size() const { return is_all_ ? row_count_ : static_cast<int64_t>(rows_.size()); }
  bool is_all() const { return is_all_; }
  const std::vector<int32_t>& rows() const { return rows_; }
  std::vector<int32_t> TakeRows() && { return std::move(rows_); }

  /// Keeps the rows for which `test(row)`; written without branches.
  template <typename Test>
  void Keep(Test test) {
    size_t kept = 0;
    if (is_all_) {
      rows_.resize(static_cast<size_t>(row_count_));
      for (int64_t row = 0; row < row_count_; ++row) {
        rows_[kept] = static_cast<int32_t>(row);
        kept += test(row) ? 1 : 0;
      }
    } else {
      for (const int32_t row : rows_) {
        rows_[kept] = row;
        kept += test(row) ? 1 : 0;
      }
    }
    rows_.resize(kept);
    is_all_ = static_cast<int64_t>(kept) == row_count_;
  }

  void Replace(std::vector<int32_t> rows) {
    rows_ = std::move(rows);
    is_all_ = static_cast<int64_t>(rows_.size()) == row_count_;
  }

 private:
  int64_t row_count_;
  bool is_all_ = true;
  std::vector<int32_t> rows_;  ///< meaningful when not all
};

/// A comparison of a column with a constant that is not null.
struct SimpleComparison {
  Order order;
  int column;
  std::shared_ptr<arrow::Scalar> constant;
  const types::LogicalType* type;
};

std::optional<SimpleComparison> AsSimpleComparison(const Expression& condition) {
  if (condition.kind() != ExpressionKind::kCall || condition.arguments().size() != 2) {
    return std::nullopt;
  }
  const Expression& left = *condition.arguments()[0];
  const Expression& right = *condition.arguments()[1];
  const bool is_swapped = left.kind() == ExpressionKind::kLiteral;
  const Expression& column = is_swapped ? right : left;
  const Expression& literal = is_swapped ? left : right;
  const std::optional<Order> order = FindOrder(condition.function()->name, is_swapped);
  if (!order || column.kind() != ExpressionKind::kColumn ||
      literal.kind() != ExpressionKind::kLiteral || !literal.literal()->is_valid) {
    return std::nullopt;
  }
  return SimpleComparison{*order, column.column(), literal.literal(), column.type().get()};
}

template <typename Values, typename T>
void KeepByOrder(const ColumnValues& column, const Values& values, const T& constant, Order order,
                 RowSet* rows) {
  const auto keep = [&](auto compare) {
    if (column.may_have_nulls()) {
      rows->Keep(
          [&](int64_t row) { return !column.IsNull(row) && compare(values[row], constant); });
    } else {
      rows->Keep([&](int64_t row) { return compare(values[row], constant); });
    }
  };
  switch (order) {
    case Order::kEqual:
      return keep([](const T& a, const T& b) { return a == b; });
    case Order::kNotEqual:
      return keep([](const T& a, const T& b) { return a != b; });
    case Order::kLess:
      return keep([](const T& a, const T& b) { return a < b; });
    case Order::kLessEqual:
      return keep([](const T& a, const T& b) { return a <= b; });
    case Order::kGreater:
      return keep([](const T& a, const T& b) { return a > b; });
    case Order::kGreaterEqual:
      return keep([](const T& a, const T& b) { return a >= b; });
  }
}

template <typename T>
Status KeepFixed(const SimpleComparison& comparison, const arrow::Datum& column_datum,
                 RowSet* rows) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(column_datum));
  LW_ASSIGN(const ColumnValues constant, ColumnValues::Make(arrow::Datum(comparison.constant)));
  KeepByOrder(column, FixedValues<T>(column), FixedValues<T>(constant)[0], comparison.order, rows);
  return Status::OK();
}

Status KeepText(const SimpleComparison& comparison, const arrow::Datum& column_datum,
                RowSet* rows) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(column_datum));
  LW_ASSIGN(const ColumnValues constant, ColumnValues::Make(arrow::Datum(comparison.constant)));
  KeepByOrder(column, StringValues(column), StringValues(constant)[0], comparison.order, rows);
  return Status::OK();
}

/// False when the type has no loop here.
Result<bool> KeepSimple(const SimpleComparison& comparison, EvaluationInput* input, RowSet* rows) {
  LW_ASSIGN(const std::shared_ptr<arrow::Array> array, input->Column(comparison.column));
  const arrow::Datum column(array);
  switch (comparison.type->root()) {
    case TypeRoot::kTinyInt:
      LW_TRY(KeepFixed<int8_t>(comparison, column, rows));
      return true;
    case TypeRoot::kSmallInt:
      LW_TRY(KeepFixed<int16_t>(comparison, column, rows));
      return true;
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kIntervalYearMonth:
      LW_TRY(KeepFixed<int32_t>(comparison, column, rows));
      return true;
    case TypeRoot::kBigInt:
    case TypeRoot::kTime:
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
    case TypeRoot::kIntervalDayTime:
      LW_TRY(KeepFixed<int64_t>(comparison, column, rows));
      return true;
    case TypeRoot::kFloat:
      LW_TRY(KeepFixed<float>(comparison, column, rows));
      return true;
    case TypeRoot::kDouble:
      LW_TRY(KeepFixed<double>(comparison, column, rows));
      return true;
    case TypeRoot::kDecimal:
      LW_TRY(KeepFixed<Int128>(comparison, column, rows));
      return true;
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      LW_TRY(KeepText(comparison, column, rows));
      return true;
    default:
      return false;
  }
}

/// Any condition: computed over the rows in play only.
Status KeepGeneral(const Expression& condition, EvaluationInput* input,
                   const EvaluationContext& context, RowSet* rows) {
  std::vector<int32_t> passed;
  if (rows->is_all()) {
    LW_ASSIGN(const arrow::Datum truth, EvaluateOver(condition, input, context));
    LW_TRY(AppendTrueRows(truth, input->row_count(), &passed));
    rows->Replace(std::move(passed));
    return Status::OK();
  }
  EvaluationInput part(input, ToInt32Array(rows->rows()));
  LW_ASSIGN(const arrow::Datum truth, EvaluateOver(condition, &part, context));
  LW_TRY(AppendTrueRows(truth, part.row_count(), &passed));
  for (int32_t& row : passed) {
    row = rows->rows()[static_cast<size_t>(row)];
  }
  rows->Replace(std::move(passed));
  return Status::OK();
}

Status KeepTrue(const Expression& condition, EvaluationInput* input,
                const EvaluationContext& context, RowSet* rows) {
  if (rows->size() == 0) {
    return Status::OK();
  }
  if (condition.kind() == ExpressionKind::kCall && condition.function()->name == "AND") {
    for (const ExpressionPtr& conjunct : condition.arguments()) {
      LW_TRY(KeepTrue(*conjunct, input, context, rows));
    }
    return Status::OK();
  }
  if (const auto simple = AsSimpleComparison(condition)) {
    LW_ASSIGN(const bool is_done, KeepSimple(*simple, input, rows));
    if (is_done) {
      return Status::OK();
    }
  }
  return KeepGeneral(condition, input, context, rows);
}

}  // namespace

Result<std::shared_ptr<arrow::Int32Array>> EvaluateSelection(const Expression& condition,
                                                             const arrow::RecordBatch& input,
                                                             const EvaluationContext& context) {
  EvaluationInput whole(input);
  RowSet rows(input.num_rows());
  LW_TRY(KeepTrue(condition, &whole, context, &rows));
  if (rows.is_all()) {
    return std::shared_ptr<arrow::Int32Array>();
  }
  return ToInt32Array(std::move(rows).TakeRows());
}

}  // namespace lakeward::expr
