#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "arrow/array/util.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/table/delta/data_skipping.h"
#include "lakeward/table/delta/delta_table.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::delta {
namespace {

Status RefuseDeletionVector(const AddFile& file) {
  return MakeError(ErrorKind::kUnsupported,
                   fmt::format("rows of {} are deleted by a deletion vector (table feature "
                               "'deletionVectors'), which is not supported",
                               file.path),
                   "Let the engine that wrote the table rewrite such files (REORG TABLE … APPLY "
                   "(PURGE)).");
}

std::optional<std::string> PartitionText(const AddFile& file, const std::string& column) {
  const auto found = file.partition_values.find(column);
  return found == file.partition_values.end() ? std::nullopt : found->second;
}

/// What a file's partition value says of its rows; nothing known where it cannot be understood.
ColumnBounds PartitionBounds(const AddFile& file, const types::Column& column) {
  ColumnBounds bounds;
  const Result<std::shared_ptr<arrow::Scalar>> value =
      ParsePartitionValue(PartitionText(file, column.name), *column.type);
  if (!value.ok()) {
    return bounds;
  }
  bounds.exact = true;
  bounds.null_count = (*value)->is_valid ? 0 : 1;
  bounds.minimum = ToBoundValue(**value, *column.type);
  bounds.maximum = bounds.minimum;
  return bounds;
}

/// Decides file by file whether the filters can be true.
class FilePruner {
 public:
  FilePruner(const types::RowSchema& schema, const std::vector<std::string>& partition_columns,
             const std::vector<expr::ExpressionPtr>& filters)
      : schema_(schema) {
    for (const std::string& column : partition_columns) {
      partition_columns_.insert(schema.FindColumn(column).value_or(-1));
    }
    for (const expr::ExpressionPtr& filter : filters) {
      for (expr::ExpressionPtr& condition : expr::SplitConjunction(filter)) {
        conditions_.push_back(std::move(condition));
      }
    }
  }

  bool MayMatchPartition(const AddFile& file) const {
    return MayMatch({[&](int column) {
                       return IsPartitionColumn(column)
                                  ? PartitionBounds(file, schema_.columns[column])
                                  : ColumnBounds{};
                     },
                     std::nullopt});
  }

  bool MayMatchStatistics(const AddFile& file) const {
    if (conditions_.empty() || file.statistics_json.empty()) {
      return true;
    }
    const FileBounds statistics =
        FileBounds::Parse(file.statistics_json, file.deletion_vector.has_value());
    return MayMatch({[&](int column) {
                       const types::Column& described = schema_.columns[column];
                       return IsPartitionColumn(column)
                                  ? PartitionBounds(file, described)
                                  : statistics.Column(described.name, *described.type);
                     },
                     statistics.record_count()});
  }

 private:
  bool IsPartitionColumn(int column) const { return partition_columns_.contains(column); }

  bool MayMatch(const FileKnowledge& file) const {
    return std::all_of(
        conditions_.begin(), conditions_.end(),
        [&](const expr::ExpressionPtr& condition) { return Judge(*condition, file).may_be_true; });
  }

  const types::RowSchema& schema_;
  std::set<int> partition_columns_;
  std::vector<expr::ExpressionPtr> conditions_;
};

/// A data file's columns with the partition's values put among them.
class PartitionedReader final : public format::FileReader {
 public:
  /// `constants[i]` is the value of output column i, null where the file has it.
  PartitionedReader(std::unique_ptr<format::FileReader> file, std::shared_ptr<arrow::Schema> schema,
                    std::vector<std::shared_ptr<arrow::Scalar>> constants)
      : file_(std::move(file)), schema_(std::move(schema)), constants_(std::move(constants)) {}

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> batch, file_->Next());
    if (batch == nullptr) {
      return nullptr;
    }
    std::vector<std::shared_ptr<arrow::Array>> columns;
    columns.reserve(constants_.size());
    int next = 0;
    for (const std::shared_ptr<arrow::Scalar>& constant : constants_) {
      if (constant == nullptr) {
        columns.push_back(batch->column(next++));
      } else {
        LW_ASSIGN(std::shared_ptr<arrow::Array> repeated,
                  arrow::MakeArrayFromScalar(*constant, batch->num_rows()));
        columns.push_back(std::move(repeated));
      }
    }
    return arrow::RecordBatch::Make(schema_, batch->num_rows(), std::move(columns));
  }

  int64_t position() const override { return file_->position(); }

 private:
  std::unique_ptr<format::FileReader> file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::shared_ptr<arrow::Scalar>> constants_;
};

}  // namespace

Result<ScanPlan> PlanScan(const Snapshot& snapshot, const fs::Location& root,
                          const std::vector<expr::ExpressionPtr>& filters) {
  LW_TRY(snapshot.CheckReadable());
  LW_ASSIGN(std::vector<AddFile> files, snapshot.Files());
  const FilePruner pruner(snapshot.schema(), snapshot.metadata().partition_columns, filters);
  ScanPlan plan;
  for (AddFile& file : files) {
    if (!pruner.MayMatchPartition(file)) {
      ++plan.files_skipped_by_partition;
      continue;
    }
    if (!pruner.MayMatchStatistics(file)) {
      ++plan.files_skipped_by_statistics;
      continue;
    }
    if (file.deletion_vector.has_value()) {
      return RefuseDeletionVector(file);
    }
    LW_ASSIGN(fs::Location location, LocateFile(root, file.path));
    plan.files.push_back({std::move(file), std::move(location)});
  }
  return plan;
}

Result<std::unique_ptr<format::FileReader>> OpenScanFile(const Snapshot& snapshot,
                                                         const ScanFile& file,
                                                         const std::vector<std::string>& columns,
                                                         std::optional<int64_t> resume_position) {
  if (file.file.deletion_vector.has_value()) {
    return RefuseDeletionVector(file.file);
  }
  const std::vector<std::string>& partitioned_by = snapshot.metadata().partition_columns;
  format::ParquetReadSettings settings;
  types::RowSchema output;
  std::vector<std::shared_ptr<arrow::Scalar>> constants;
  for (const std::string& name : columns) {
    const std::optional<int> number = snapshot.schema().FindColumn(name);
    if (!number.has_value()) {
      return MakeError(ErrorKind::kValidation, fmt::format("the table has no column `{}`", name));
    }
    const types::Column& column = snapshot.schema().columns[*number];
    output.columns.push_back(column);
    const bool is_partition_column =
        std::find(partitioned_by.begin(), partitioned_by.end(), name) != partitioned_by.end();
    if (!is_partition_column) {
      settings.schema.columns.push_back(column);
      constants.push_back(nullptr);
      continue;
    }
    Result<std::shared_ptr<arrow::Scalar>> value =
        ParsePartitionValue(PartitionText(file.file, name), *column.type);
    if (!value.ok()) {
      return WithContext(value.status(),
                         fmt::format("{}, partition column `{}`", file.location.uri, name));
    }
    constants.push_back(*std::move(value));
  }
  settings.resume_position = resume_position;
  format::FileRange range;
  range.file = file.location;
  range.file_size_bytes = file.file.size_bytes;
  LW_ASSIGN(std::unique_ptr<format::FileReader> reader, format::OpenParquetReader(range, settings));
  return std::make_unique<PartitionedReader>(std::move(reader), types::ToArrowSchema(output),
                                             std::move(constants));
}

}  // namespace lakeward::delta
