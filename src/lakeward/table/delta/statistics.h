#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/json/json.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::delta {

/// How many characters of a string's bounds are kept.
inline constexpr int kBoundCharacters = 32;

/// The first kBoundCharacters characters: never greater than the text.
std::string CutMinimum(std::string_view text);

/// A text of at least the first kBoundCharacters characters that is not less than the given one (in
/// byte order): cut and a greatest character put behind. Nothing when the characters from there on
/// are themselves greatest ones.
std::optional<std::string> CutMaximum(std::string_view text);

/// One bound of a column as values are compared here: whole numbers (also dates in days, timestamps
/// in µs), doubles (also FLOAT and DECIMAL, which may be off by a rounding), or bytes.
struct BoundValue {
  enum class Kind : uint8_t { kWhole, kDouble, kText } kind = Kind::kWhole;
  int64_t whole = 0;
  double number = 0;
  std::string text;
};

/// What statistics say of one column of one file. Absent means unknown.
struct ColumnBounds {
  std::optional<BoundValue> minimum;
  std::optional<BoundValue> maximum;
  std::optional<int64_t> null_count;
  bool exact = false;  ///< minimum and maximum are the very values (partition columns)
};

/// The `stats` of one file, read member by member. Whatever is missing, of another type or marked
/// as unreliable counts as unknown.
class FileBounds {
 public:
  /// Damaged text gives bounds that know nothing.
  static FileBounds Parse(const std::string& statistics_json, bool has_deletion_vector);

  std::optional<int64_t> record_count() const { return record_count_; }
  ColumnBounds Column(const std::string& name, const types::LogicalType& type) const;

 private:
  json::Json document_ = json::Json::object();
  std::optional<int64_t> record_count_;
  bool has_deletion_vector_ = false;
};

}  // namespace lakeward::delta
