#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/base/status.h"
#include "lakeward/catalog/catalog.h"
#include "lakeward/config/configuration.h"
#include "lakeward/config/option.h"
#include "lakeward/expr/expression.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/types/row_schema.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::catalog {

/// What connectors and catalogs may use of the running program. Owned by the engine; outlives them.
struct EngineContext {
  std::shared_ptr<fs::FileSystems> file_systems;
  Clock* clock = nullptr;
  Random* random = nullptr;
};

/// A table as a statement sees it, with the session's settings at that moment.
struct TableContext {
  ObjectPath path;
  CatalogTablePtr table;           ///< options already overlaid with /*+ OPTIONS(…) */ hints
  config::Configuration settings;  ///< a copy, beaten by the catalog's and table's storage options
  types::TimeZone zone;            ///< table.local-time-zone
  bool batch_mode = false;
  const EngineContext* engine = nullptr;

  /// With the storage options of the catalog and of the table laid over `settings`. The time zone
  /// and the mode are the caller's to set.
  static TableContext Make(ObjectPath path, CatalogTablePtr table,
                           const config::OptionMap& catalog_options, config::Configuration settings,
                           const EngineContext* engine);
};

/// The row kinds that flow over an edge.
struct ChangelogMode {
  bool insert = true;
  bool update_before = false;
  bool update_after = false;
  bool deletes = false;

  bool append_only() const { return !update_before && !update_after && !deletes; }
  static ChangelogMode AppendOnly() { return {}; }
  static ChangelogMode All() { return {true, true, true, true}; }
  static ChangelogMode Upsert() { return {true, false, true, true}; }
  friend bool operator==(const ChangelogMode&, const ChangelogMode&) = default;
};

/// What the planner settles with a table before it is read. Made per scan, changed by the Apply
/// calls while planning, then immutable; the connector makes its Source from it.
class ScanNegotiation {
 public:
  virtual ~ScanNegotiation() = default;

  /// The columns that the scan gives, after ApplyProjection.
  virtual const types::RowSchema& schema() const = 0;
  virtual bool bounded() const = 0;
  virtual ChangelogMode changelog_mode() const { return ChangelogMode::AppendOnly(); }

  /// Offers conjuncts over the unprojected schema, called before ApplyProjection. Returns those
  /// that the plan must still check (pruning alone keeps them all).
  virtual std::vector<expr::ExpressionPtr> ApplyFilters(std::vector<expr::ExpressionPtr> filters) {
    return filters;
  }
  /// Asks for only these columns, in this order. False: the plan projects by itself.
  virtual bool ApplyProjection(const std::vector<int>& columns) { return false; }
  /// Offers an upper bound of rows wanted; the plan limits all the same.
  virtual void ApplyLimit(int64_t limit) {}
  /// An estimate; nothing when unknown.
  virtual std::optional<int64_t> EstimatedRowCount() const { return std::nullopt; }
  /// At most this many readers are of use; 0: any number.
  virtual int parallelism_max() const { return 0; }
  /// For EXPLAIN, after the table's name: "project=[a], filter=[…]"; may be empty.
  virtual std::string Describe() const { return ""; }
};

/// What the planner settles with a table before it is written.
class SinkNegotiation {
 public:
  virtual ~SinkNegotiation() = default;

  /// The columns that the sink takes, in order (what INSERT without a column list must give).
  virtual const types::RowSchema& schema() const = 0;
  /// What the sink can take, given what the query produces.
  virtual ChangelogMode AcceptedChangelog(const ChangelogMode& query) const {
    return ChangelogMode::AppendOnly();
  }
  /// INSERT OVERWRITE; kUnsupported where the sink cannot.
  virtual Status ApplyOverwrite();
  /// PARTITION (a = 'x'): values as text by column; the plan supplies them as constants as well.
  virtual Status ApplyStaticPartition(const std::map<std::string, std::string>& partition) {
    return Status::OK();
  }
  /// Columns (by number) by whose hash the rows should be spread over the writers; empty: any
  /// spread.
  virtual std::vector<int> DistributionColumns() const { return {}; }
  /// `sink.parallelism`, 0: the job's.
  virtual int parallelism() const { return 0; }
  /// Whether committed results are visible outside, so that checkpoints matter.
  virtual bool writes_tables() const { return false; }
  virtual std::string Describe() const { return ""; }
};

/// A connector as the planner and the catalogs see it. Stateless, thread-safe, lives as long as the
/// program. connector/connector.h adds what only the runtime needs.
class TableFactory {
 public:
  virtual ~TableFactory() = default;

  virtual std::string_view identifier() const = 0;  ///< the value of 'connector'
  virtual std::string_view doc() const = 0;         ///< one sentence
  /// Every option that the WITH clause may hold besides 'connector'; of formats too.
  virtual std::vector<config::OptionInfo> options() const = 0;
  virtual bool can_scan() const { return true; }
  virtual bool can_sink() const { return true; }

  /// Prepares storage at CREATE TABLE (Delta: log entry 0, or a check against the table that is
  /// there).
  virtual Status CreateStorage(const TableContext& context) const { return Status::OK(); }

  /// Both validate the options first (config::ValidateOptions).
  virtual Result<std::unique_ptr<ScanNegotiation>> NegotiateScan(
      const TableContext& context) const = 0;
  virtual Result<std::unique_ptr<SinkNegotiation>> NegotiateSink(
      const TableContext& context) const = 0;
};

/// Factories by identifier; a plain list, built at start and passed down.
class TableFactories {
 public:
  void Add(std::shared_ptr<const TableFactory> factory);
  /// kValidation as Flink says it, with the available identifiers; `options` must hold 'connector'.
  Result<std::shared_ptr<const TableFactory>> ForTable(const ObjectPath& path,
                                                       const config::OptionMap& options) const;
  std::vector<std::string> Identifiers() const;  ///< sorted

 private:
  std::vector<std::shared_ptr<const TableFactory>> factories_;
};

}  // namespace lakeward::catalog
