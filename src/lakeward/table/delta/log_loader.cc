#include "lakeward/table/delta/log_loader.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/log.h"
#include "lakeward/table/delta/checkpoint_reader.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/table/delta/last_checkpoint.h"

// Source: protocol, "Action Reconciliation", "Checkpoints".

namespace lakeward::delta {
namespace {

std::string TableName(const fs::Location& root) { return "table " + root.uri; }

Status NoTable(const fs::Location& root) {
  return MakeError(
      ErrorKind::kNotFound,
      fmt::format("there is no Delta table at {}: it has no log entry in _delta_log", root.uri),
      "Check the path, or create the table.");
}

Status MissingVersion(const fs::Location& root, int64_t missing, int64_t wanted,
                      const Status& checkpoint_error) {
  std::string message =
      fmt::format("{}: log entry _delta_log/{} is missing, so version {} cannot be built",
                  TableName(root), EntryName(missing), wanted);
  if (!checkpoint_error.ok()) {
    message += fmt::format("; the checkpoint that would replace it cannot be read ({})",
                           checkpoint_error.message());
  }
  return MakeError(ErrorKind::kCorruptData, std::move(message),
                   "Restore the file from a backup; log entries must never be deleted by hand.");
}

/// The first version in (after, to] without a log entry, -1 when there is none.
int64_t FirstGap(const LogListing& listing, int64_t after, int64_t to) {
  for (int64_t version = after + 1; version <= to; ++version) {
    if (!listing.entries.contains(version)) {
      return version;
    }
  }
  return -1;
}

Status ApplyEntries(const fs::Location& root, int64_t after, int64_t to, StateBuilder* builder) {
  for (int64_t version = after + 1; version <= to; ++version) {
    LW_ASSIGN(Actions actions, ReadEntry(root, version));
    builder->Apply(std::move(actions), version);
  }
  return Status::OK();
}

fs::FileInfo EntryOf(const LogListing& listing, int64_t version) {
  const auto found = listing.entries.find(version);
  return found == listing.entries.end() ? fs::FileInfo{} : found->second;
}

Result<LoadedState> Finish(const fs::Location& root, const LogListing& listing, int64_t version,
                           StateBuilder* builder) {
  LW_ASSIGN(TableState state, builder->Finish(version, TableName(root)));
  return LoadedState{std::make_shared<const TableState>(std::move(state)),
                     EntryOf(listing, version)};
}

/// Whether an entry is missing between the newest checkpoint and the version.
bool HasHole(const LogListing& listing, int64_t version) {
  int64_t checkpoint = -1;
  for (const Checkpoint& candidate : listing.checkpoints) {
    if (candidate.version <= version) {
      checkpoint = candidate.version;
    }
  }
  return FirstGap(listing, checkpoint, version) >= 0;
}

/// Builds a version from what the listing offers: the newest checkpoint that can be read, else
/// older ones, else entry 0.
Result<LoadedState> Build(const fs::Location& root, const LogListing& listing, int64_t version) {
  Status checkpoint_error;
  for (auto checkpoint = listing.checkpoints.rbegin(); checkpoint != listing.checkpoints.rend();
       ++checkpoint) {
    if (checkpoint->version > version) {
      continue;
    }
    const int64_t gap = FirstGap(listing, checkpoint->version, version);
    if (gap >= 0) {
      return MissingVersion(root, gap, version, checkpoint_error);
    }
    StateBuilder builder(nullptr);
    const Status status = ReadCheckpoint(root, *checkpoint, [&](Actions actions) {
      builder.Apply(std::move(actions), std::nullopt);
    });
    if (status.ok()) {
      LW_TRY(ApplyEntries(root, checkpoint->version, version, &builder));
      return Finish(root, listing, version, &builder);
    }
    Log(LogLevel::kWarn, "table/delta",
        fmt::format("{}: {}; going on without it", TableName(root), status.message()));
    checkpoint_error = status;
  }
  const int64_t gap = FirstGap(listing, -1, version);
  if (gap >= 0) {
    return MissingVersion(root, gap, version, checkpoint_error);
  }
  StateBuilder builder(nullptr);
  LW_TRY(ApplyEntries(root, -1, version, &builder));
  return Finish(root, listing, version, &builder);
}

bool HasCheckpoint(const LogListing& listing, int64_t version) {
  return !listing.checkpoints.empty() && listing.checkpoints.back().version >= version;
}

/// Build from a listing that begins at `first_version` and may have holes.
Result<LoadedState> BuildListed(const fs::Location& root, const LogListing& listing,
                                int64_t first_version, int64_t version) {
  if (!HasHole(listing, version)) {
    return Build(root, listing, version);
  }
  // A listing that others write into meanwhile may show an entry but not the one before it (readdir
  // and paged listings promise no more). One that begins now shows all up to that version.
  LW_ASSIGN(const LogListing again, ListLog(root, first_version));
  return Build(root, again, version);
}

Result<LoadedState> BuildLatest(const fs::Location& root, const LogListing& listing,
                                int64_t first_version) {
  if (listing.empty()) {
    return NoTable(root);
  }
  return BuildListed(root, listing, first_version, listing.NewestVersion());
}

}  // namespace

Result<Actions> ReadEntry(const fs::Location& root, int64_t version) {
  const std::string name = EntryName(version);
  const std::string what = fmt::format("{}: _delta_log/{}", TableName(root), name);
  Result<std::string> text = root.file_system->ReadAll(LogPath(root, name));
  if (!text.ok()) {
    return WithContext(text.status(), what);
  }
  if (text->empty()) {
    return MakeError(
        ErrorKind::kCorruptData, what + " is empty",
        "Its writer died while writing it; restore it or remove it by hand if it is the "
        "newest entry.");
  }
  Result<Actions> actions = ParseLogEntry(*text, what);
  if (actions.ok() || KindOf(actions.status()) != ErrorKind::kCorruptData) {
    return actions;
  }
  return WithHint(
      actions.status(),
      "Restore this file from a copy of the table. Only the newest entry may be removed "
      "instead, which undoes its commit.");
}

Result<LoadedState> LoadLatest(const fs::Location& root) {
  LW_ASSIGN(const std::optional<LastCheckpoint> hint, ReadLastCheckpoint(root));
  if (hint.has_value()) {
    LW_ASSIGN(const LogListing recent, ListLog(root, hint->version));
    if (HasCheckpoint(recent, hint->version)) {
      Result<LoadedState> loaded = BuildLatest(root, recent, hint->version);
      if (loaded.ok()) {
        return loaded;
      }
    } else {
      Log(LogLevel::kWarn, "table/delta",
          fmt::format(
              "{}: _last_checkpoint names the checkpoint of version {}, which is not there; "
              "listing the whole log instead",
              TableName(root), hint->version));
    }
  }
  LW_ASSIGN(const LogListing everything, ListLog(root, 0));
  Result<LoadedState> loaded = BuildLatest(root, everything, 0);
  if (loaded.ok() || KindOf(loaded.status()) != ErrorKind::kNotFound || everything.empty()) {
    return loaded;
  }
  // A clean-up removed listed files meanwhile; what it left is complete again.
  LW_ASSIGN(const LogListing again, ListLog(root, 0));
  return BuildLatest(root, again, 0);
}

Result<LoadedState> LoadVersion(const fs::Location& root, int64_t version) {
  LW_ASSIGN(const LogListing listing, ListLog(root, 0));
  if (listing.empty()) {
    return NoTable(root);
  }
  if (version < 0 || version > listing.NewestVersion()) {
    return MakeError(ErrorKind::kNotFound,
                     fmt::format("{} has no version {}", TableName(root), version),
                     fmt::format("The newest version is {}.", listing.NewestVersion()));
  }
  return BuildListed(root, listing, 0, version);
}

Result<LoadedState> Refresh(const fs::Location& root, const LoadedState& previous) {
  const int64_t version = previous.state->version;
  LW_ASSIGN(const LogListing listing, ListLog(root, version));
  const fs::FileInfo entry = EntryOf(listing, version);
  const bool same_time = previous.newest_entry.modification_time_us == kUnknownTime ||
                         previous.newest_entry.modification_time_us == entry.modification_time_us;
  const bool same_table =
      !entry.path.empty() && same_time && entry.size_bytes == previous.newest_entry.size_bytes;
  const int64_t newest = listing.NewestVersion();
  if (!same_table || FirstGap(listing, version, newest) >= 0) {
    return LoadLatest(root);
  }
  if (newest == version) {
    return LoadedState{previous.state, entry};
  }
  StateBuilder builder(previous.state.get());
  LW_TRY(ApplyEntries(root, version, newest, &builder));
  return Finish(root, listing, newest, &builder);
}

}  // namespace lakeward::delta
