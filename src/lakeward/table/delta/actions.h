#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/json/json.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::delta {

/// A `metaData` action: what Snapshot shows, and the format of the data files.
struct MetadataAction {
  Metadata metadata;
  std::string provider = "parquet";
  std::map<std::string, std::string> provider_options;
};

/// A `remove` action: the tombstone of a file.
struct RemoveFile {
  std::string path;  ///< as in AddFile
  std::optional<int64_t> deletion_timestamp_ms;
  bool data_change = true;
  std::optional<bool> extended_file_metadata;
  std::map<std::string, std::optional<std::string>> partition_values;
  std::optional<int64_t> size_bytes;
  std::optional<DeletionVector> deletion_vector;
  std::optional<int64_t> base_row_id;
  std::optional<int64_t> default_row_commit_version;
};

/// A `txn` action.
struct TransactionAction {
  std::string app_id;
  int64_t version = 0;
  std::optional<int64_t> last_updated_ms;
};

/// A `domainMetadata` action.
struct DomainMetadata {
  std::string domain;
  std::string configuration;
  bool removed = false;
};

/// A `sidecar` action of a version 2 checkpoint.
struct Sidecar {
  std::string path;
  int64_t size_bytes = 0;
};

/// What one log entry (or part of a checkpoint) says, by kind. The order of a log entry's actions
/// has no meaning (protocol, "Add File and Remove File").
struct Actions {
  std::optional<Protocol> protocol;
  std::optional<MetadataAction> metadata;
  std::vector<AddFile> adds;
  std::vector<RemoveFile> removes;
  std::vector<TransactionAction> transactions;
  std::vector<DomainMetadata> domains;
  std::vector<Sidecar> sidecars;
  std::optional<json::Json> commit_info;
};

/// A protocol version as an int; one that no int holds is as unknown as the greatest that one does.
int ToProtocolVersion(int64_t version);

/// Reads one line: an object whose single member names the action. Unknown actions and members are
/// skipped, as the protocol asks ("Protocol Evolution"); a member of the wrong type is
/// kCorruptData. `what` names the line in errors.
Status ParseAction(std::string_view line, std::string_view what, Actions* actions);

/// Reads a whole log entry, a line an action; empty lines are skipped.
Result<Actions> ParseLogEntry(std::string_view text, std::string_view what);

/// The `{"<action>": …}` lines, without line ends.
std::string ToLine(const Protocol& protocol);
std::string ToLine(const MetadataAction& metadata);
std::string ToLine(const AddFile& file);
std::string ToLine(const TransactionAction& transaction);
std::string CommitInfoLine(const json::Json& commit_info);

/// What tells two deletion vectors of one data file apart ("Derived Fields"); empty without one.
std::string UniqueId(const std::optional<DeletionVector>& deletion_vector);

}  // namespace lakeward::delta
