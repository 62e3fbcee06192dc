#include "lakeward/connector/delta/delta_sink.h"

#include <set>
#include <vector>

#include "fmt/format.h"
#include "lakeward/base/log.h"
#include "lakeward/connector/delta/delta_columns.h"
#include "lakeward/connector/delta/delta_data_file.h"
#include "lakeward/connector/partitioned_writer.h"
#include "lakeward/table/delta/actions.h"

namespace lakeward::connector {
namespace {

std::string CodecSuffix(const delta::Metadata& metadata) {
  const auto codec = metadata.configuration.find("delta.parquet.compression.codec");
  const std::string name = codec == metadata.configuration.end() ? "snappy" : codec->second;
  return name == "uncompressed" || name == "none" ? ".parquet" : "." + name + ".parquet";
}

class DeltaWriter final : public stream::Writer {
 public:
  static Result<std::unique_ptr<stream::Writer>> Make(const DeltaSinkSettings& sink,
                                                      const stream::WriterContext& context) {
    std::unique_ptr<DeltaWriter> writer(new DeltaWriter(sink, context));
    LW_ASSIGN(const types::RowSchema stored, StoredSchema(sink.declared, sink.snapshot->schema()));
    const delta::Metadata& metadata = sink.snapshot->metadata();
    PartitionedWriterSettings settings;
    settings.schema = sink.declared;
    for (const std::string& name : metadata.partition_columns) {
      const std::optional<int> column = sink.declared.FindColumn(name);
      if (!column.has_value()) {
        return MakeError(
            ErrorKind::kValidation,
            "Table '" + sink.table_name + "' does not declare its partition column '" + name + "'",
            "Declare every column of the Delta table.");
      }
      settings.partition_columns.push_back(*column);
      writer->partition_types_.push_back(stored.columns[static_cast<size_t>(*column)].type);
    }
    writer->stored_data_schema_ = WithoutColumns(stored, settings.partition_columns);
    DeltaWriter* self = writer.get();
    LW_ASSIGN(writer->partitions_,
              PartitionedWriter::Make(std::move(settings), [self](const auto& values) {
                return self->OpenFile(values);
              }));
    return writer;
  }

  Status Write(const stream::Batch& batch) override { return partitions_->Write(batch); }

  Result<std::vector<stream::Committable>> PrepareCommit(int64_t) override {
    return partitions_->FinishAll();
  }

  void Abort() override { partitions_->Abort(); }

 private:
  DeltaWriter(const DeltaSinkSettings& sink, const stream::WriterContext& context)
      : sink_(sink), context_(context) {}

  Result<std::unique_ptr<DataFile>> OpenFile(
      const std::vector<std::shared_ptr<arrow::Scalar>>& values) {
    const delta::Metadata& metadata = sink_.snapshot->metadata();
    DeltaDataFileSpec spec;
    spec.root = sink_.table->root();
    spec.stored_data_schema = stored_data_schema_;
    spec.metadata = metadata;
    spec.clock = sink_.clock;
    for (size_t i = 0; i < values.size(); ++i) {
      LW_ASSIGN(spec.partition_values[metadata.partition_columns[i]],
                delta::SerializePartitionValue(*values[i], *partition_types_[i]));
    }
    const std::string folder =
        delta::PartitionFolder(metadata.partition_columns, spec.partition_values);
    const int64_t checkpoint = context_.current_checkpoint();
    const std::string prefix =
        fmt::format("{}-{}-{}", context_.sink_id, checkpoint, context_.task.subtask);
    const std::string name = fmt::format("{}-{}{}", prefix, ++file_counter_, CodecSuffix(metadata));
    spec.relative_path = folder.empty() ? name : fs::JoinPath(folder, name);
    if (context_.intents != nullptr) {
      const std::string folder_uri =
          folder.empty() ? spec.root.uri : fs::JoinPath(spec.root.uri, folder);
      LW_TRY(context_.intents->Announce(checkpoint, folder_uri, prefix + "-"));
    }
    return OpenDeltaDataFile(std::move(spec));
  }

  DeltaSinkSettings sink_;
  stream::WriterContext context_;
  std::vector<types::TypePtr> partition_types_;
  types::RowSchema stored_data_schema_;
  std::unique_ptr<PartitionedWriter> partitions_;
  int64_t file_counter_ = 0;
};

class DeltaCommitter final : public stream::Committer {
 public:
  explicit DeltaCommitter(DeltaSinkSettings sink, types::RowSchema written_schema)
      : sink_(std::move(sink)), written_schema_(std::move(written_schema)) {}

  Status Commit(const stream::CommitRequest& request) override {
    if (request.committables.empty()) {
      return Status::OK();
    }
    delta::AppendCommit commit;
    LW_ASSIGN(commit.files, FilesOf(request));
    commit.mark = table::SinkMark{request.sink_id, request.checkpoint_id};
    commit.written_schema = written_schema_;
    commit.written_partition_columns = sink_.snapshot->metadata().partition_columns;
    auto result = sink_.table->Append(commit);
    if (!result.ok()) {
      return WithContext(result.status(), "Committing to table '" + sink_.table_name + "'");
    }
    return ToStatus(*result, request);
  }

