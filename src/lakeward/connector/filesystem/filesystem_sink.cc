#include "lakeward/connector/filesystem/filesystem_sink.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "arrow/array/array_primitive.h"
#include "arrow/array/util.h"
#include "fmt/format.h"
#include "lakeward/base/crash_point.h"
#include "lakeward/connector/partitioned_writer.h"
#include "lakeward/fs/partition_path.h"
#include "lakeward/json/json.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::connector {
namespace {

std::string SinkPrefix(const std::string& sink_id) { return "part-" + sink_id + "-"; }

/// What CAST(text AS type) takes back, instants in UTC; TRUE and FALSE are written small, as Java's
/// Boolean and other engines write them.
std::string PartitionText(const arrow::Array& value, const types::LogicalType& type) {
  if (type.root() == types::TypeRoot::kBoolean) {
    return static_cast<const arrow::BooleanArray&>(value).Value(0) ? "true" : "false";
  }
  return types::PrintedForm(value, 0, type, types::TimeZone(), types::PrintStyle::kCast);
}

class StagedDataFile final : public DataFile {
 public:
  StagedDataFile(std::shared_ptr<fs::StagedFile> output, std::unique_ptr<format::FileWriter> writer)
      : output_(std::move(output)), writer_(std::move(writer)) {}

  Status Write(const arrow::RecordBatch& rows) override { return writer_->Write(rows); }
  int64_t EstimatedSizeBytes() const override { return writer_->EstimatedSizeBytes(); }
  int64_t BufferedBytes() const override { return writer_->BufferedBytes(); }
  void FlushBeforeNextWrite() override { writer_->FlushBeforeNextWrite(); }

  Result<stream::Committable> Finish() override {
    LW_TRY(writer_->Finish().status());
    CrashPoint("sink.before-file-close");
    LW_ASSIGN(const std::string token, output_->Stage());
    CrashPoint("sink.after-file-close");
    json::Json object;
    object["token"] = token;
    return stream::Committable{json::Write(object)};
  }

  void Abort() override {
    writer_.reset();
    // Nothing was visible; what Abort cannot remove the next start finds by its intent.
    const Status ignored = output_->Abort();
    static_cast<void>(ignored);
  }

 private:
  std::shared_ptr<fs::StagedFile> output_;
  std::unique_ptr<format::FileWriter> writer_;
};

class FilesystemWriter final : public stream::Writer {
 public:
  static Result<std::unique_ptr<stream::Writer>> Make(const FilesystemTable& table,
                                                      const types::RowSchema& schema,
                                                      const stream::WriterContext& context) {
    std::unique_ptr<FilesystemWriter> writer(new FilesystemWriter(table, context));
    PartitionedWriterSettings settings;
    settings.schema = schema;
    settings.target_file_bytes = table.target_file_bytes;
    for (const std::string& key : table.partition_keys) {
      const std::optional<int> column = schema.FindColumn(key);
      LW_CHECK(column.has_value());  // CREATE TABLE refuses partition keys that are no columns.
      settings.partition_columns.push_back(*column);
      writer->partition_types_.push_back(schema.columns[static_cast<size_t>(*column)].type);
    }
    writer->write_settings_.schema = WithoutColumns(schema, settings.partition_columns);
    writer->write_settings_.options = table.format_options;
    writer->write_settings_.zone = table.zone;
    FilesystemWriter* self = writer.get();
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
  FilesystemWriter(const FilesystemTable& table, const stream::WriterContext& context)
      : table_(table), context_(context) {}

  Result<std::string> PartitionFolder(
      const std::vector<std::shared_ptr<arrow::Scalar>>& values) const {
    std::string folder;
    for (size_t i = 0; i < values.size(); ++i) {
      std::string text = table_.default_partition_name;
      if (values[i]->is_valid) {
        LW_ASSIGN(const std::shared_ptr<arrow::Array> array,
                  arrow::MakeArrayFromScalar(*values[i], 1));
        const std::string printed = PartitionText(*array, *partition_types_[i]);
        // As in Flink, an empty value cannot name a folder.
        text = printed.empty() ? table_.default_partition_name : fs::EscapePartitionPart(printed);
      }
      folder +=
          (i == 0 ? "" : "/") + fs::EscapePartitionPart(table_.partition_keys[i]) + "=" + text;
    }
    return folder;
  }

  Result<std::unique_ptr<DataFile>> OpenFile(
      const std::vector<std::shared_ptr<arrow::Scalar>>& values) {
    LW_ASSIGN(const std::string folder, PartitionFolder(values));
    const int64_t checkpoint = context_.current_checkpoint();
    const std::string prefix =
        fmt::format("{}{}-{}-", SinkPrefix(context_.sink_id), checkpoint, context_.task.subtask);
    const std::string name =
        fmt::format("{}{}{}", prefix, ++file_counter_, table_.format->file_extension);
    if (context_.intents != nullptr) {
      LW_TRY(context_.intents->Announce(
          checkpoint, folder.empty() ? table_.root.uri : fs::JoinPath(table_.root.uri, folder),
          prefix));
    }
    const std::string folder_path =
        folder.empty() ? table_.root.path : fs::JoinPath(table_.root.path, folder);
    LW_ASSIGN(std::shared_ptr<fs::StagedFile> output,
              table_.root.file_system->OpenStaged(fs::JoinPath(folder_path, name)));
    LW_ASSIGN(std::unique_ptr<format::FileWriter> writer,
              table_.format->open_writer(output, write_settings_));
    return std::make_unique<StagedDataFile>(std::move(output), std::move(writer));
  }

  FilesystemTable table_;
  stream::WriterContext context_;
  std::vector<types::TypePtr> partition_types_;
  format::WriteSettings write_settings_;
  std::unique_ptr<PartitionedWriter> partitions_;
  int64_t file_counter_ = 0;
};

class FilesystemCommitter final : public stream::Committer {
 public:
  explicit FilesystemCommitter(FilesystemTable table)
      : table_(std::move(table)), file_system_(table_.root.file_system) {}

