#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/scalar.h"
#include "arrow/util/decimal.h"
#include "arrow/util/utf8.h"
#include "fmt/format.h"
#include "lakeward/fs/partition_path.h"
#include "lakeward/table/delta/calendar.h"
#include "lakeward/table/delta/delta_table.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/number_text.h"

// Source: protocol, "Partition Value Serialization".

namespace lakeward::delta {
namespace {

using types::LogicalType;
using types::TypeRoot;

constexpr size_t kFolderBytesMax = 200;

Status BadValue(std::string_view text, const LogicalType& type) {
  return MakeError(ErrorKind::kCorruptData,
                   fmt::format("the partition value '{}' is no {}", text, type.ToString()));
}

Status CannotPartitionBy(const LogicalType& type) {
  return MakeError(
      ErrorKind::kUnsupported,
      fmt::format("a Delta table cannot be partitioned by a column of type {}", type.ToString()),
      "Partition by a column of a simple type.");
}

template <typename ArrowScalar>
Result<std::shared_ptr<arrow::Scalar>> ParseInteger(std::string_view text,
                                                    const LogicalType& type) {
  typename ArrowScalar::ValueType value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    return BadValue(text, type);
  }
  return std::make_shared<ArrowScalar>(value);
}

template <typename ArrowScalar>
Result<std::shared_ptr<arrow::Scalar>> ParseFloating(std::string_view text,
                                                     const LogicalType& type) {
  // from_chars knows "nan" and "infinity" of any case but no leading '+'.
  std::string_view digits = text;
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  typename ArrowScalar::ValueType value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec == std::errc::result_out_of_range || parsed.ptr != digits.data() + digits.size() ||
      digits.empty()) {
    return BadValue(text, type);
  }
  return std::make_shared<ArrowScalar>(value);
}

Result<std::shared_ptr<arrow::Scalar>> ParseDecimalValue(std::string_view text,
                                                         const LogicalType& type) {
  arrow::Decimal128 value;
  int32_t precision = 0;
  int32_t scale = 0;
  if (!arrow::Decimal128::FromString(text, &value, &precision, &scale).ok()) {
    return BadValue(text, type);
  }
  const auto rescaled = value.Rescale(scale, type.scale());
  if (!rescaled.ok() || !rescaled->FitsInPrecision(type.precision())) {
    return BadValue(text, type);
  }
  return std::make_shared<arrow::Decimal128Scalar>(*rescaled, types::ToArrow(type));
}

Result<std::shared_ptr<arrow::Scalar>> ParseBoolean(std::string_view text,
                                                    const LogicalType& type) {
  // Spark writes lower case; other writers have used upper case.
  if (text == "true" || text == "TRUE" || text == "True") {
    return std::make_shared<arrow::BooleanScalar>(true);
  }
  if (text == "false" || text == "FALSE" || text == "False") {
    return std::make_shared<arrow::BooleanScalar>(false);
  }
  return BadValue(text, type);
}

/// Escaped, and cut between two characters where it is too long for a folder.
std::string FolderPart(std::string_view text) {
  std::string escaped = fs::EscapePartitionPart(text);
  if (escaped.size() > kFolderBytesMax) {
    size_t end = kFolderBytesMax;
    while (end > 0 && (static_cast<uint8_t>(escaped[end]) & 0xC0) == 0x80) {
      --end;
    }
    escaped.resize(end);
  }
  return escaped;
}

template <typename ArrowScalar>
const auto& ValueOf(const arrow::Scalar& scalar) {
  return static_cast<const ArrowScalar&>(scalar).value;
}

}  // namespace

