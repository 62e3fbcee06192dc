#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/expression.h"
#include "lakeward/format/format.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/table.h"
#include "lakeward/types/row_schema.h"

/// Delta Lake tables as a library of their own: it needs no engine. Source of every rule: the Delta
/// Transaction Log Protocol (PROTOCOL.md of delta-io/delta), sections named in the .cc files.
namespace lakeward::delta {

/// Which rows of a data file are deleted (protocol, "Deletion Vectors").
struct DeletionVector {
  std::string storage_type;  ///< "u", "i" or "p"
  std::string path_or_inline_data;
  std::optional<int32_t> offset;
  int32_t size_bytes = 0;
  int64_t cardinality = 0;

  friend bool operator==(const DeletionVector&, const DeletionVector&) = default;
};

/// An `add` action: one data file of the table.
struct AddFile {
  /// Relative to the table root, percent-decoded; of another place, an absolute local path
  /// (decoded) or a URI as written.
  std::string path;
  /// Partition column → value as the protocol serialises it; nothing for null.
  std::map<std::string, std::optional<std::string>> partition_values;
  int64_t size_bytes = 0;
  int64_t modification_time_ms = 0;
  bool data_change = true;
  std::string statistics_json;  ///< the `stats` text, empty when there is none

  // What other writers may have said; kept so that checkpoints hand it on.
  std::map<std::string, std::string> tags;
  std::optional<DeletionVector> deletion_vector;
  std::optional<int64_t> base_row_id;
  std::optional<int64_t> default_row_commit_version;
  std::string clustering_provider;

  friend bool operator==(const AddFile&, const AddFile&) = default;
};

struct Metadata {
  std::string id;  ///< UUID of the table
  std::string name;
  std::string description;
  std::string schema_json;  ///< as written, unknown field metadata kept
  std::vector<std::string> partition_columns;
  std::map<std::string, std::string> configuration;
  std::optional<int64_t> created_time_ms;
};

struct Protocol {
  int min_reader_version = 1;
  int min_writer_version = 2;
  std::vector<std::string> reader_features;  ///< present only with version 3
  std::vector<std::string> writer_features;  ///< present only with version 7
};

/// The state of a table at one version. Immutable, may be shared between threads.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  virtual int64_t version() const = 0;
  virtual const Protocol& protocol() const = 0;
  virtual const Metadata& metadata() const = 0;
  /// The table's columns as Flink types (`timestamp` is TIMESTAMP_LTZ(6), `timestamp_ntz`
  /// TIMESTAMP(6)).
  virtual const types::RowSchema& schema() const = 0;
  /// Live files, in path order.
  virtual Result<std::vector<AddFile>> Files() const = 0;
  /// The newest checkpoint id that this sink id (`txn` appId) has committed; nothing when it never
  /// has.
  virtual std::optional<int64_t> TransactionVersion(const std::string& sink_id) const = 0;

  /// Whether this program may read / write rows of the table; kUnsupported names the features.
  /// Schema and metadata are open even when this fails.
  virtual Status CheckReadable() const = 0;
  virtual Status CheckWritable() const = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// A file that a scan must read.
struct ScanFile {
  AddFile file;
  fs::Location location;
};

struct ScanPlan {
  std::vector<ScanFile> files;
  int64_t files_skipped_by_partition = 0;
  int64_t files_skipped_by_statistics = 0;
};

/// Files that can hold rows for which all `filters` (over columns of `snapshot.schema()` by number)
/// are true. A missing or unreadable statistic keeps the file; timestamp maxima count as up to 999
/// µs larger. Filters that cannot be judged are ignored: callers filter the rows again.
Result<ScanPlan> PlanScan(const Snapshot& snapshot, const fs::Location& root,
                          const std::vector<expr::ExpressionPtr>& filters);

/// Reads one planned file into batches of `columns` (names of the snapshot's schema, any order),
/// partition values filled in. Position and resume as in format::FileReader.
Result<std::unique_ptr<format::FileReader>> OpenScanFile(const Snapshot& snapshot,
                                                         const ScanFile& file,
                                                         const std::vector<std::string>& columns,
                                                         std::optional<int64_t> resume_position);

/// What CREATE TABLE says. `columns` types are Flink's.
struct CreateTableSpec {
  types::RowSchema schema;
  std::vector<std::string> partition_columns;
  std::map<std::string, std::string> configuration;  ///< `delta.*` table properties
  std::string description;
};

/// One change to be committed: optimistic, tried again over newer versions unless they conflict.
struct AppendCommit {
  std::vector<AddFile> files;
  std::optional<table::SinkMark> mark;  ///< becomes a `txn` action; decides "already committed"
  std::string operation = "STREAMING UPDATE";
  std::map<std::string, std::string> operation_parameters;
  /// The schema that the files were written with; checked against each base version.
  types::RowSchema written_schema;
  std::vector<std::string> written_partition_columns;
};

/// A table at a place. Thread-safe; remembers the newest snapshot so that refreshing is cheap. The
/// clock and random source must outlive it.
class DeltaTable {
 public:
  virtual ~DeltaTable() = default;

