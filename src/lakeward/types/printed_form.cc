#include "lakeward/types/printed_form.h"

#include <algorithm>

#include "arrow/type.h"
#include "arrow/util/checked_cast.h"
#include "lakeward/types/date_time_text.h"
#include "lakeward/types/number_text.h"

namespace lakeward::types {

namespace {

using arrow::internal::checked_cast;

struct Printer {
  const TimeZone& zone;
  PrintStyle style;
  std::string* out;

  template <typename ArrayType>
  static auto ValueAt(const arrow::Array& array, int64_t row) {
    return checked_cast<const ArrayType&>(array).Value(row);
  }

  void Print(const arrow::Array& array, int64_t row, const LogicalType& type) const;
  void PrintBytes(std::string_view bytes) const;
  void PrintTimestamp(const arrow::Array& array, int64_t row, const LogicalType& type) const;
  void PrintArray(const arrow::Array& array, int64_t row, const LogicalType& type) const;
  void PrintMap(const arrow::Array& array, int64_t row, const LogicalType& type) const;
  void PrintRow(const arrow::Array& array, int64_t row, const LogicalType& type) const;
};

void Printer::PrintBytes(std::string_view bytes) const {
  if (style == PrintStyle::kCast) {
    out->append(bytes);
    return;
  }
  constexpr char kHex[] = "0123456789abcdef";
  out->append("x'");
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out->push_back(kHex[byte >> 4]);
    out->push_back(kHex[byte & 15]);
  }
  out->push_back('\'');
}

void Printer::PrintTimestamp(const arrow::Array& array, int64_t row,
                             const LogicalType& type) const {
  int64_t value = ValueAt<arrow::TimestampArray>(array, row);
  const auto unit = checked_cast<const arrow::TimestampType&>(*array.type()).unit();
  if (type.root() == TypeRoot::kTimestampLtz) {
    if (unit == arrow::TimeUnit::NANO) {
      const int64_t micros = value / 1'000 - (value % 1'000 < 0 ? 1 : 0);
      value += (zone.ToLocal(micros) - micros) * 1'000;
    } else {
      value = zone.ToLocal(value);
    }
  }
  AppendTimestamp(value, unit, type.precision(), out);
}

void Printer::PrintArray(const arrow::Array& array, int64_t row, const LogicalType& type) const {
  const auto& list = checked_cast<const arrow::ListArray&>(array);
  out->push_back('[');
  for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
    if (i > list.value_offset(row)) {
      out->append(", ");
    }
    Print(*list.values(), i, *type.children()[0]);
  }
  out->push_back(']');
}

void Printer::PrintMap(const arrow::Array& array, int64_t row, const LogicalType& type) const {
  const auto& map = checked_cast<const arrow::MapArray&>(array);
  out->push_back('{');
  for (int64_t i = map.value_offset(row); i < map.value_offset(row + 1); ++i) {
    if (i > map.value_offset(row)) {
      out->append(", ");
    }
    Print(*map.keys(), i, *type.children()[0]);
    out->push_back('=');
    if (type.root() == TypeRoot::kMultiset) {
      AppendInteger(ValueAt<arrow::Int32Array>(*map.items(), i), out);
    } else {
      Print(*map.items(), i, *type.children()[1]);
    }
  }
  out->push_back('}');
}

void Printer::PrintRow(const arrow::Array& array, int64_t row, const LogicalType& type) const {
  const auto& structure = checked_cast<const arrow::StructArray&>(array);
  out->push_back('(');
  for (size_t i = 0; i < type.fields().size(); ++i) {
    if (i > 0) {
      out->append(", ");
    }
    Print(*structure.field(static_cast<int>(i)), row, *type.fields()[i].type);
  }
  out->push_back(')');
}

void Printer::Print(const arrow::Array& array, int64_t row, const LogicalType& type) const {
  if (array.IsNull(row)) {
    out->append("NULL");
    return;
  }
  switch (type.root()) {
    case TypeRoot::kNull:
      out->append("NULL");
      return;
    case TypeRoot::kBoolean:
      out->append(ValueAt<arrow::BooleanArray>(array, row) ? "TRUE" : "FALSE");
      return;
    case TypeRoot::kTinyInt:
      return AppendInteger(ValueAt<arrow::Int8Array>(array, row), out);
    case TypeRoot::kSmallInt:
      return AppendInteger(ValueAt<arrow::Int16Array>(array, row), out);
    case TypeRoot::kInteger:
      return AppendInteger(ValueAt<arrow::Int32Array>(array, row), out);
    case TypeRoot::kBigInt:
      return AppendInteger(ValueAt<arrow::Int64Array>(array, row), out);
    case TypeRoot::kFloat:
      return AppendFloat(ValueAt<arrow::FloatArray>(array, row), out);
    case TypeRoot::kDouble:
      return AppendDouble(ValueAt<arrow::DoubleArray>(array, row), out);
    case TypeRoot::kDecimal:
      return AppendDecimal(
          arrow::Decimal128(checked_cast<const arrow::Decimal128Array&>(array).GetValue(row)),
          type.scale(), out);
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      out->append(checked_cast<const arrow::StringArray&>(array).GetView(row));
      return;
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return PrintBytes(checked_cast<const arrow::BinaryArray&>(array).GetView(row));
    case TypeRoot::kDate:
      return AppendDate(ValueAt<arrow::Date32Array>(array, row), out);
    case TypeRoot::kTime:
      return AppendTime(ValueAt<arrow::Time64Array>(array, row), type.precision(), out);
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return PrintTimestamp(array, row, type);
    case TypeRoot::kIntervalYearMonth:
      return AppendIntervalYearMonth(ValueAt<arrow::Int32Array>(array, row), out);
    case TypeRoot::kIntervalDayTime:
      return AppendIntervalDayTime(ValueAt<arrow::Int64Array>(array, row), out);
    case TypeRoot::kArray:
      return PrintArray(array, row, type);
    case TypeRoot::kMultiset:
    case TypeRoot::kMap:
      return PrintMap(array, row, type);
    case TypeRoot::kRow:
      return PrintRow(array, row, type);
  }
}

}  // namespace

std::string PrintedForm(const arrow::Array& array, int64_t row, const LogicalType& type,
                        const TimeZone& zone, PrintStyle style) {
  if (array.IsNull(row)) {
    return "<NULL>";
  }
  std::string text;
  AppendPrintedForm(array, row, type, zone, style, &text);
  return text;
}

void AppendPrintedForm(const arrow::Array& array, int64_t row, const LogicalType& type,
                       const TimeZone& zone, PrintStyle style, std::string* out) {
  Printer{zone, style, out}.Print(array, row, type);
}

int TableauWidth(const LogicalType& type) {
  constexpr int kNullWidth = 6;  // "<NULL>" fits into every column
  constexpr int kDefaultWidth = 30;
  const int fraction = type.precision() == 0 ? 0 : type.precision() + 1;
  switch (type.root()) {
    case TypeRoot::kBoolean:
    case TypeRoot::kTinyInt:
    case TypeRoot::kSmallInt:
      return kNullWidth;
    case TypeRoot::kInteger:
      return 11;
    case TypeRoot::kBigInt:
      return 20;
    case TypeRoot::kDecimal:
      return std::max(kNullWidth, type.precision() + 2);
    case TypeRoot::kDate:
      return 10;
    case TypeRoot::kTime:
      return 8 + fraction;
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return 19 + fraction;
    default:
      return kDefaultWidth;
  }
}

}  // namespace lakeward::types