  Result<int64_t> CommittedCheckpoint(const std::string& sink_id) override {
    LW_ASSIGN(const bool exists, sink_.table->Exists());
    if (!exists) {
      return int64_t{0};
    }
    LW_ASSIGN(const delta::SnapshotPtr snapshot, sink_.table->Latest());
    return snapshot->TransactionVersion(sink_id).value_or(0);
  }

  Result<int64_t> RemoveOrphans(const std::string& folder_uri, const std::string& file_prefix,
                                const std::vector<stream::CommitRequest>& pending) override {
    const fs::Location& root = sink_.table->root();
    if (!folder_uri.starts_with(root.uri)) {
      return MakeError(ErrorKind::kInternal, "The intent for '" + folder_uri +
                                                 "' lies outside of table '" + root.uri + "'");
    }
    std::string folder = folder_uri.substr(root.uri.size());
    while (folder.starts_with('/')) {
      folder.erase(0, 1);
    }
    const std::string folder_path = folder.empty() ? root.path : fs::JoinPath(root.path, folder);
    LW_ASSIGN(const int64_t aborted,
              root.file_system->AbortPendingWrites(fs::JoinPath(folder_path, file_prefix)));
    LW_ASSIGN(const std::vector<fs::FileInfo> files,
              root.file_system->ListDirectly(folder_path, ""));
    std::vector<std::string> candidates;
    for (const fs::FileInfo& file : files) {
      const std::string_view name = fs::BaseNameOf(file.path);
      if (name.starts_with(file_prefix)) {
        candidates.push_back(folder.empty() ? std::string(name) : fs::JoinPath(folder, name));
      }
    }
    if (candidates.empty()) {
      return aborted;
    }
    LW_ASSIGN(const std::vector<std::string> referenced, sink_.table->FindReferenced(candidates));
    std::set<std::string> kept(referenced.begin(), referenced.end());
    for (const stream::CommitRequest& request : pending) {
      LW_ASSIGN(const std::vector<delta::AddFile> files_of_request, FilesOf(request));
      for (const delta::AddFile& file : files_of_request) {
        kept.insert(file.path);
      }
    }
    int64_t removed = aborted;
    for (const std::string& path : candidates) {
      if (!kept.contains(path)) {
        LW_TRY(root.file_system->Remove(fs::JoinPath(root.path, path)));
        ++removed;
      }
    }
    return removed;
  }

 private:
  static Result<std::vector<delta::AddFile>> FilesOf(const stream::CommitRequest& request) {
    delta::Actions actions;
    for (const stream::Committable& committable : request.committables) {
      LW_TRY(delta::ParseAction(committable.payload, "a committable of the checkpoint", &actions));
    }
    return std::move(actions.adds);
  }

  Status ToStatus(const table::CommitResult& result, const stream::CommitRequest& request) const {
    switch (result.outcome) {
      case table::CommitOutcome::kCommitted:
      case table::CommitOutcome::kAlreadyCommitted:
        Log(LogLevel::kDebug, "connector/delta",
            fmt::format("{}: checkpoint {} {} as version {} after {} attempts", sink_.table_name,
                        request.checkpoint_id, table::ToString(result.outcome),
                        result.version.value_or(-1), result.attempts));
        return Status::OK();
      case table::CommitOutcome::kConflict:
        return MakeError(ErrorKind::kCommitConflict,
                         fmt::format("Checkpoint {} cannot be committed to table '{}': {}",
                                     request.checkpoint_id, sink_.table_name, result.detail),
                         "Nothing of it is visible. Adapt the statement to the table and start the "
                         "job again.");
      case table::CommitOutcome::kUnknown:
        return MakeError(ErrorKind::kCommitUnknown,
                         fmt::format("Whether checkpoint {} was committed to table '{}' is not "
                                     "known: {}",
                                     request.checkpoint_id, sink_.table_name, result.detail),
                         "Its files are kept. Start the job again with the same --state-dir: it "
                         "reads the table's log and goes on from there.");
    }
    return Status::OK();
  }

  DeltaSinkSettings sink_;
  types::RowSchema written_schema_;
};

class DeltaSink final : public stream::Sink {
 public:
  DeltaSink(DeltaSinkSettings settings, types::RowSchema written_schema)
      : settings_(std::move(settings)), written_schema_(std::move(written_schema)) {}

  Result<std::unique_ptr<stream::Writer>> MakeWriter(
      const stream::WriterContext& context) override {
    return DeltaWriter::Make(settings_, context);
  }
  Result<std::unique_ptr<stream::Committer>> MakeCommitter() override {
    return std::make_unique<DeltaCommitter>(settings_, written_schema_);
  }

 private:
  DeltaSinkSettings settings_;
  types::RowSchema written_schema_;
};

}  // namespace

Result<std::unique_ptr<stream::Sink>> MakeDeltaSink(DeltaSinkSettings settings) {
  LW_ASSIGN(types::RowSchema written, StoredSchema(settings.declared, settings.snapshot->schema()));
  return std::make_unique<DeltaSink>(std::move(settings), std::move(written));
}

}  // namespace lakeward::connector
