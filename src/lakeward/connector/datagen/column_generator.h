#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/array.h"
#include "lakeward/base/status.h"
#include "lakeward/config/option.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::connector {

/// Which rows to make: numbers first, first + step, … in a sequence of rows shared by all splits.
struct RowRange {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
  int64_t now_us = 0;  ///< wall time of the batch, for DATE, TIME and TIMESTAMP columns
  uint64_t seed = 0;
};

/// Makes one column. Immutable, thread-safe.
class ColumnGenerator {
 public:
  virtual ~ColumnGenerator() = default;
  virtual Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const = 0;
  /// How many rows a sequence has; nothing for random columns.
  virtual std::optional<int64_t> row_bound() const { return std::nullopt; }
};

/// The generator that `fields.<column>.*` ask for; kConfig or kUnsupported name column and option.
Result<std::unique_ptr<ColumnGenerator>> MakeColumnGenerator(const types::Column& column,
                                                             int column_number,
                                                             const config::OptionMap& options);

/// Declarations of `fields.#.*`.
std::vector<config::OptionInfo> ColumnGeneratorOptions();

}  // namespace lakeward::connector
