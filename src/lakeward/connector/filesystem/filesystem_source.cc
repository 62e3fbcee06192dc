#include "lakeward/connector/filesystem/filesystem_source.h"

#include <algorithm>
#include <map>
#include <utility>

#include "arrow/array/util.h"
#include "arrow/scalar.h"
#include "lakeward/connector/file_split_reader.h"
#include "lakeward/expr/cast.h"
#include "lakeward/fs/partition_path.h"
#include "lakeward/json/json.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::connector {
namespace {

constexpr int64_t kRangeBytesMin = 8 << 20;
/// Ranges of this size keep all readers busy until the end of a large file.
constexpr int64_t kRangeBytesAim = 64 << 20;

bool IsHidden(std::string_view relative_path) {
  bool at_start = true;
  for (const char c : relative_path) {
    if (at_start && (c == '.' || c == '_')) {
      return true;
    }
    at_start = c == '/';
  }
  return false;
}

/// Adds the partition columns, which stand in the path, to the rows of a file.
class PartitionedFileReader final : public format::FileReader {
 public:
  /// `constants` holds, per projected column, its value, or null for columns of the file.
  PartitionedFileReader(std::unique_ptr<format::FileReader> reader,
                        std::shared_ptr<arrow::Schema> schema,
                        std::vector<std::shared_ptr<arrow::Scalar>> constants)
      : reader_(std::move(reader)), schema_(std::move(schema)), constants_(std::move(constants)) {}

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> records, reader_->Next());
    if (records == nullptr) {
      return records;
    }
    std::vector<std::shared_ptr<arrow::Array>> columns;
    int file_column = 0;
    for (const auto& constant : constants_) {
      if (constant == nullptr) {
        columns.push_back(records->column(file_column++));
      } else {
        LW_ASSIGN(std::shared_ptr<arrow::Array> repeated,
                  arrow::MakeArrayFromScalar(*constant, records->num_rows()));
        columns.push_back(std::move(repeated));
      }
    }
    return arrow::RecordBatch::Make(schema_, records->num_rows(), std::move(columns));
  }
  int64_t position() const override { return reader_->position(); }
  int64_t skipped_records() const override { return reader_->skipped_records(); }

 private:
  std::unique_ptr<format::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::shared_ptr<arrow::Scalar>> constants_;
};

/// CAST(text AS type), which takes back what the sink's folders say. Instants are in UTC: their
/// local time would be ambiguous where clocks are turned back. Flink and others put a 'T' before
/// the time.
Result<std::shared_ptr<arrow::Array>> ReadPartitionText(std::string text,
                                                        const types::LogicalType& type) {
  constexpr size_t kDateLength = 10;
  if (type.IsTimestamp() && text.size() > kDateLength && text[kDateLength] == 'T') {
    text[kDateLength] = ' ';
  }
  LW_ASSIGN(std::shared_ptr<arrow::Array> texts,
            arrow::MakeArrayFromScalar(arrow::StringScalar(std::move(text)), 1));
  const expr::EvaluationContext utc;
  return expr::CastArray(std::move(texts), {*types::String(), type, false, utc});
}

class FilesystemSource final : public stream::Source {
 public:
  FilesystemSource(FilesystemTable table, types::RowSchema projected)
      : table_(std::move(table)), projected_(std::move(projected)) {}

  bool bounded() const override { return true; }

  Result<std::vector<stream::Split>> Enumerate(int parallelism) override {
    LW_ASSIGN(const std::vector<fs::FileInfo> files, Files());
    std::vector<stream::Split> splits;
    for (const fs::FileInfo& file : files) {
      if (file.size_bytes == 0) {
        continue;
      }
      const int parts =
          static_cast<int>(std::max<int64_t>(parallelism, file.size_bytes / kRangeBytesAim));
      for (const format::FileRange& range : format::SplitFile(
               *table_.format, LocationOf(file.path), file.size_bytes, parts, kRangeBytesMin)) {
        json::Json spec;
        spec["path"] = file.path;
        spec["size"] = file.size_bytes;
        spec["offset"] = range.offset;
        spec["length"] = range.length;
        splits.push_back({file.path + ":" + std::to_string(range.offset), json::Write(spec), ""});
      }
    }
    return splits;
  }

  Result<std::unique_ptr<stream::SplitReader>> OpenSplit(const stream::Split& split,
                                                         const stream::TaskContext&) override {
    const std::string what = "split '" + split.id + "'";
    LW_ASSIGN(const json::Json spec, json::Parse(split.spec, what));
    format::FileRange range;
    LW_ASSIGN(const std::string path, json::GetString(spec, "path", what));
    range.file = LocationOf(path);
    LW_ASSIGN(range.file_size_bytes, json::GetInt64(spec, "size", what));
    LW_ASSIGN(range.offset, json::GetInt64(spec, "offset", what));
    LW_ASSIGN(range.length, json::GetInt64(spec, "length", what));
    LW_ASSIGN(const auto constants, PartitionValues(path));

    format::ReadSettings settings;
    for (size_t i = 0; i < constants.size(); ++i) {
      if (constants[i] == nullptr) {
        settings.schema.columns.push_back(projected_.columns[i]);
      }
    }
    settings.options = table_.format_options;
    settings.zone = table_.zone;
    LW_ASSIGN(settings.resume_position, ParseFilePosition(split));
    LW_ASSIGN(std::unique_ptr<format::FileReader> reader,
              table_.format->open_reader(range, settings));
    if (!table_.partition_keys.empty()) {
      reader = std::make_unique<PartitionedFileReader>(std::move(reader),
                                                       types::ToArrowSchema(projected_), constants);
    }
    return std::make_unique<FileSplitReader>(std::move(reader));
  }

