#pragma once

#include <memory>
#include <utility>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/connector/filesystem/filesystem_options.h"
#include "lakeward/stream/sink.h"

namespace lakeward::connector {

/// What an INSERT into files settles.
class FilesystemSinkNegotiation final : public catalog::SinkNegotiation {
 public:
  FilesystemSinkNegotiation(FilesystemTable table, types::RowSchema schema, int parallelism)
      : table_(std::move(table)), schema_(std::move(schema)), parallelism_(parallelism) {}

  const types::RowSchema& schema() const override { return schema_; }
  int parallelism() const override { return parallelism_; }
  bool writes_tables() const override { return true; }
  const FilesystemTable& table() const { return table_; }

 private:
  FilesystemTable table_;
  types::RowSchema schema_;
  int parallelism_;
};

/// Files are named `part-<sink id>-<checkpoint>-<subtask>-<number>`, written under a hidden name
/// and published, in order, once their checkpoint is durable.
std::unique_ptr<stream::Sink> MakeFilesystemSink(const FilesystemSinkNegotiation& negotiation);

}  // namespace lakeward::connector
