#include "lakeward/expr/cast.h"

#include <utility>

#include "arrow/array/util.h"
#include "arrow/util/bitmap_ops.h"
#include "fmt/format.h"
#include "lakeward/expr/cast_families.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypeRoot;

namespace {

bool IsText(const LogicalType& type) { return type.IsCharacterString() || type.IsBinaryString(); }

bool IsTime(const LogicalType& type) {
  return type.root() >= TypeRoot::kDate && type.root() <= TypeRoot::kTimestampLtz;
}

bool IsNested(const LogicalType& type) { return type.root() >= TypeRoot::kArray; }

bool IsNumberLike(const LogicalType& type) {
  return type.IsNumeric() || type.root() == TypeRoot::kBoolean ||
         type.root() == TypeRoot::kIntervalYearMonth || type.root() == TypeRoot::kIntervalDayTime;
}

/// Whether the values need no change at all: nothing is to be cut, padded or rounded.
bool IsSameRepresentation(const LogicalType& source, const LogicalType& target) {
  if (source.EqualsIgnoringNullability(target)) {
    return true;
  }
  if (target.root() == TypeRoot::kVarChar) {
    return source.IsCharacterString() && source.length() <= target.length();
  }
  if (target.root() == TypeRoot::kVarBinary) {
    return source.IsBinaryString() && source.length() <= target.length();
  }
  return source.root() == target.root() && (source.root() == TypeRoot::kIntervalDayTime ||
                                            source.root() == TypeRoot::kIntervalYearMonth);
}

Result<std::shared_ptr<arrow::Array>> WithType(const std::shared_ptr<arrow::Array>& values,
                                               const LogicalType& target) {
  std::shared_ptr<arrow::DataType> type = types::ToArrow(target);
  if (values->type()->Equals(*type)) {
    return values;
  }
  return values->View(type);
}

Status CannotCast(const LogicalType& source, const LogicalType& target) {
  const char* hint = "";
  if (IsTime(target) && source.IsNumeric()) {
    hint = "Use TO_TIMESTAMP_LTZ, or TO_TIMESTAMP(FROM_UNIXTIME(…)).";
  } else if (IsTime(source) && target.IsNumeric()) {
    hint = "Use UNIX_TIMESTAMP(CAST(… AS STRING)).";
  }
  return MakeError(
      ErrorKind::kUnsupported,
      fmt::format("a value of type {} cannot be cast to {}", source.ToString(), target.ToString()),
      hint);
}

}  // namespace

Status CastError(std::string_view value, const LogicalType& target, std::string_view cause) {
  return MakeError(
      ErrorKind::kValidation,
      fmt::format("cannot cast '{}' to {}: {}", value,
                  types::WithNullability(std::make_shared<LogicalType>(target), true)->ToString(),
                  cause),
      "Correct the value, or use TRY_CAST, which gives NULL for values that cannot be converted.");
}

Result<std::shared_ptr<arrow::Buffer>> CopyValidity(const arrow::Array& values,
                                                    const EvaluationContext& context) {
  if (values.null_count() == 0) {
    return std::shared_ptr<arrow::Buffer>();
  }
  if (values.offset() == 0) {
    return values.null_bitmap();
  }
  return arrow::internal::CopyBitmap(PoolOf(context), values.null_bitmap_data(), values.offset(),
                                     values.length());
}

Result<std::shared_ptr<arrow::Array>> CastArray(std::shared_ptr<arrow::Array> values,
                                                const CastCall& call) {
  const LogicalType& source = call.source;
  const LogicalType& target = call.target;
  if (source.root() == TypeRoot::kNull) {
    return arrow::MakeArrayOfNull(types::ToArrow(target), values->length(), PoolOf(call.context));
  }
  if (types::FindCast(source, target) == types::CastKind::kNone) {
    return CannotCast(source, target);
  }
  if (IsSameRepresentation(source, target)) {
    return WithType(values, target);
  }
  if (IsText(target)) {
    return CastToText(*values, call);
  }
  if (IsText(source)) {
    return CastFromText(*values, call);
  }
  if (IsNumberLike(source) && IsNumberLike(target)) {
    return CastNumbers(values, call);
  }
  if (IsTime(source) && IsTime(target)) {
    return CastTimes(values, call);
  }
  if (IsNested(source) && IsNested(target)) {
    return CastNested(values, call);
  }
  return CannotCast(source, target);
}

bool CastMayFail(const LogicalType& source, const LogicalType& target) {
  if (IsText(source)) {
    return !IsText(target);
  }
  if (!IsNested(source) || !IsNested(target)) {
    return false;
  }
  for (size_t i = 0; i < source.children().size() && i < target.children().size(); ++i) {
    if (CastMayFail(*source.children()[i], *target.children()[i])) {
      return true;
    }
  }
  for (size_t i = 0; i < source.fields().size() && i < target.fields().size(); ++i) {
    if (CastMayFail(*source.fields()[i].type, *target.fields()[i].type)) {
      return true;
    }
  }
  return false;
}

}  // namespace lakeward::expr
