#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arrow/record_batch.h"
#include "lakeward/format/format.h"

namespace lakeward::format {

/// Counts the NaN of a file's FLOAT and DOUBLE columns, which footers do not tell: their bounds
/// leave NaN out, so a reader may only rely on them where there is none. Columns inside of lists
/// and maps are not counted. One thread.
class NanCounts {
 public:
  void Add(const arrow::RecordBatch& batch);
  /// Sets `nan_count` of the leaf columns, which are in the order of the file's schema.
  void SetIn(std::vector<ColumnStatistics>* leaves) const;

 private:
  std::vector<std::optional<int64_t>> counts_;  ///< by leaf, depth first
};

}  // namespace lakeward::format
