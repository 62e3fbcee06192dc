#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// The half of a connector that can only be written: reading is refused by its name.
class SinkOnlyConnector : public Connector {
 public:
  bool can_scan() const final { return false; }
  /// Checks the options, then takes the table's columns as they are and any row kind.
  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const override;
  Result<std::unique_ptr<catalog::ScanNegotiation>> NegotiateScan(
      const catalog::TableContext& context) const final;
  Result<std::unique_ptr<stream::Source>> MakeSource(
      const catalog::TableContext& context,
      const catalog::ScanNegotiation& negotiation) const final;
};

/// The half of a connector that can only be read: INSERT is refused by its name.
class SourceOnlyConnector : public Connector {
 public:
  bool can_sink() const final { return false; }
  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const final;
  Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext& context,
      const catalog::SinkNegotiation& negotiation) const final;
};

enum class WritesTables : uint8_t { kNo, kYes };

/// What a sink settles that takes the table's columns as they are and any row kind.
class AnyChangelogSinkNegotiation final : public catalog::SinkNegotiation {
 public:
  AnyChangelogSinkNegotiation(types::RowSchema schema, int parallelism,
                              WritesTables writes_tables = WritesTables::kNo)
      : schema_(std::move(schema)), parallelism_(parallelism), writes_tables_(writes_tables) {}

  const types::RowSchema& schema() const override { return schema_; }
  catalog::ChangelogMode AcceptedChangelog(const catalog::ChangelogMode& query) const override {
    return query;
  }
  int parallelism() const override { return parallelism_; }
  bool writes_tables() const override { return writes_tables_ == WritesTables::kYes; }

 private:
  types::RowSchema schema_;
  int parallelism_;
  WritesTables writes_tables_;
};

/// `sink.parallelism`, common to all sinks; 0 when it is not given.
Result<int> SinkParallelism(const catalog::TableContext& context);
const config::OptionInfo& SinkParallelismOption();
/// An option that says how many tasks there shall be; 0 when it is not given.
Result<int> TaskCount(const catalog::TableContext& context, const config::Option<int64_t>& option);

/// Checks a table's WITH clause against the connector's declaration; see config::ValidateOptions.
Status ValidateTableOptions(const catalog::TableContext& context,
                            const catalog::TableFactory& factory,
                            const std::vector<std::string>& ignore_prefixes = {});

}  // namespace lakeward::connector
