#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "arrow/scalar.h"
#include "arrow/util/decimal.h"
#include "fmt/format.h"
#include "lakeward/json/json.h"
#include "lakeward/table/delta/calendar.h"
#include "lakeward/table/delta/delta_table.h"
#include "lakeward/table/delta/statistics.h"
#include "lakeward/types/civil_time.h"

// Source: protocol, "Per-file Statistics"; table properties delta.dataSkippingNumIndexedCols and
// delta.dataSkippingStatsColumns as Delta's documentation on data skipping has them.

namespace lakeward::delta {
namespace {

using types::LogicalType;
using types::TypeRoot;

constexpr int64_t kIndexedColumnsDefault = 32;

enum class Bound : uint8_t { kMinimum, kMaximum };

/// The text of a JSON value, nothing where the bound cannot be written so that every reader
/// understands it. A missing bound is always right.
using BoundText = std::optional<std::string>;

BoundText Quoted(const std::string& text) { return json::Write(json::Json(text)); }

BoundText DoubleText(double value) {
  // JSON has no infinities; readers disagree about their spelling.
  if (!std::isfinite(value)) {
    return std::nullopt;
  }
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, written.ptr);
}

BoundText FloatText(float value) {
  if (!std::isfinite(value)) {
    return std::nullopt;
  }
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, written.ptr);
}

/// Milliseconds, the minimum rounded down and the maximum up: the protocol lets writers cut
/// timestamps to milliseconds and asks readers to allow for it, but not all do.
BoundText TimestampText(int64_t micros, bool with_zone, Bound bound) {
  const int64_t rounded =
      bound == Bound::kMinimum || micros > INT64_MAX - 999 ? micros : micros + 999;
  const std::optional<std::string> text = FormatTimestamp(
      rounded, with_zone ? TimestampForm::kIsoUtcMillis : TimestampForm::kIsoMillis);
  return text.has_value() ? Quoted(*text) : std::nullopt;
}

BoundText StringBound(std::string_view value, Bound bound) {
  const std::optional<std::string> cut =
      bound == Bound::kMinimum ? std::optional<std::string>(CutMinimum(value)) : CutMaximum(value);
  return cut.has_value() ? Quoted(*cut) : std::nullopt;
}

template <typename ArrowScalar>
const auto& ValueOf(const arrow::Scalar& scalar) {
  return static_cast<const ArrowScalar&>(scalar).value;
}

/// Only types that data skipping compares have bounds; BOOLEAN and BYTES have none.
BoundText TextOfBound(const arrow::Scalar& value, const LogicalType& type, Bound bound) {
  switch (type.root()) {
    case TypeRoot::kTinyInt:
      return std::to_string(ValueOf<arrow::Int8Scalar>(value));
    case TypeRoot::kSmallInt:
      return std::to_string(ValueOf<arrow::Int16Scalar>(value));
    case TypeRoot::kInteger:
      return std::to_string(ValueOf<arrow::Int32Scalar>(value));
    case TypeRoot::kBigInt:
      return std::to_string(ValueOf<arrow::Int64Scalar>(value));
    case TypeRoot::kFloat:
      return FloatText(ValueOf<arrow::FloatScalar>(value));
    case TypeRoot::kDouble:
      return DoubleText(ValueOf<arrow::DoubleScalar>(value));
    case TypeRoot::kDecimal:
      return ValueOf<arrow::Decimal128Scalar>(value).ToString(type.scale());
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return StringBound(ValueOf<arrow::BaseBinaryScalar>(value)->ToString(), bound);
    case TypeRoot::kDate: {
      const std::optional<std::string> date = FormatDate(ValueOf<arrow::Date32Scalar>(value));
      return date.has_value() ? Quoted(*date) : std::nullopt;
    }
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return TimestampText(ValueOf<arrow::TimestampScalar>(value),
                           type.root() == TypeRoot::kTimestampLtz, bound);
    default:
      return std::nullopt;
  }
}

/// A tree of JSON texts, written in the order in which members were added.
class TextTree {
 public:
  void Set(const std::vector<std::string>& path, std::string text) {
    TextTree* node = this;
    for (const std::string& name : path) {
      node = node->Child(name);
    }
    node->text_ = std::move(text);
  }

  std::string Write() const {
    if (!text_.empty()) {
      return text_;
    }
    std::string object = "{";
    for (const auto& [name, child] : children_) {
      if (object.size() > 1) {
        object += ',';
      }
      object += json::Write(json::Json(name)) + ":" + child.Write();
    }
    return object + "}";
  }

 private:
  TextTree* Child(const std::string& name) {
    for (auto& [child_name, child] : children_) {
      if (child_name == name) {
        return &child;
      }
    }
    return &children_.emplace_back(name, TextTree()).second;
  }

