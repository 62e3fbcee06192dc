#pragma once

#include <memory>
#include <string>

#include "lakeward/table/delta/schema_json.h"
#include "lakeward/table/delta/table_state.h"

namespace lakeward::delta {

/// The Snapshot over a loaded state.
class TableSnapshot final : public Snapshot {
 public:
  /// `table_name` is what errors call it (its URI). kCorruptData when the schema cannot be read at
  /// all or a partition column is not in it.
  static Result<std::shared_ptr<const TableSnapshot>> Make(std::shared_ptr<const TableState> state,
                                                           std::string table_name);

  int64_t version() const override { return state_->version; }
  const Protocol& protocol() const override { return *state_->protocol; }
  const Metadata& metadata() const override { return state_->metadata->metadata; }
  const types::RowSchema& schema() const override { return schema_.schema; }
  Result<std::vector<AddFile>> Files() const override;
  std::optional<int64_t> TransactionVersion(const std::string& sink_id) const override;
  Status CheckReadable() const override;
  Status CheckWritable() const override;

  const TableState& state() const { return *state_; }
  const std::shared_ptr<const TableState>& shared_state() const { return state_; }

 private:
  TableSnapshot(std::shared_ptr<const TableState> state, std::string table_name,
                ParsedSchema schema);

  std::shared_ptr<const TableState> state_;
  std::string table_name_;
  ParsedSchema schema_;
};
using TableSnapshotPtr = std::shared_ptr<const TableSnapshot>;

}  // namespace lakeward::delta
