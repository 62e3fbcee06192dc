#include "lakeward/runtime/checkpoint_store.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/crash_point.h"
#include "lakeward/base/crc32c.h"
#include "lakeward/json/json.h"

namespace lakeward::runtime {
namespace {

using json::Json;

constexpr std::string_view kMetadataName = "_metadata";
constexpr std::string_view kIdentityName = "identity.json";
constexpr std::string_view kIntentFolder = "intent/";
constexpr int64_t kIdentityVersion = 1;

/// Operator ids may hold anything; file names may not.
std::string FileNameOf(std::string_view operator_id) {
  std::string name;
  for (const char c : operator_id) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (is_plain) {
      name += c;
    } else {
      name += fmt::format("_{:02x}", static_cast<unsigned char>(c));
    }
  }
  return name;
}

std::string WriteIdentity(const JobIdentity& identity) {
  Json sinks = Json::object();
  for (const auto& [operator_id, sink_id] : identity.sink_ids) {
    sinks[operator_id] = sink_id;
  }
  return json::WritePretty(
      Json{{"format", kIdentityVersion}, {"job", identity.job_name}, {"sinks", std::move(sinks)}});
}

Result<JobIdentity> ReadIdentity(std::string_view text, std::string_view what) {
  LW_ASSIGN(const Json document, json::Parse(text, what));
  JobIdentity identity;
  LW_ASSIGN(identity.job_name, json::GetString(document, "job", what));
  const Json* sinks = json::Find(document, "sinks");
  if (sinks == nullptr || !sinks->is_object()) {
    return MakeError(ErrorKind::kCorruptData, fmt::format("{}: no object 'sinks'", what));
  }
  for (const auto& [operator_id, value] : sinks->items()) {
    LW_ASSIGN(identity.sink_ids[operator_id], json::GetString(*sinks, operator_id.c_str(), what));
  }
  return identity;
}

}  // namespace

Result<std::unique_ptr<CheckpointStore>> CheckpointStore::Open(
    const std::string& uri, const fs::FileSystems& file_systems,
    const config::Configuration& settings, std::string attempt_id) {
  LW_ASSIGN(fs::Location location, file_systems.Resolve(uri, settings));
  return std::unique_ptr<CheckpointStore>(
      new CheckpointStore(std::move(location), std::move(attempt_id)));
}

std::string CheckpointStore::PathOf(int64_t checkpoint_id, std::string_view name) const {
  return fs::JoinPath(location_.path, fmt::format("chk-{}/{}", checkpoint_id, name));
}

std::optional<int64_t> CheckpointStore::NumberOf(std::string_view path,
                                                 std::string_view* rest) const {
  const std::string root = fs::JoinPath(location_.path, "chk-");
  if (!path.starts_with(root)) {
    return std::nullopt;
  }
  const char* begin = path.data() + root.size();
  const char* end = path.data() + path.size();
  int64_t number = 0;
  const auto [next, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || next == end || *next != '/' || number < 1) {
    return std::nullopt;
  }
  *rest = path.substr(next + 1 - path.data());
  return number;
}

Result<JobIdentity> CheckpointStore::ClaimIdentity(const JobIdentity& proposed) {
  const std::string path = fs::JoinPath(location_.path, kIdentityName);
  auto text = location_.file_system->ReadAll(path);
  if (!text.ok() && KindOf(text.status()) == ErrorKind::kNotFound) {
    const Status put =
        location_.file_system->Put(path, WriteIdentity(proposed), {.if_absent = true});
    if (put.ok()) {
      return proposed;
    }
    if (KindOf(put) != ErrorKind::kAlreadyExists) {
      return put;
    }
    text = location_.file_system->ReadAll(path);
  }
  return text.ok() ? ReadIdentity(*text, path) : text.status();
}

Result<CheckpointListing> CheckpointStore::List() {
  LW_ASSIGN(const std::vector<fs::FileInfo> files, location_.file_system->List(location_.path));
  CheckpointListing listing;
  for (const fs::FileInfo& file : files) {
    std::string_view rest;
    const std::optional<int64_t> number = NumberOf(file.path, &rest);
    if (!number.has_value()) {
      continue;
    }
    listing.newest_number = std::max(listing.newest_number, *number);
    if (rest == kMetadataName) {
      listing.with_metadata.push_back(*number);
    }
  }
  std::sort(listing.with_metadata.begin(), listing.with_metadata.end());
  return listing;
}

Result<CheckpointMetadata> CheckpointStore::Read(int64_t checkpoint_id) {
  const std::string path = PathOf(checkpoint_id, kMetadataName);
  LW_ASSIGN(const std::string text, location_.file_system->ReadAll(path));
  return ReadMetadata(text, path);
}

Status CheckpointStore::PutMetadata(const CheckpointMetadata& metadata) {
  const std::string path = PathOf(metadata.checkpoint_id, kMetadataName);
  LW_ASSIGN(const std::string text, WriteMetadata(metadata));
  CrashPoint("checkpoint.before-put");
  Status put = location_.file_system->Put(path, text, {.if_absent = true});
  if (!put.ok() && KindOf(put) == ErrorKind::kAlreadyExists) {
    // A put that was sent twice below meets its own first sending.
    const auto present = location_.file_system->ReadAll(path);
    if (present.ok() && *present == text) {
      put = Status::OK();
    }
  }
  if (!put.ok() && KindOf(put) == ErrorKind::kAlreadyExists) {
    return MakeError(ErrorKind::kAlreadyExists,
                     fmt::format("checkpoint {} in {} was taken by another process",
                                 metadata.checkpoint_id, location_.uri),
                     "Two processes run this job on one state directory. This one has stopped and "
                     "committed nothing more; keep only the other.");
  }
  LW_TRY(put);
  CrashPoint("checkpoint.after-put");
  return Status::OK();
}