 private:
  fs::Location LocationOf(const std::string& path) const {
    fs::Location location = table_.root;
    if (path != location.path) {
      location.uri += path.substr(std::min(location.path.size(), path.size()));
      location.path = path;
    }
    return location;
  }

  Result<std::vector<fs::FileInfo>> Files() const {
    LW_ASSIGN(std::vector<fs::FileInfo> files, table_.root.file_system->List(table_.root.path));
    std::erase_if(files, [this](const fs::FileInfo& file) {
      return IsHidden(std::string_view(file.path).substr(table_.root.path.size() + 1));
    });
    if (!files.empty()) {
      return files;
    }
    auto single = table_.root.file_system->Stat(table_.root.path);
    if (single.ok()) {
      return std::vector<fs::FileInfo>{*single};
    }
    if (KindOf(single.status()) == ErrorKind::kNotFound) {
      return MakeError(
          ErrorKind::kNotFound,
          "Table '" + table_.name + "': there are no files at '" + table_.root.uri + "'",
          "Check 'path', or INSERT INTO the table first.");
    }
    return WithContext(single.status(), "Table '" + table_.name + "'");
  }

  Result<std::vector<std::shared_ptr<arrow::Scalar>>> PartitionValues(
      const std::string& path) const {
    std::vector<std::shared_ptr<arrow::Scalar>> values(projected_.columns.size());
    if (table_.partition_keys.empty()) {
      return values;
    }
    const std::map<std::string, std::string> parts = fs::ParsePartitionPath(
        path.size() > table_.root.path.size() ? path.substr(table_.root.path.size() + 1) : "");
    for (size_t i = 0; i < values.size(); ++i) {
      const types::Column& column = projected_.columns[i];
      if (std::find(table_.partition_keys.begin(), table_.partition_keys.end(), column.name) ==
          table_.partition_keys.end()) {
        continue;
      }
      const auto part = parts.find(column.name);
      if (part == parts.end()) {
        return MakeError(ErrorKind::kCorruptData,
                         "Table '" + table_.name + "': file '" + path +
                             "' does not lie in a folder '" + column.name +
                             "=…', though the table is partitioned by that column",
                         "Move the file into the folder of its partition.");
      }
      LW_ASSIGN(values[i], PartitionValue(column, part->second));
    }
    return values;
  }

  Result<std::shared_ptr<arrow::Scalar>> PartitionValue(const types::Column& column,
                                                        const std::string& text) const {
    const std::shared_ptr<arrow::DataType> type = types::ToArrow(*column.type);
    if (text == table_.default_partition_name) {
      return arrow::MakeNullScalar(type);
    }
    const Result<std::shared_ptr<arrow::Array>> value = ReadPartitionText(text, *column.type);
    if (!value.ok() || (*value)->IsNull(0)) {
      return MakeError(ErrorKind::kCorruptData,
                       "Table '" + table_.name + "': the partition folder '" + column.name + "=" +
                           text + "' is no value of type " + column.type->ToString(),
                       "Declare the column as STRING, or rename the folder.");
    }
    return (*value)->GetScalar(0);
  }

  FilesystemTable table_;
  types::RowSchema projected_;
};

}  // namespace

FilesystemScanNegotiation::FilesystemScanNegotiation(FilesystemTable table,
                                                     types::RowSchema declared)
    : table_(std::move(table)), declared_(std::move(declared)), projected_(declared_) {}

bool FilesystemScanNegotiation::ApplyProjection(const std::vector<int>& columns) {
  projected_.columns.clear();
  for (const int column : columns) {
    projected_.columns.push_back(declared_.columns[static_cast<size_t>(column)]);
  }
  return true;
}

std::string FilesystemScanNegotiation::Describe() const {
  if (projected_.size() == declared_.size()) {
    return "";
  }
  std::string text = "project=[";
  for (int i = 0; i < projected_.size(); ++i) {
    text += (i == 0 ? "" : ", ") + projected_.columns[static_cast<size_t>(i)].name;
  }
  return text + "]";
}

std::unique_ptr<stream::Source> MakeFilesystemSource(const FilesystemScanNegotiation& negotiation) {
  return std::make_unique<FilesystemSource>(negotiation.table(), negotiation.schema());
}

}  // namespace lakeward::connector
