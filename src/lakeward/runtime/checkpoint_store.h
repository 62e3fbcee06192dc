#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/runtime/checkpoint_metadata.h"

namespace lakeward::runtime {

/// Who a checkpoint folder belongs to. Written once, when the first job starts there.
struct JobIdentity {
  std::string job_name;
  std::map<std::string, std::string> sink_ids;  ///< by operator id
};

/// The numbers that a checkpoint folder holds.
struct CheckpointListing {
  std::vector<int64_t> with_metadata;  ///< ascending, sealed ones too
  int64_t newest_number = 0;           ///< of any `chk-<n>`, durable or not; 0: none
};

/// A folder in which a sink's task announced files.
struct Intent {
  std::string operator_id;
  std::string folder_uri;
  std::string file_prefix;
};

/// One job's checkpoint folder; docs/formats/checkpoint.md is its layout and the reasons. Every
/// call blocks on storage. Thread-safe.
///
/// The rule that keeps two processes on one folder from both committing: the numbers that have a
/// `_metadata` are without gaps, each is put by put-if-absent, and who loses that race stops.
class CheckpointStore {
 public:
  static Result<std::unique_ptr<CheckpointStore>> Open(const std::string& uri,
                                                       const fs::FileSystems& file_systems,
                                                       const config::Configuration& settings,
                                                       std::string attempt_id);

  const std::string& uri() const { return location_.uri; }
  /// Random, of this process' use of the folder.
  const std::string& attempt_id() const { return attempt_id_; }

  /// The folder's identity: `proposed` when nobody was here before, or what stands there already.
  Result<JobIdentity> ClaimIdentity(const JobIdentity& proposed);

  Result<CheckpointListing> List();
  Result<CheckpointMetadata> Read(int64_t checkpoint_id);

  /// Makes a checkpoint durable. kAlreadyExists: another process has taken the number, so this one
  /// must commit nothing more.
  Status PutMetadata(const CheckpointMetadata& metadata);
  /// Takes a number out of use. False when a real checkpoint stands there.
  Result<bool> Seal(int64_t checkpoint_id);

  Result<StateHandle> PutState(int64_t checkpoint_id, const std::string& operator_id, int subtask,
                               std::string_view bytes);
  /// kCorruptData when it is not what was put.
  Result<std::string> ReadState(const StateHandle& handle);

  Status PutIntent(int64_t checkpoint_id, const std::string& task, int number,
                   const Intent& intent);
  /// Those of the checkpoints after `after` up to and including `last`.
  Result<std::vector<Intent>> IntentsBetween(int64_t after, int64_t last);

  /// The number of a checkpoint from `first` on that another process works at or has taken; nothing
  /// when this one is alone.
  Result<std::optional<int64_t>> FindRival(int64_t first);

  /// Deletes `chk-<n>` of every n below `checkpoint_id`.
  Status RemoveBefore(int64_t checkpoint_id);

 private:
  CheckpointStore(fs::Location location, std::string attempt_id)
      : location_(std::move(location)), attempt_id_(std::move(attempt_id)) {}

  std::string PathOf(int64_t checkpoint_id, std::string_view name) const;
  /// The n of `<root>/chk-<n>/…`; nothing for other paths. `rest` is what follows.
  std::optional<int64_t> NumberOf(std::string_view path, std::string_view* rest) const;

  const fs::Location location_;
  const std::string attempt_id_;
};

}  // namespace lakeward::runtime
