#include "lakeward/table/delta/referenced_files.h"

#include <string_view>
#include <unordered_set>
#include <utility>

#include "lakeward/base/log.h"
#include "lakeward/table/delta/checkpoint_reader.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/table/delta/log_listing.h"

namespace lakeward::delta {
namespace {

/// The candidates that are still in doubt and those that were found.
class Search {
 public:
  explicit Search(const std::vector<std::string>& candidates)
      : open_(candidates.begin(), candidates.end()) {}

  void Found(std::string_view path) {
    const auto found = open_.find(std::string(path));
    if (found != open_.end()) {
      found_.insert(*found);
      open_.erase(found);
    }
  }
  void FoundIn(const Actions& actions) {
    for (const AddFile& file : actions.adds) {
      Found(file.path);
    }
    // A tombstone means that older versions have the file.
    for (const RemoveFile& file : actions.removes) {
      Found(file.path);
    }
  }

  /// Whether the text of a log entry may hold an open candidate; spares parsing most of them.
  bool MayBeIn(std::string_view text) const {
    for (const std::string& path : open_) {
      const std::string encoded = PercentEncodePath(fs::BaseNameOf(path));
      if (text.find(encoded) != std::string_view::npos) {
        return true;
      }
      // Writers encode differently; a '%' in the text means that one must look closely.
      if (encoded != fs::BaseNameOf(path) && text.find('%') != std::string_view::npos) {
        return true;
      }
    }
    return false;
  }

  bool done() const { return open_.empty(); }
  bool Has(const std::string& path) const { return found_.contains(path); }

 private:
  std::unordered_set<std::string> open_;
  std::unordered_set<std::string> found_;
};

Status SearchEntries(const fs::Location& root, const LogListing& listing, Search* search) {
  // Newest first: candidates are usually young.
  for (auto entry = listing.entries.rbegin(); entry != listing.entries.rend() && !search->done();
       ++entry) {
    Result<std::string> text = root.file_system->ReadAll(entry->second.path);
    if (!text.ok()) {
      if (KindOf(text.status()) == ErrorKind::kNotFound) {
        continue;  // cleaned up meanwhile; the checkpoints stand for it
      }
      return text.status();
    }
    if (search->MayBeIn(*text)) {
      LW_ASSIGN(const Actions actions, ParseLogEntry(*text, EntryName(entry->first)));
      search->FoundIn(actions);
    }
  }
  return Status::OK();
}

/// Only needed where entries are missing: versions from before the oldest entry live on in
/// checkpoints.
Status SearchCheckpoints(const fs::Location& root, const LogListing& listing, Search* search) {
  if (listing.entries.contains(0)) {
    return Status::OK();
  }
  Status error;
  for (const Checkpoint& checkpoint : listing.checkpoints) {
    if (search->done()) {
      return Status::OK();
    }
    const Status status =
        ReadCheckpoint(root, checkpoint, [&](const Actions& actions) { search->FoundIn(actions); });
    if (status.ok()) {
      return Status::OK();
    }
    // No version can be built from it either.
    Log(LogLevel::kWarn, "table/delta", "table " + root.uri + ": " + status.message());
    error = status;
  }
  return error;
}

}  // namespace

Result<std::vector<std::string>> FindReferencedFiles(const fs::Location& root,
                                                     const TableState& newest,
                                                     const std::vector<std::string>& candidates) {
  Search search(candidates);
  for (const PackedFilePtr& file : newest.files) {
    const std::string_view key = file->key();
    search.Found(key.substr(0, key.find('\0')));
  }
  if (!search.done()) {
    LW_ASSIGN(const LogListing listing, ListLog(root, 0));
    LW_TRY(SearchEntries(root, listing, &search));
    LW_TRY(SearchCheckpoints(root, listing, &search));
  }
  std::vector<std::string> referenced;
  for (const std::string& candidate : candidates) {
    if (search.Has(candidate)) {
      referenced.push_back(candidate);
    }
  }
  return referenced;
}

}  // namespace lakeward::delta
