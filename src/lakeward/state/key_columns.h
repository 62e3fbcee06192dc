#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/array.h"
#include "arrow/type.h"
#include "lakeward/base/status.h"

namespace arrow {
class MemoryPool;
}

namespace lakeward::state {

/// One key column's values by key id, in memory that grows. Single-threaded.
class KeyColumn {
 public:
  /// kUnsupported for nested types.
  static Result<std::unique_ptr<KeyColumn>> Make(std::shared_ptr<arrow::DataType> type,
                                                 arrow::MemoryPool* pool);
  virtual ~KeyColumn() = default;

  /// Sets the values of `ids` to those of `rows` of `values`; ids may be new, up to `id_bound` - 1.
  virtual Status Set(const arrow::Array& values, const std::vector<int32_t>& rows,
                     const std::vector<int32_t>& ids, int64_t id_bound) = 0;

  /// Clears `equal[i]` where row i of `values` differs from the value of `ids[i]`.
  virtual void ClearWhereDifferent(const arrow::Array& values, const int32_t* ids,
                                   uint8_t* equal) const = 0;

  /// Whether one row of `values` equals the value of `id`.
  virtual bool Equals(const arrow::Array& values, int64_t row, int32_t id) const = 0;

  /// The key is gone: its memory may be used again.
  virtual void Forget(int32_t id) = 0;

  virtual Result<std::shared_ptr<arrow::Array>> Get(const int32_t* ids, int64_t count) const = 0;
};

}  // namespace lakeward::state
