#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/array.h"
#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/state/operator_state.h"

namespace arrow {
class MemoryPool;
}

namespace lakeward::state {

/// The hash of each row's key columns, stable across runs, machines and versions: exchanges and
/// state agree on it, checkpoints depend on it. Nulls hash alike and equal each other (GROUP BY's
/// equality); -0.0 is another key than 0.0, every NaN is one. Any physical type of
/// types/arrow_mapping.h.
Status HashRows(const std::vector<std::shared_ptr<arrow::Array>>& key_columns, int64_t row_count,
                std::vector<uint64_t>* hashes);

/// Distinct keys and the dense ids (0, 1, 2, …) given to them in order of first appearance; ids of
/// removed keys are used again. Open addressing on the 64-bit hash. Single-threaded.
class KeyIndex {
 public:
  static Result<std::unique_ptr<KeyIndex>> Make(
      std::vector<std::shared_ptr<arrow::DataType>> key_types, arrow::MemoryPool* pool);
  virtual ~KeyIndex() = default;

  /// Gives each row its key's id, adding keys not seen before.
  virtual Status FindOrInsert(const std::vector<std::shared_ptr<arrow::Array>>& key_columns,
                              const std::vector<uint64_t>& hashes, int32_t* ids) = 0;

  /// One more than the largest id ever given.
  virtual int64_t id_bound() const = 0;
  virtual int64_t key_count() const = 0;

  virtual void Remove(int32_t id) = 0;

  /// Ids in use, ascending.
  virtual std::vector<int32_t> LiveIds() const = 0;
  /// The key columns of the named ids.
  virtual Result<std::vector<std::shared_ptr<arrow::Array>>> Keys(const int32_t* ids,
                                                                  int64_t count) const = 0;
  virtual uint64_t HashOf(int32_t id) const = 0;
};

}  // namespace lakeward::state
