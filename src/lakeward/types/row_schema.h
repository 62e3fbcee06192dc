#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/types/logical_type.h"

namespace lakeward::types {

/// A named, typed column of a row that flows through a plan.
struct Column {
  std::string name;
  TypePtr type;
};

/// The columns of a relation, in order. Names may repeat in intermediate results. A value.
struct RowSchema {
  std::vector<Column> columns;

  int size() const { return static_cast<int>(columns.size()); }
  /// The first column of exactly this name.
  std::optional<int> FindColumn(std::string_view name) const;
  std::vector<std::string> Names() const;
  /// "[a: INT, b: STRING NOT NULL]", as Flink prints schemas in errors.
  std::string ToString() const;
  bool Equals(const RowSchema& other) const;
};

}  // namespace lakeward::types
