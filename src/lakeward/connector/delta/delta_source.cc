#include "lakeward/connector/delta/delta_source.h"

#include <utility>

#include "lakeward/connector/delta/delta_columns.h"
#include "lakeward/connector/file_split_reader.h"
#include "lakeward/table/delta/actions.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::connector {
namespace {

/// Gives each batch the declared schema; see delta_columns.h.
class DeclaredReader final : public format::FileReader {
 public:
  DeclaredReader(std::unique_ptr<format::FileReader> reader, std::shared_ptr<arrow::Schema> schema)
      : reader_(std::move(reader)), schema_(std::move(schema)) {}

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    LW_ASSIGN(std::shared_ptr<arrow::RecordBatch> records, reader_->Next());
    if (records == nullptr) {
      return records;
    }
    return Reinterpret(*records, schema_);
  }
  int64_t position() const override { return reader_->position(); }

 private:
  std::unique_ptr<format::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
};

class DeltaSource final : public stream::Source {
 public:
  DeltaSource(fs::Location root, delta::SnapshotPtr snapshot, types::RowSchema projected,
              std::vector<expr::ExpressionPtr> filters)
      : root_(std::move(root)),
        snapshot_(std::move(snapshot)),
        projected_(std::move(projected)),
        filters_(std::move(filters)) {}

  bool bounded() const override { return true; }

  Result<std::vector<stream::Split>> Enumerate(int) override {
    LW_ASSIGN(const delta::ScanPlan plan, delta::PlanScan(*snapshot_, root_, filters_));
    std::vector<stream::Split> splits;
    splits.reserve(plan.files.size());
    for (const delta::ScanFile& file : plan.files) {
      splits.push_back({file.file.path, delta::ToLine(file.file), ""});
    }
    return splits;
  }

  Result<std::unique_ptr<stream::SplitReader>> OpenSplit(const stream::Split& split,
                                                         const stream::TaskContext&) override {
    delta::Actions actions;
    LW_TRY(delta::ParseAction(split.spec, "split '" + split.id + "'", &actions));
    if (actions.adds.size() != 1) {
      return MakeError(ErrorKind::kCorruptData, "Split '" + split.id + "' names no data file",
                       "The checkpoint was written by another version or is damaged.");
    }
    delta::ScanFile file;
    file.file = std::move(actions.adds[0]);
    LW_ASSIGN(file.location, delta::LocateFile(root_, file.file.path));
    LW_ASSIGN(const std::optional<int64_t> position, ParseFilePosition(split));
    LW_ASSIGN(std::unique_ptr<format::FileReader> reader,
              delta::OpenScanFile(*snapshot_, file, projected_.Names(), position));
    return std::make_unique<FileSplitReader>(
        std::make_unique<DeclaredReader>(std::move(reader), types::ToArrowSchema(projected_)));
  }

 private:
  fs::Location root_;
  delta::SnapshotPtr snapshot_;
  types::RowSchema projected_;
  std::vector<expr::ExpressionPtr> filters_;
};

}  // namespace

DeltaScanNegotiation::DeltaScanNegotiation(types::RowSchema declared, fs::Location root,
                                           delta::SnapshotPtr snapshot)
    : declared_(std::move(declared)),
      projected_(declared_),
      root_(std::move(root)),
      snapshot_(std::move(snapshot)) {}

std::vector<expr::ExpressionPtr> DeltaScanNegotiation::ApplyFilters(
    std::vector<expr::ExpressionPtr> filters) {
  const types::RowSchema& stored = snapshot_->schema();
  std::vector<int> mapping;
  for (const types::Column& column : declared_.columns) {
    const std::optional<int> position = stored.FindColumn(column.name);
    const bool same_meaning =
        position.has_value() &&
        stored.columns[static_cast<size_t>(*position)].type->root() == column.type->root();
    mapping.push_back(same_meaning ? *position : -1);
  }
  for (const expr::ExpressionPtr& filter : filters) {
    bool usable = true;
    for (const int column : expr::ReferencedColumns(*filter)) {
      usable = usable && mapping[static_cast<size_t>(column)] >= 0;
    }
    if (usable) {
      filters_.push_back(filter);
      pruning_filters_.push_back(expr::RemapColumns(filter, mapping));
    }
  }
  return filters;
}

bool DeltaScanNegotiation::ApplyProjection(const std::vector<int>& columns) {
  projected_.columns.clear();
  for (const int column : columns) {
    projected_.columns.push_back(declared_.columns[static_cast<size_t>(column)]);
  }
  return true;
}

std::string DeltaScanNegotiation::Describe() const {
  std::string text = "version=" + std::to_string(snapshot_->version());
  if (projected_.size() != declared_.size()) {
    text += ", project=[";
    for (int i = 0; i < projected_.size(); ++i) {
      text += (i == 0 ? "" : ", ") + projected_.columns[static_cast<size_t>(i)].name;
    }
    text += "]";
  }
  if (!filters_.empty()) {
    text += ", prune=[";
    for (size_t i = 0; i < filters_.size(); ++i) {
      text += (i == 0 ? "" : ", ") + filters_[i]->ToString();
    }
    text += "]";
  }
  return text;
}

std::unique_ptr<stream::Source> MakeDeltaSource(const DeltaScanNegotiation& negotiation) {
  return std::make_unique<DeltaSource>(negotiation.root(), negotiation.snapshot(),
                                       negotiation.schema(), negotiation.pruning_filters());
}

}  // namespace lakeward::connector
