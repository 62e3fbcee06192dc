#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/record_batch.h"
#include "lakeward/stream/batch.h"
#include "lakeward/types/row_schema.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::session {

/// Draws tables as Flink's SQL client does in its tableau mode. Makes text; prints nothing.
class Tableau {
 public:
  /// For a changelog: an `op` column, and widths that the types alone decide.
  static Tableau ForChangelog(types::RowSchema schema, types::TimeZone zone,
                              int64_t column_width_max);
  /// For rows that are all here: widths by their content.
  static Tableau ForRows(types::RowSchema schema, types::TimeZone zone,
                         const std::vector<std::shared_ptr<arrow::RecordBatch>>& rows,
                         bool null_as_empty);

  /// The rule, the names, the rule.
  std::string Header() const;
  std::string Rule() const;
  /// A line a row.
  std::string Rows(const stream::Batch& batch) const;

 private:
  Tableau(types::RowSchema schema, types::TimeZone zone, bool with_kinds, bool null_as_empty);
  std::vector<std::string> Cells(const arrow::RecordBatch& records, int64_t row) const;
  std::string Line(const std::vector<std::string>& cells) const;

  types::RowSchema schema_;
  types::TimeZone zone_;
  bool with_kinds_;
  bool null_as_empty_;
  std::vector<int> widths_;
};

}  // namespace lakeward::session
