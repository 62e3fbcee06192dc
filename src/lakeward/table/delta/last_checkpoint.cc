#include "lakeward/table/delta/last_checkpoint.h"

#include <string>

#include "lakeward/base/crash_point.h"
#include "lakeward/base/log.h"
#include "lakeward/json/json.h"
#include "lakeward/table/delta/file_path.h"

// Source: protocol, "Last Checkpoint File", "Last Checkpoint File Schema".

namespace lakeward::delta {
namespace {

constexpr std::string_view kFileName = "_last_checkpoint";

Result<LastCheckpoint> Parse(const std::string& text) {
  LW_ASSIGN(const json::Json document, json::Parse(text, kFileName));
  if (!document.is_object()) {
    return MakeError(ErrorKind::kCorruptData, "it is no JSON object");
  }
  LastCheckpoint checkpoint;
  LW_ASSIGN(checkpoint.version, json::GetInt64(document, "version", kFileName));
  if (checkpoint.version < 0) {
    return MakeError(ErrorKind::kCorruptData, "its version is negative");
  }
  LW_ASSIGN(const std::optional<int64_t> count,
            json::GetOptionalInt64(document, "size", kFileName));
  checkpoint.action_count = count.value_or(0);
  return checkpoint;
}

}  // namespace

Result<std::optional<LastCheckpoint>> ReadLastCheckpoint(const fs::Location& root) {
  const Result<std::string> text = root.file_system->ReadAll(LogPath(root, kFileName));
  if (!text.ok()) {
    return KindOf(text.status()) == ErrorKind::kNotFound
               ? std::optional<LastCheckpoint>()
               : Result<std::optional<LastCheckpoint>>(text.status());
  }
  const Result<LastCheckpoint> parsed = Parse(*text);
  if (!parsed.ok()) {
    Log(LogLevel::kWarn, "table/delta",
        "table " + root.uri + ": _delta_log/_last_checkpoint is not usable (" +
            parsed.status().message() + "); listing the whole log instead");
    return std::optional<LastCheckpoint>();
  }
  return std::optional<LastCheckpoint>(*parsed);
}

Status WriteLastCheckpoint(const fs::Location& root, const LastCheckpoint& checkpoint) {
  const Result<std::string> present = root.file_system->ReadAll(LogPath(root, kFileName));
  if (present.ok()) {
    const Result<LastCheckpoint> parsed = Parse(*present);
    if (parsed.ok() && parsed->version > checkpoint.version) {
      return Status::OK();
    }
  }
  json::Json document = json::Json::object();
  document["version"] = checkpoint.version;
  document["size"] = checkpoint.action_count;
  if (checkpoint.size_bytes.has_value()) {
    document["sizeInBytes"] = *checkpoint.size_bytes;
  }
  if (checkpoint.add_file_count.has_value()) {
    document["numOfAddFiles"] = *checkpoint.add_file_count;
  }
  CrashPoint("delta.before-last-checkpoint-put");
  LW_TRY(root.file_system->Put(LogPath(root, kFileName), json::Write(document), {}));
  CrashPoint("delta.after-last-checkpoint-put");
  return Status::OK();
}

}  // namespace lakeward::delta
