#pragma once

#include <memory>
#include <vector>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/stream/source.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::connector {

/// What a scan of a Delta table settles: the snapshot is pinned while planning, filters prune
/// files, the projection decides which columns are decoded.
class DeltaScanNegotiation final : public catalog::ScanNegotiation {
 public:
  DeltaScanNegotiation(types::RowSchema declared, fs::Location root, delta::SnapshotPtr snapshot);

  const types::RowSchema& schema() const override { return projected_; }
  bool bounded() const override { return true; }
  std::vector<expr::ExpressionPtr> ApplyFilters(std::vector<expr::ExpressionPtr> filters) override;
  bool ApplyProjection(const std::vector<int>& columns) override;
  std::string Describe() const override;

  const fs::Location& root() const { return root_; }
  const delta::SnapshotPtr& snapshot() const { return snapshot_; }
  /// Over the snapshot's schema.
  const std::vector<expr::ExpressionPtr>& pruning_filters() const { return pruning_filters_; }

 private:
  types::RowSchema declared_;
  types::RowSchema projected_;
  fs::Location root_;
  delta::SnapshotPtr snapshot_;
  std::vector<expr::ExpressionPtr> filters_;
  std::vector<expr::ExpressionPtr> pruning_filters_;
};

/// One split per data file.
std::unique_ptr<stream::Source> MakeDeltaSource(const DeltaScanNegotiation& negotiation);

}  // namespace lakeward::connector
