#include "lakeward/table/delta/delta_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/ids.h"
#include "lakeward/base/log.h"
#include "lakeward/base/mutex.h"
#include "lakeward/table/delta/checkpoint_writer.h"
#include "lakeward/table/delta/commit_info.h"
#include "lakeward/table/delta/create_table.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/table/delta/log_loader.h"
#include "lakeward/table/delta/log_writer.h"
#include "lakeward/table/delta/referenced_files.h"
#include "lakeward/table/delta/schema_match.h"
#include "lakeward/table/delta/table_properties.h"
#include "lakeward/table/delta/table_snapshot.h"

namespace lakeward::delta {
namespace {

using table::CommitOutcome;
using table::CommitResult;

/// Far more than concurrent writers can ever need: each lost attempt is another writer's success.
constexpr int kCommitAttemptsMax = 10'000;

class LoggedTable final : public DeltaTable {
 public:
  LoggedTable(fs::Location root, Clock* clock, Random* random)
      : root_(std::move(root)), clock_(clock), random_(random) {}

  const fs::Location& root() const override { return root_; }
  Result<bool> Exists() override;
  Result<SnapshotPtr> Latest() override;
  Result<SnapshotPtr> AtVersion(int64_t version) override;
  Result<SnapshotPtr> CreateOrCheck(const CreateTableSpec& spec) override;
  Result<CommitResult> Append(const AppendCommit& commit) override;
  Result<std::vector<std::string>> FindReferenced(
      const std::vector<std::string>& candidates) override;

 private:
  /// The newest state and its snapshot, which belong together.
  struct Newest {
    LoadedState loaded;
    TableSnapshotPtr snapshot;
  };

  Result<Newest> LoadNewest();
  Result<Newest> Remember(LoadedState loaded);
  void AfterCommit(const Newest& base, const AppendCommit& commit, int64_t version,
                   int64_t entry_size_bytes, TransactionAction* mark);
  Status Checkpoint(const TableState& state);

