#include "lakeward/connector/print/row_text.h"

#include <cstdint>

#include "arrow/array/array_nested.h"
#include "arrow/array/array_primitive.h"
#include "arrow/type.h"
#include "fmt/format.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::connector {
namespace {

/// java.time's LocalDateTime.toString(): seconds only when needed, the fraction in 3, 6 or 9
/// digits.
std::string IsoTime(std::string_view printed) {
  // `printed` is "HH:MM:SS[.fraction]".
  std::string time(printed.substr(0, 8));
  std::string fraction(printed.size() > 9 ? printed.substr(9) : "");
  while (!fraction.empty() && fraction.back() == '0') {
    fraction.pop_back();
  }
  while (!fraction.empty() && fraction.size() % 3 != 0) {
    fraction.push_back('0');
  }
  if (!fraction.empty()) {
    return time + "." + fraction;
  }
  return time.ends_with(":00") ? time.substr(0, 5) : time;
}

std::string TemporalText(const arrow::Array& array, int64_t row, const types::LogicalType& type) {
  // An instant's external form is java.time.Instant, which is always shown in UTC.
  std::string printed = types::PrintedForm(array, row, type, types::TimeZone());
  if (type.root() == types::TypeRoot::kDate) {
    return printed;
  }
  if (type.root() == types::TypeRoot::kTime) {
    return IsoTime(printed);
  }
  const size_t space = printed.find(' ');
  if (space == std::string::npos) {
    return printed;
  }
  const std::string date = printed.substr(0, space);
  std::string time = IsoTime(std::string_view(printed).substr(space + 1));
  if (type.root() == types::TypeRoot::kTimestampLtz) {
    return date + "T" + (time.size() == 5 ? time + ":00" : time) + "Z";
  }
  return date + "T" + time;
}

void AppendList(const arrow::ListArray& list, int64_t row, const types::LogicalType& element,
                const types::TimeZone& zone, std::string* text) {
  *text += '[';
  for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
    if (i != list.value_offset(row)) {
      *text += ", ";
    }
    AppendRowText(*list.values(), i, element, zone, text);
  }
  *text += ']';
}

void AppendMap(const arrow::MapArray& map, int64_t row, const types::LogicalType& key,
               const types::LogicalType& value, const types::TimeZone& zone, std::string* text) {
  *text += '{';
  for (int64_t i = map.value_offset(row); i < map.value_offset(row + 1); ++i) {
    if (i != map.value_offset(row)) {
      *text += ", ";
    }
    AppendRowText(*map.keys(), i, key, zone, text);
    *text += '=';
    AppendRowText(*map.items(), i, value, zone, text);
  }
  *text += '}';
}

}  // namespace

void AppendRowText(const arrow::Array& array, int64_t row, const types::LogicalType& type,
                   const types::TimeZone& zone, std::string* text) {
  if (array.IsNull(row)) {
    *text += "null";
    return;
  }
  switch (type.root()) {
    case types::TypeRoot::kBoolean:
      *text += static_cast<const arrow::BooleanArray&>(array).Value(row) ? "true" : "false";
      return;
    case types::TypeRoot::kDate:
    case types::TypeRoot::kTime:
    case types::TypeRoot::kTimestamp:
    case types::TypeRoot::kTimestampLtz:
      *text += TemporalText(array, row, type);
      return;
    case types::TypeRoot::kArray:
      AppendList(static_cast<const arrow::ListArray&>(array), row, *type.children()[0], zone, text);
      return;
    case types::TypeRoot::kMultiset:
      AppendMap(static_cast<const arrow::MapArray&>(array), row, *type.children()[0],
                *types::Int(false), zone, text);
      return;
    case types::TypeRoot::kMap:
      AppendMap(static_cast<const arrow::MapArray&>(array), row, *type.children()[0],
                *type.children()[1], zone, text);
      return;
    case types::TypeRoot::kRow: {
      const auto& row_array = static_cast<const arrow::StructArray&>(array);
      *text += "+I[";
      for (size_t i = 0; i < type.fields().size(); ++i) {
        if (i != 0) {
          *text += ", ";
        }
        AppendRowText(*row_array.field(static_cast<int>(i)), row, *type.fields()[i].type, zone,
                      text);
      }
      *text += ']';
      return;
    }
    default:
      *text += types::PrintedForm(array, row, type, zone);
  }
}

}  // namespace lakeward::connector
