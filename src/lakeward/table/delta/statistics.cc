#include "lakeward/table/delta/statistics.h"

#include <cmath>
#include <limits>
#include <utility>

#include "lakeward/table/delta/calendar.h"

// Source: protocol, "Per-file Statistics".

namespace lakeward::delta {
namespace {

using json::Json;
using types::LogicalType;
using types::TypeRoot;

// The greatest ASCII character and the greatest of all.
constexpr char kGreatestAscii = '\x7F';
constexpr std::string_view kGreatest = "\xF4\x8F\xBF\xBF";

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

/// The number of bytes of the first `count` characters.
size_t PrefixBytes(std::string_view text, int count) {
  size_t end = 0;
  while (end < text.size()) {
    if (!IsContinuation(text[end])) {
      if (count == 0) {
        return end;
      }
      --count;
    }
    ++end;
  }
  return end;
}

/// Spark and others cut timestamps to milliseconds: the true maximum may be up to this much later.
constexpr int64_t kTimestampSlackMicros = 999;

std::optional<BoundValue> Whole(std::optional<int64_t> value) {
  if (!value.has_value()) {
    return std::nullopt;
  }
  BoundValue bound;
  bound.whole = *value;
  return bound;
}

std::optional<BoundValue> Number(const Json& value, const LogicalType& type, bool is_maximum) {
  if (!value.is_number()) {
    return std::nullopt;
  }
  BoundValue bound;
  bound.kind = BoundValue::Kind::kDouble;
  // The text may have been rounded to the column's type, a decimal is rounded here.
  const double outwards = is_maximum ? std::numeric_limits<double>::infinity()
                                     : -std::numeric_limits<double>::infinity();
  bound.number = value.get<double>();
  if (type.root() == TypeRoot::kFloat) {
    const auto narrowed = static_cast<float>(bound.number);
    bound.number = std::nextafter(narrowed, static_cast<float>(outwards));
  } else {
    bound.number = std::nextafter(bound.number, outwards);
  }
  return bound;
}

std::optional<BoundValue> ReadBound(const Json& value, const LogicalType& type, bool is_maximum) {
  switch (type.root()) {
    case TypeRoot::kTinyInt:
    case TypeRoot::kSmallInt:
    case TypeRoot::kInteger:
    case TypeRoot::kBigInt:
      return value.is_number_integer() &&
                     !(value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX)
                 ? Whole(value.get<int64_t>())
                 : std::nullopt;
    case TypeRoot::kFloat:
    case TypeRoot::kDouble:
    case TypeRoot::kDecimal:
      return Number(value, type, is_maximum);
    case TypeRoot::kDate:
      return value.is_string() ? Whole(ParseDate(value.get_ref<const std::string&>()))
                               : std::nullopt;
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz: {
      std::optional<int64_t> micros =
          value.is_string() ? ParseTimestamp(value.get_ref<const std::string&>()) : std::nullopt;
      if (micros.has_value() && is_maximum) {
        *micros += kTimestampSlackMicros;
      }
      return Whole(micros);
    }
    case TypeRoot::kChar:
    case TypeRoot::kVarChar: {
      if (!value.is_string()) {
        return std::nullopt;
      }
      BoundValue bound;
      bound.kind = BoundValue::Kind::kText;
      bound.text = value.get<std::string>();
      // A maximum that was cut without a greatest character behind it is a prefix of the true one.
      if (is_maximum && PrefixBytes(bound.text, kBoundCharacters) >= bound.text.size() &&
          PrefixBytes(bound.text, kBoundCharacters - 1) < bound.text.size()) {
        bound.text += kGreatest;
      }
      return bound;
    }
    default:
      return std::nullopt;
  }
}

const Json* Member(const Json& object, const char* name) {
  const Json* found = object.is_object() ? json::Find(object, name) : nullptr;
  return found == nullptr || found->is_null() ? nullptr : found;
}

}  // namespace

std::string CutMinimum(std::string_view text) {
  return std::string(text.substr(0, PrefixBytes(text, kBoundCharacters)));
}

std::optional<std::string> CutMaximum(std::string_view text) {
  const size_t end = PrefixBytes(text, kBoundCharacters);
  if (end == text.size()) {
    return std::string(text);
  }
  std::string cut(text.substr(0, end));
  const std::string_view rest = text.substr(end);
  if (static_cast<uint8_t>(rest.front()) < static_cast<uint8_t>(kGreatestAscii)) {
    return cut + kGreatestAscii;
  }
  if (rest.starts_with(kGreatest)) {
    return std::nullopt;
  }
  return cut.append(kGreatest);
}

FileBounds FileBounds::Parse(const std::string& statistics_json, bool has_deletion_vector) {
  FileBounds bounds;
  bounds.has_deletion_vector_ = has_deletion_vector;
  if (statistics_json.empty()) {
    return bounds;
  }
  Result<Json> document = json::Parse(statistics_json, "stats");
  if (!document.ok() || !document->is_object()) {
    return bounds;
  }
  bounds.document_ = *std::move(document);
  const Json* count = Member(bounds.document_, "numRecords");
  if (count != nullptr && count->is_number_integer()) {
    bounds.record_count_ = count->get<int64_t>();
  }
  return bounds;
}

ColumnBounds FileBounds::Column(const std::string& name, const LogicalType& type) const {
  ColumnBounds bounds;
  const auto column = [&](const char* group) -> const Json* {
    const Json* columns = Member(document_, group);
    return columns == nullptr ? nullptr : Member(*columns, name.c_str());
  };
  if (const Json* minimum = column("minValues")) {
    bounds.minimum = ReadBound(*minimum, type, false);
  }
  if (const Json* maximum = column("maxValues")) {
    bounds.maximum = ReadBound(*maximum, type, true);
  }
  // With a deletion vector the counts are those before the deletion and may be wide.
  const Json* null_count = column("nullCount");
  if (null_count != nullptr && null_count->is_number_integer() && !has_deletion_vector_) {
    bounds.null_count = null_count->get<int64_t>();
  }
  return bounds;
}

}  // namespace lakeward::delta
