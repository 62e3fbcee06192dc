#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/table/delta/actions.h"
#include "lakeward/table/delta/packed_file.h"

namespace lakeward::delta {

using RemoveFilePtr = std::shared_ptr<const RemoveFile>;

/// A `txn` action and, when it came from a log entry and not from a checkpoint, that entry's
/// version.
struct RecordedTransaction {
  TransactionAction action;
  std::optional<int64_t> log_version;
};

/// What the log says about a table at one version, reconciled (protocol, "Action Reconciliation").
/// A value; cheap to copy as its parts are shared.
struct TableState {
  int64_t version = -1;
  std::shared_ptr<const Protocol> protocol;
  std::shared_ptr<const MetadataAction> metadata;
  std::vector<PackedFilePtr> files;                               ///< live, by ascending key
  std::vector<std::pair<std::string, RemoveFilePtr>> tombstones;  ///< by ascending key
  std::map<std::string, RecordedTransaction> transactions;        ///< by appId
  std::map<std::string, DomainMetadata> domains;                  ///< removed ones left out
};

/// Applies log entries, oldest first, to a state.
class StateBuilder {
 public:
  /// Starts from `base`, which must outlive the builder, or from nothing (null).
  explicit StateBuilder(const TableState* base);

  /// `log_version` is the entry's, nothing for (a part of) a checkpoint.
  void Apply(Actions actions, std::optional<int64_t> log_version);

  /// The state after everything applied. kCorruptData when the log has no protocol or no metadata.
  /// Last call. `what` names the table in the error.
  Result<TableState> Finish(int64_t version, std::string_view what);

 private:
  struct Change {
    PackedFilePtr added;  ///< null: removed
    RemoveFilePtr removed;
  };

  const TableState* base_;
  std::shared_ptr<const Protocol> protocol_;
  std::shared_ptr<const MetadataAction> metadata_;
  std::unordered_map<std::string, Change> changes_;  // by file key
  std::map<std::string, RecordedTransaction> transactions_;
  std::map<std::string, DomainMetadata> domains_;
};

}  // namespace lakeward::delta
