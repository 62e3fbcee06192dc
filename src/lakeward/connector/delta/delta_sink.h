#pragma once

#include <memory>
#include <string>
#include <utility>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/stream/sink.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::connector {

/// What an INSERT into a Delta table settles.
class DeltaSinkNegotiation final : public catalog::SinkNegotiation {
 public:
  DeltaSinkNegotiation(types::RowSchema schema, int parallelism)
      : schema_(std::move(schema)), parallelism_(parallelism) {}

  const types::RowSchema& schema() const override { return schema_; }
  int parallelism() const override { return parallelism_; }
  bool writes_tables() const override { return true; }

 private:
  types::RowSchema schema_;
  int parallelism_;
};

/// What a Delta sink writes where. `declared` are the rows that come, `partition_columns` its
/// names.
struct DeltaSinkSettings {
  std::string table_name;
  std::shared_ptr<delta::DeltaTable> table;
  delta::SnapshotPtr snapshot;
  types::RowSchema declared;
  Clock* clock = nullptr;
};

/// Writers make data files named `<sink id>-<checkpoint>-<subtask>-<number>`; the committer adds
/// those of one checkpoint in one log entry that carries (sink id, checkpoint) as its `txn` action.
Result<std::unique_ptr<stream::Sink>> MakeDeltaSink(DeltaSinkSettings settings);

}  // namespace lakeward::connector
