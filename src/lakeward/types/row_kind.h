#pragma once

#include <cstdint>
#include <string_view>

namespace lakeward::types {

/// What a row does to a changelog; the numbers are Flink's and stand in batches as int8.
enum class RowKind : int8_t {
  kInsert = 0,
  kUpdateBefore = 1,
  kUpdateAfter = 2,
  kDelete = 3,
};

/// "+I", "-U", "+U", "-D".
constexpr std::string_view ToShortString(RowKind kind) {
  switch (kind) {
    case RowKind::kInsert:
      return "+I";
    case RowKind::kUpdateBefore:
      return "-U";
    case RowKind::kUpdateAfter:
      return "+U";
    case RowKind::kDelete:
      return "-D";
  }
  return "??";
}

/// Whether a row of this kind adds to (+I, +U) or takes from (-U, -D) the result.
constexpr bool IsAdditive(RowKind kind) {
  return kind == RowKind::kInsert || kind == RowKind::kUpdateAfter;
}

}  // namespace lakeward::types