Result<std::shared_ptr<arrow::Scalar>> ParsePartitionValue(const std::optional<std::string>& text,
                                                           const LogicalType& type) {
  // "An empty string for any type translates to a null partition value."
  if (!text.has_value() || text->empty()) {
    return arrow::MakeNullScalar(types::ToArrow(type));
  }
  switch (type.root()) {
    case TypeRoot::kBoolean:
      return ParseBoolean(*text, type);
    case TypeRoot::kTinyInt:
      return ParseInteger<arrow::Int8Scalar>(*text, type);
    case TypeRoot::kSmallInt:
      return ParseInteger<arrow::Int16Scalar>(*text, type);
    case TypeRoot::kInteger:
      return ParseInteger<arrow::Int32Scalar>(*text, type);
    case TypeRoot::kBigInt:
      return ParseInteger<arrow::Int64Scalar>(*text, type);
    case TypeRoot::kFloat:
      return ParseFloating<arrow::FloatScalar>(*text, type);
    case TypeRoot::kDouble:
      return ParseFloating<arrow::DoubleScalar>(*text, type);
    case TypeRoot::kDecimal:
      return ParseDecimalValue(*text, type);
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return std::make_shared<arrow::StringScalar>(*text);
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return std::make_shared<arrow::BinaryScalar>(arrow::Buffer::FromString(*text));
    case TypeRoot::kDate: {
      const std::optional<int64_t> days = ParseDate(*text);
      if (!days.has_value()) {
        return BadValue(*text, type);
      }
      return std::make_shared<arrow::Date32Scalar>(static_cast<int32_t>(*days));
    }
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz: {
      const std::optional<int64_t> micros = ParseTimestamp(*text);
      if (!micros.has_value()) {
        return BadValue(*text, type);
      }
      return std::make_shared<arrow::TimestampScalar>(*micros, types::ToArrow(type));
    }
    default:
      return CannotPartitionBy(type);
  }
}

Result<std::optional<std::string>> SerializePartitionValue(const arrow::Scalar& value,
                                                           const LogicalType& type) {
  if (!value.is_valid) {
    return std::nullopt;
  }
  std::string text;
  switch (type.root()) {
    case TypeRoot::kBoolean:
      return ValueOf<arrow::BooleanScalar>(value) ? "true" : "false";
    case TypeRoot::kTinyInt:
      return std::to_string(ValueOf<arrow::Int8Scalar>(value));
    case TypeRoot::kSmallInt:
      return std::to_string(ValueOf<arrow::Int16Scalar>(value));
    case TypeRoot::kInteger:
      return std::to_string(ValueOf<arrow::Int32Scalar>(value));
    case TypeRoot::kBigInt:
      return std::to_string(ValueOf<arrow::Int64Scalar>(value));
    case TypeRoot::kFloat:
      types::AppendFloat(ValueOf<arrow::FloatScalar>(value), &text);
      return text;
    case TypeRoot::kDouble:
      types::AppendDouble(ValueOf<arrow::DoubleScalar>(value), &text);
      return text;
    case TypeRoot::kDecimal:
      types::AppendDecimal(ValueOf<arrow::Decimal128Scalar>(value), type.scale(), &text);
      return text;
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      text = ValueOf<arrow::BaseBinaryScalar>(value)->ToString();
      if (!arrow::util::ValidateUTF8(text)) {
        return MakeError(
            ErrorKind::kUnsupported,
            "a partition value holds bytes that are not UTF-8 text, which the Delta log "
            "cannot hold",
            "Partition by another column, or by ENCODE'd text.");
      }
      return text.empty() ? std::optional<std::string>() : std::optional<std::string>(text);
    case TypeRoot::kDate: {
      std::optional<std::string> date = FormatDate(ValueOf<arrow::Date32Scalar>(value));
      if (!date.has_value()) {
        return BadValue(std::to_string(ValueOf<arrow::Date32Scalar>(value)), type);
      }
      return date;
    }
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz: {
      // UTC in ISO 8601 is what the protocol recommends for instants.
      std::optional<std::string> timestamp =
          FormatTimestamp(ValueOf<arrow::TimestampScalar>(value),
                          type.root() == TypeRoot::kTimestamp ? TimestampForm::kSpacedMicros
                                                              : TimestampForm::kIsoUtcMicros);
      if (!timestamp.has_value()) {
        return BadValue(std::to_string(ValueOf<arrow::TimestampScalar>(value)), type);
      }
      return timestamp;
    }
    default:
      return CannotPartitionBy(type);
  }
}

std::string PartitionFolder(const std::vector<std::string>& partition_columns,
                            const std::map<std::string, std::optional<std::string>>& values) {
  std::string folder;
  for (const std::string& column : partition_columns) {
    const auto found = values.find(column);
    const bool has_value =
        found != values.end() && found->second.has_value() && !found->second->empty();
    if (!folder.empty()) {
      folder += '/';
    }
    folder += FolderPart(column);
    folder += '=';
    folder += has_value ? FolderPart(*found->second) : "__HIVE_DEFAULT_PARTITION__";
  }
  return folder;
}

}  // namespace lakeward::delta
