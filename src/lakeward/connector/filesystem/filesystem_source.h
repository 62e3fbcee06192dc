#pragma once

#include <memory>
#include <vector>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/connector/filesystem/filesystem_options.h"
#include "lakeward/stream/source.h"

namespace lakeward::connector {

/// What a scan of files settles: which columns are decoded.
class FilesystemScanNegotiation final : public catalog::ScanNegotiation {
 public:
  FilesystemScanNegotiation(FilesystemTable table, types::RowSchema declared);

  const types::RowSchema& schema() const override { return projected_; }
  bool bounded() const override { return true; }
  bool ApplyProjection(const std::vector<int>& columns) override;
  std::string Describe() const override;

  const FilesystemTable& table() const { return table_; }

 private:
  FilesystemTable table_;
  types::RowSchema declared_;
  types::RowSchema projected_;
};

/// Reads the files that are there when the job first starts: byte ranges of large ones in parallel.
/// Names that begin with '.' or '_' are passed over, folders too.
std::unique_ptr<stream::Source> MakeFilesystemSource(const FilesystemScanNegotiation& negotiation);

}  // namespace lakeward::connector