Result<bool> CheckpointStore::Seal(int64_t checkpoint_id) {
  CheckpointMetadata seal;
  seal.checkpoint_id = checkpoint_id;
  seal.attempt_id = attempt_id_;
  seal.sealed = true;
  LW_ASSIGN(const std::string text, WriteMetadata(seal));
  const Status put =
      location_.file_system->Put(PathOf(checkpoint_id, kMetadataName), text, {.if_absent = true});
  if (put.ok()) {
    return true;
  }
  if (KindOf(put) != ErrorKind::kAlreadyExists) {
    return put;
  }
  LW_ASSIGN(const CheckpointMetadata present, Read(checkpoint_id));
  return present.sealed;
}

Result<StateHandle> CheckpointStore::PutState(int64_t checkpoint_id, const std::string& operator_id,
                                              int subtask, std::string_view bytes) {
  StateHandle handle;
  handle.operator_id = operator_id;
  handle.subtask = subtask;
  // The attempt in the name keeps a rival from changing what this process is about to refer to.
  handle.path = fmt::format("chk-{}/state-{}-{}-{}", checkpoint_id, FileNameOf(operator_id),
                            subtask, attempt_id_);
  handle.size_bytes = static_cast<int64_t>(bytes.size());
  handle.crc = Crc32c(bytes);
  LW_TRY(location_.file_system->Put(fs::JoinPath(location_.path, handle.path), bytes, {}));
  return handle;
}

Result<std::string> CheckpointStore::ReadState(const StateHandle& handle) {
  const std::string path = fs::JoinPath(location_.path, handle.path);
  LW_ASSIGN(std::string bytes, location_.file_system->ReadAll(path));
  if (static_cast<int64_t>(bytes.size()) != handle.size_bytes || Crc32c(bytes) != handle.crc) {
    return MakeError(ErrorKind::kCorruptData,
                     fmt::format("{}: not the bytes that its checkpoint refers to", path),
                     "The file was changed after it was written. Put back the original, or remove "
                     "its folder to start from an older checkpoint.");
  }
  return bytes;
}

Status CheckpointStore::PutIntent(int64_t checkpoint_id, const std::string& task, int number,
                                  const Intent& intent) {
  const std::string name = fmt::format("{}{}-{}-{}", kIntentFolder, task, attempt_id_, number);
  return location_.file_system->Put(PathOf(checkpoint_id, name),
                                    json::Write(Json{{"operator", intent.operator_id},
                                                     {"folder", intent.folder_uri},
                                                     {"prefix", intent.file_prefix}}),
                                    {});
}

Result<std::vector<Intent>> CheckpointStore::IntentsBetween(int64_t after, int64_t last) {
  LW_ASSIGN(const std::vector<fs::FileInfo> files, location_.file_system->List(location_.path));
  std::vector<Intent> intents;
  for (const fs::FileInfo& file : files) {
    std::string_view rest;
    const std::optional<int64_t> number = NumberOf(file.path, &rest);
    if (!number.has_value() || *number <= after || *number > last ||
        !rest.starts_with(kIntentFolder)) {
      continue;
    }
    LW_ASSIGN(const std::string text, location_.file_system->ReadAll(file.path));
    LW_ASSIGN(const Json document, json::Parse(text, file.path));
    Intent intent;
    LW_ASSIGN(intent.operator_id, json::GetString(document, "operator", file.path));
    LW_ASSIGN(intent.folder_uri, json::GetString(document, "folder", file.path));
    LW_ASSIGN(intent.file_prefix, json::GetString(document, "prefix", file.path));
    intents.push_back(std::move(intent));
  }
  return intents;
}

Result<std::optional<int64_t>> CheckpointStore::FindRival(int64_t first) {
  LW_ASSIGN(const std::vector<fs::FileInfo> files, location_.file_system->List(location_.path));
  for (const fs::FileInfo& file : files) {
    std::string_view rest;
    const std::optional<int64_t> number = NumberOf(file.path, &rest);
    if (!number.has_value() || *number < first) {
      continue;
    }
    bool is_own = rest.find(attempt_id_) != std::string_view::npos;
    if (rest == kMetadataName) {
      LW_ASSIGN(const CheckpointMetadata metadata, Read(*number));
      is_own = metadata.attempt_id == attempt_id_;
    }
    if (!is_own) {
      return number;
    }
  }
  return std::nullopt;
}

Status CheckpointStore::RemoveBefore(int64_t checkpoint_id) {
  LW_ASSIGN(const std::vector<fs::FileInfo> files, location_.file_system->List(location_.path));
  std::vector<std::string> metadata;
  std::vector<std::string> others;
  for (const fs::FileInfo& file : files) {
    std::string_view rest;
    const std::optional<int64_t> number = NumberOf(file.path, &rest);
    if (!number.has_value() || *number >= checkpoint_id) {
      continue;
    }
    (rest == kMetadataName ? metadata : others).push_back(file.path);
  }
  // First: a checkpoint without its state files must not look whole.
  LW_TRY(location_.file_system->RemoveAll(metadata));
  return location_.file_system->RemoveAll(others);
}

}  // namespace lakeward::runtime