  std::string text_;
  std::vector<std::pair<std::string, TextTree>> children_;
};

/// Splits "a, b.c, `d.e`.f" into paths.
std::vector<std::vector<std::string>> ParseColumnList(std::string_view text) {
  std::vector<std::vector<std::string>> columns;
  std::vector<std::string> path;
  std::string name;
  bool quoted = false;
  const auto end_name = [&] {
    if (!name.empty()) {
      path.push_back(std::exchange(name, ""));
    }
  };
  const auto end_column = [&] {
    end_name();
    if (!path.empty()) {
      columns.push_back(std::exchange(path, {}));
    }
  };
  for (const char c : text) {
    if (c == '`') {
      quoted = !quoted;
    } else if (quoted) {
      name += c;
    } else if (c == ',') {
      end_column();
    } else if (c == '.') {
      end_name();
    } else if (c != ' ') {
      name += c;
    }
  }
  end_column();
  return columns;
}

/// Which leaves of the data files get statistics. Leaves inside of arrays and maps get none, but
/// count.
class IndexedColumns {
 public:
  IndexedColumns(const types::RowSchema& schema, const Metadata& metadata) {
    const std::set<std::string> partition_columns(metadata.partition_columns.begin(),
                                                  metadata.partition_columns.end());
    const auto& configuration = metadata.configuration;
    const auto listed = configuration.find("delta.dataSkippingStatsColumns");
    if (listed != configuration.end()) {
      listed_ = ParseColumnList(listed->second);
      limit_ = -1;
    } else if (const auto count = configuration.find("delta.dataSkippingNumIndexedCols");
               count != configuration.end()) {
      std::from_chars(count->second.data(), count->second.data() + count->second.size(), limit_);
    }
    std::vector<std::string> path;
    for (const types::Column& column : schema.columns) {
      if (!partition_columns.contains(column.name)) {
        path = {column.name};
        AddLeaves(*column.type, &path, listed == configuration.end());
      }
    }
  }

  /// Null when the column gets no statistics.
  const LogicalType* Find(const std::vector<std::string>& path) const {
    const auto found = leaves_.find(path);
    return found == leaves_.end() ? nullptr : found->second;
  }

 private:
  void AddLeaves(const LogicalType& type, std::vector<std::string>* path, bool included) {
    included = included || IsListed(*path);
    if (type.root() == TypeRoot::kRow) {
      for (const types::RowField& field : type.fields()) {
        path->push_back(field.name);
        AddLeaves(*field.type, path, included);
        path->pop_back();
      }
      return;
    }
    const bool within_limit = limit_ < 0 || counted_ < limit_;
    ++counted_;
    if (included && within_limit && type.children().empty()) {
      leaves_.emplace(*path, &type);
    }
  }

  bool IsListed(const std::vector<std::string>& path) const {
    for (const std::vector<std::string>& column : listed_) {
      if (column == path) {
        return true;
      }
    }
    return false;
  }

  int64_t limit_ = kIndexedColumnsDefault;
  int64_t counted_ = 0;
  std::vector<std::vector<std::string>> listed_;
  std::map<std::vector<std::string>, const LogicalType*> leaves_;
};

/// The parquet footer leaves NaN out of its bounds, while Delta's readers take NaN for the largest
/// value: a maximum counts only where it is known that there is no NaN.
bool MayHaveMaximum(const format::ColumnStatistics& column, const LogicalType& type) {
  return !type.IsApproximateNumeric() || column.nan_count == 0;
}

}  // namespace

std::string StatisticsToJson(const format::FileStatistics& statistics,
                             const types::RowSchema& schema, const Metadata& metadata) {
  const IndexedColumns indexed(schema, metadata);
  TextTree minimums;
  TextTree maximums;
  TextTree null_counts;
  for (const format::ColumnStatistics& column : statistics.columns) {
    const LogicalType* type = indexed.Find(column.path);
    if (type == nullptr) {
      continue;
    }
    null_counts.Set(column.path, std::to_string(column.null_count));
    if (column.minimum != nullptr && column.minimum->is_valid) {
      if (const BoundText text = TextOfBound(*column.minimum, *type, Bound::kMinimum)) {
        minimums.Set(column.path, *text);
      }
    }
    if (column.maximum != nullptr && column.maximum->is_valid && MayHaveMaximum(column, *type)) {
      if (const BoundText text = TextOfBound(*column.maximum, *type, Bound::kMaximum)) {
        maximums.Set(column.path, *text);
      }
    }
  }
  return fmt::format(R"({{"numRecords":{},"minValues":{},"maxValues":{},"nullCount":{}}})",
                     statistics.row_count, minimums.Write(), maximums.Write(), null_counts.Write());
}

}  // namespace lakeward::delta