  Status Commit(const stream::CommitRequest& request) override {
    for (const stream::Committable& committable : request.committables) {
      LW_ASSIGN(const json::Json object,
                json::Parse(committable.payload, "a committable of the checkpoint"));
      LW_ASSIGN(const std::string token,
                json::GetString(object, "token", "a committable of the checkpoint"));
      LW_TRY(WithContext(file_system_->Publish(token), "Table '" + table_.name + "'"));
    }
    return Status::OK();
  }

  /// Plain files have no log: the names of the visible ones tell.
  Result<int64_t> CommittedCheckpoint(const std::string& sink_id) override {
    LW_ASSIGN(const std::vector<fs::FileInfo> files, file_system_->List(table_.root.path));
    const std::string prefix = SinkPrefix(sink_id);
    int64_t newest = 0;
    for (const fs::FileInfo& file : files) {
      const std::string_view name = fs::BaseNameOf(file.path);
      if (!name.starts_with(prefix)) {
        continue;
      }
      int64_t checkpoint = 0;
      std::from_chars(name.data() + prefix.size(), name.data() + name.size(), checkpoint);
      newest = std::max(newest, checkpoint);
    }
    return newest;
  }

  Result<int64_t> RemoveOrphans(const std::string& folder_uri, const std::string& file_prefix,
                                const std::vector<stream::CommitRequest>&) override {
    if (!folder_uri.starts_with(table_.root.uri)) {
      return MakeError(
          ErrorKind::kInternal,
          "The intent for '" + folder_uri + "' lies outside of table '" + table_.root.uri + "'");
    }
    const std::string folder_path = table_.root.path + folder_uri.substr(table_.root.uri.size());
    return file_system_->AbortPendingWrites(fs::JoinPath(folder_path, file_prefix));
  }

 private:
  FilesystemTable table_;
  std::shared_ptr<fs::FileSystem> file_system_;
};

class FilesystemSink final : public stream::Sink {
 public:
  FilesystemSink(FilesystemTable table, types::RowSchema schema)
      : table_(std::move(table)), schema_(std::move(schema)) {}

  Result<std::unique_ptr<stream::Writer>> MakeWriter(
      const stream::WriterContext& context) override {
    return FilesystemWriter::Make(table_, schema_, context);
  }
  Result<std::unique_ptr<stream::Committer>> MakeCommitter() override {
    return std::make_unique<FilesystemCommitter>(table_);
  }

 private:
  FilesystemTable table_;
  types::RowSchema schema_;
};

}  // namespace

std::unique_ptr<stream::Sink> MakeFilesystemSink(const FilesystemSinkNegotiation& negotiation) {
  return std::make_unique<FilesystemSink>(negotiation.table(), negotiation.schema());
}

}  // namespace lakeward::connector