  /// Does not touch storage.
  static std::shared_ptr<DeltaTable> At(fs::Location root, Clock* clock, Random* random);

  virtual const fs::Location& root() const = 0;

  /// Whether `_delta_log` holds any version.
  virtual Result<bool> Exists() = 0;
  /// The newest version; kNotFound when there is no table. Missing, stale, empty and corrupt
  /// checkpoints and hints are survived as long as the JSON entries suffice; a gap is kCorruptData
  /// naming the missing version.
  virtual Result<SnapshotPtr> Latest() = 0;
  virtual Result<SnapshotPtr> AtVersion(int64_t version) = 0;

  /// Writes log entry 0 (commitInfo, protocol 1/2 or as the properties need, metaData) by
  /// put-if-absent, or, when a table is already there, checks it column by column against `spec`
  /// (kValidation names the first difference). Safe against concurrent creators. A folder that
  /// holds files but no log is refused (kAlreadyExists).
  virtual Result<SnapshotPtr> CreateOrCheck(const CreateTableSpec& spec) = 0;

  /// Appends files. Resolves lost answers by reading the log; every 10th version (or
  /// `delta.checkpointInterval`) it also writes a checkpoint, whose failure is only logged. A
  /// Status error means that nothing was or will be committed.
  virtual Result<table::CommitResult> Append(const AppendCommit& commit) = 0;

  /// Paths (relative, as in AddFile) of `candidates` that some version still in the log refers to.
  virtual Result<std::vector<std::string>> FindReferenced(
      const std::vector<std::string>& candidates) = 0;
};

/// The schema string of the log (a JSON struct type) for Flink columns; kUnsupported names the
/// column whose type Delta cannot hold. TIMESTAMP becomes `timestamp_ntz` only with the feature
/// enabled.
Result<std::string> SchemaToJson(const types::RowSchema& schema, bool timestamp_ntz);
Result<types::RowSchema> SchemaFromJson(const std::string& schema_json);

/// The `stats` JSON of a data file written by us: numRecords, minValues, maxValues, nullCount for
/// the first `delta.dataSkippingNumIndexedCols` (32) or the listed columns; strings truncated as
/// the protocol asks.
std::string StatisticsToJson(const format::FileStatistics& statistics,
                             const types::RowSchema& schema, const Metadata& metadata);

/// A partition value as the protocol serialises it, nothing for null (and for an empty string,
/// which Delta cannot tell from null).
Result<std::optional<std::string>> SerializePartitionValue(const arrow::Scalar& value,
                                                           const types::LogicalType& type);

/// A partition value of the log as a scalar of the column's physical type; null for nothing and for
/// an empty text. kCorruptData when the text is no value of the type.
Result<std::shared_ptr<arrow::Scalar>> ParsePartitionValue(const std::optional<std::string>& text,
                                                           const types::LogicalType& type);

/// The folder of a partition as Hive and Spark spell it: "a=1/b=x y%3Az", null is
/// __HIVE_DEFAULT_PARTITION__. Not yet percent-encoded for the log. Values over 200 bytes are cut:
/// the folder is a convention, the value stands in the log.
std::string PartitionFolder(const std::vector<std::string>& partition_columns,
                            const std::map<std::string, std::optional<std::string>>& values);

}  // namespace lakeward::delta