  fs::Location root_;
  Clock* clock_;
  Random* random_;
  Mutex mutex_;
  std::optional<Newest> newest_;  // guarded by mutex_
};

Result<bool> LoggedTable::Exists() {
  LW_ASSIGN(const LogListing listing, ListLog(root_, 0));
  return !listing.empty();
}

Result<LoggedTable::Newest> LoggedTable::Remember(LoadedState loaded) {
  {
    MutexLock lock(&mutex_);
    if (newest_.has_value() && newest_->loaded.state == loaded.state) {
      newest_->loaded = std::move(loaded);
      return *newest_;
    }
  }
  LW_ASSIGN(TableSnapshotPtr snapshot, TableSnapshot::Make(loaded.state, root_.uri));
  MutexLock lock(&mutex_);
  newest_ = Newest{std::move(loaded), std::move(snapshot)};
  return *newest_;
}

Result<LoggedTable::Newest> LoggedTable::LoadNewest() {
  std::optional<LoadedState> previous;
  {
    MutexLock lock(&mutex_);
    if (newest_.has_value()) {
      previous = newest_->loaded;
    }
  }
  LW_ASSIGN(LoadedState loaded,
            previous.has_value() ? Refresh(root_, *previous) : LoadLatest(root_));
  return Remember(std::move(loaded));
}

Result<SnapshotPtr> LoggedTable::Latest() {
  LW_ASSIGN(const Newest newest, LoadNewest());
  return newest.snapshot;
}

Result<SnapshotPtr> LoggedTable::AtVersion(int64_t version) {
  LW_ASSIGN(LoadedState loaded, LoadVersion(root_, version));
  LW_ASSIGN(TableSnapshotPtr snapshot, TableSnapshot::Make(std::move(loaded.state), root_.uri));
  return snapshot;
}

/// A new log in a folder of other files would make a table that shows none of them, most likely
/// because the path was mistyped.
Status CheckNoOtherFiles(const fs::Location& root) {
  LW_ASSIGN(const std::vector<fs::FileInfo> files,
            root.file_system->ListDirectly(root.path, /*start_after=*/""));
  for (const fs::FileInfo& file : files) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    if (name.empty() || name.front() == '.' || name.front() == '_') {
      continue;
    }
    LW_ASSIGN(const LogListing log, ListLog(root, 0));
    if (!log.empty()) {  // someone else has just made the table and begun to write
      break;
    }
    return MakeError(
        ErrorKind::kAlreadyExists,
        fmt::format("{} is no Delta table (it has no _delta_log) but holds files, '{}' "
                    "among them",
                    root.uri, name),
        "Correct the path, or name a folder that is empty or does not exist yet.");
  }
  return Status::OK();
}

Result<SnapshotPtr> LoggedTable::CreateOrCheck(const CreateTableSpec& spec) {
  Result<Newest> present = LoadNewest();
  if (!present.ok()) {
    if (KindOf(present.status()) != ErrorKind::kNotFound) {
      return present.status();
    }
    LW_TRY(CheckNoOtherFiles(root_));
    const std::string commit_id = MakeUuid(random_);
    LW_ASSIGN(const std::string entry,
              FirstEntry(spec, MakeUuid(random_), clock_->NowMillis(), commit_id));
    LW_ASSIGN(const PutResult put, PutEntry(root_, 0, entry, commit_id, clock_, random_));
    if (put.outcome == PutOutcome::kUnknown) {
      return WithContext(put.error, fmt::format("creating the Delta table at {}", root_.uri));
    }
    present = LoadNewest();
    if (!present.ok()) {
      return present.status();
    }
  }
  LW_TRY(CheckSameTable(spec, *present->snapshot, root_.uri));
  return present->snapshot;
}

/// Why the commit cannot be based on this version, nothing when it can.
std::optional<std::string> FindConflict(const AppendCommit& commit, const TableSnapshot& base) {
  const Status writable = base.CheckWritable();
  if (!writable.ok()) {
    return writable.message();
  }
  return FindSchemaConflict(commit.written_schema, commit.written_partition_columns, base.schema(),
                            base.metadata().partition_columns);
}

/// "Values for all partition columns present in the schema MUST be present for all files."
Status CheckPartitionValues(const AppendCommit& commit) {
  for (const AddFile& file : commit.files) {
    for (const std::string& column : commit.written_partition_columns) {
      if (!file.partition_values.contains(column)) {
        return MakeError(ErrorKind::kInternal,
                         fmt::format("the new file {} has no value for the partition column `{}`",
                                     file.path, column));
      }
    }
  }
  return Status::OK();
}

std::string EntryText(const AppendCommit& commit, const TableSnapshot& base, int64_t now_ms,
                      const std::string& commit_id, const std::optional<TransactionAction>& mark) {
  std::string text = CommitInfoLine(AppendCommitInfo(commit, base.metadata().partition_columns,
                                                     base.version(), now_ms, commit_id));
  text += '\n';
  if (mark.has_value()) {
    text += ToLine(*mark) + "\n";
  }
  for (const AddFile& file : commit.files) {
    text += ToLine(file) + "\n";
  }
  return text;
}

CommitResult Unknown(int attempts, std::string detail) {
  CommitResult result;
  result.outcome = CommitOutcome::kUnknown;
  result.attempts = attempts;
  result.detail = std::move(detail);
  return result;
}

Result<CommitResult> LoggedTable::Append(const AppendCommit& commit) {
  LW_TRY(CheckPartitionValues(commit));
  const std::string commit_id = MakeUuid(random_);
  for (int attempt = 1; attempt <= kCommitAttemptsMax; ++attempt) {
    LW_ASSIGN(const Newest base, LoadNewest());
    CommitResult result;
    result.attempts = attempt - 1;
    if (commit.mark.has_value()) {
      const auto& transactions = base.loaded.state->transactions;
      const auto found = transactions.find(commit.mark->sink_id);
      if (found != transactions.end() &&
          found->second.action.version >= commit.mark->checkpoint_id) {
        result.outcome = CommitOutcome::kAlreadyCommitted;
        if (found->second.action.version == commit.mark->checkpoint_id) {
          result.version = found->second.log_version;
        }
        return result;
      }
    }
    if (std::optional<std::string> conflict = FindConflict(commit, *base.snapshot)) {
      result.outcome = CommitOutcome::kConflict;
      result.version = base.snapshot->version();
      result.detail = *std::move(conflict);
      return result;
    }
    const int64_t now_ms = clock_->NowMillis();
    std::optional<TransactionAction> mark;
    if (commit.mark.has_value()) {
      mark = TransactionAction{commit.mark->sink_id, commit.mark->checkpoint_id, now_ms};
    }
    const int64_t version = base.snapshot->version() + 1;
    const std::string entry = EntryText(commit, *base.snapshot, now_ms, commit_id, mark);
    LW_ASSIGN(const PutResult put, PutEntry(root_, version, entry, commit_id, clock_, random_));
    switch (put.outcome) {
      case PutOutcome::kOurs:
        result.outcome = CommitOutcome::kCommitted;
        result.version = version;
        result.attempts = attempt;
        AfterCommit(base, commit, version, static_cast<int64_t>(entry.size()),
                    mark.has_value() ? &*mark : nullptr);
        return result;
      case PutOutcome::kUnknown:
        return Unknown(attempt, fmt::format("log entry {} of table {} was sent, but whether it "
                                            "arrived could not be found out: {}",
                                            version, root_.uri, put.error.message()));
      case PutOutcome::kTaken:
        BackOff(std::min(attempt, 6), clock_, random_);
        break;
    }
  }
  return MakeError(
      ErrorKind::kCommitConflict,
      fmt::format("table {}: {} attempts to append were all overtaken by other writers", root_.uri,
                  kCommitAttemptsMax),
      "Try again when fewer programs write to the table.");
}

/// Makes the new version known here without reading it, and writes a checkpoint when one is due.
/// Nothing of this can undo the commit, so failures are only told in the log.
void LoggedTable::AfterCommit(const Newest& base, const AppendCommit& commit, int64_t version,
                              int64_t entry_size_bytes, TransactionAction* mark) {
  Actions actions;
  actions.adds = commit.files;
  if (mark != nullptr) {
    actions.transactions.push_back(std::move(*mark));
  }
  StateBuilder builder(base.loaded.state.get());
  builder.Apply(std::move(actions), version);
  Result<TableState> state = builder.Finish(version, root_.uri);
  LW_CHECK(state.ok());
  LoadedState loaded;
  loaded.state = std::make_shared<const TableState>(*std::move(state));
  loaded.newest_entry = {LogPath(root_, EntryName(version)), entry_size_bytes, kUnknownTime};
  const std::shared_ptr<const TableState> committed = loaded.state;
  const Result<Newest> remembered = Remember(std::move(loaded));
  LW_CHECK(remembered.ok());
  const auto properties = LogProperties::From(committed->metadata->metadata.configuration);
  if (version % properties.checkpoint_interval != 0 || !properties.writes_plain_checkpoints) {
    return;
  }
  const Status status = Checkpoint(*committed);
  if (!status.ok()) {
    Log(LogLevel::kWarn, "table/delta",
        fmt::format("table {}: no checkpoint of version {} was written ({}); the table is complete "
                    "without it",
                    root_.uri, version, status.message()));
  }
}

Status LoggedTable::Checkpoint(const TableState& state) {
  const auto properties = LogProperties::From(state.metadata->metadata.configuration);
  LW_ASSIGN(const LastCheckpoint written,
            WriteCheckpoint(root_, state, clock_->NowMillis() - properties.tombstone_retention_ms));
  return WriteLastCheckpoint(root_, written);
}

Result<std::vector<std::string>> LoggedTable::FindReferenced(
    const std::vector<std::string>& candidates) {
  LW_ASSIGN(const Newest newest, LoadNewest());
  return FindReferencedFiles(root_, *newest.loaded.state, candidates);
}

}  // namespace

std::shared_ptr<DeltaTable> DeltaTable::At(fs::Location root, Clock* clock, Random* random) {
  return std::make_shared<LoggedTable>(std::move(root), clock, random);
}

}  // namespace lakeward::delta
