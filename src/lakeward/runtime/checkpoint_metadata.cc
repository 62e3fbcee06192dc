#include "lakeward/runtime/checkpoint_metadata.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "arrow/util/utf8.h"
#include "fmt/format.h"
#include "lakeward/base/crc32c.h"
#include "lakeward/json/json.h"

namespace lakeward::runtime {
namespace {

using json::Json;

constexpr int64_t kFormatVersion = 1;

/// JSON can hold no other bytes, and changed ones would be worse than none.
Status CheckText(std::string_view text, std::string_view what) {
  arrow::util::InitializeUTF8();
  if (!arrow::util::ValidateUTF8(text)) {
    return MakeError(ErrorKind::kInternal, fmt::format("{} is not UTF-8 text", what));
  }
  return Status::OK();
}

Result<Json> ToJson(const stream::Split& split) {
  for (const std::string* text : {&split.id, &split.spec, &split.position}) {
    LW_TRY(CheckText(*text, "a split"));
  }
  return Json{{"id", split.id}, {"spec", split.spec}, {"position", split.position}};
}

Result<Json> ToJson(const std::vector<stream::Split>& splits) {
  Json array = Json::array();
  for (const stream::Split& split : splits) {
    LW_ASSIGN(Json json, ToJson(split));
    array.push_back(std::move(json));
  }
  return array;
}

Result<Json> ToJson(const SourceCheckpoint& source) {
  Json json{{"operator", source.operator_id}};
  LW_ASSIGN(json["splits"], ToJson(source.splits));
  json["finished"] = source.finished;
  LW_ASSIGN(json["open"], ToJson(source.open));
  return json;
}

Json ToJson(const StateHandle& state) {
  return Json{{"operator", state.operator_id},
              {"subtask", state.subtask},
              {"path", state.path},
              {"size", state.size_bytes},
              {"crc32c", state.crc}};
}

Result<Json> ToJson(const SinkCheckpoint& sink) {
  Json payloads = Json::array();
  for (const stream::Committable& committable : sink.request.committables) {
    LW_TRY(CheckText(committable.payload, "a committable"));
    payloads.push_back(committable.payload);
  }
  return Json{{"operator", sink.operator_id},
              {"sinkId", sink.request.sink_id},
              {"checkpoint", sink.request.checkpoint_id},
              {"committables", std::move(payloads)}};
}

std::string Checksum(const Json& body) { return fmt::format("{:08x}", Crc32c(json::Write(body))); }

/// Reads the members of one document; `what` is its name in errors.
class MetadataReader {
 public:
  explicit MetadataReader(std::string_view what) : what_(what) {}

  Result<const Json*> Array(const Json& object, const char* member) const {
    const Json* array = json::Find(object, member);
    if (array == nullptr || !array->is_array()) {
      return Damaged(fmt::format("no list '{}'", member));
    }
    return array;
  }

  Result<std::vector<std::string>> Texts(const Json& object, const char* member) const {
    LW_ASSIGN(const Json* array, Array(object, member));
    std::vector<std::string> texts;
    for (const Json& text : *array) {
      if (!text.is_string()) {
        return Damaged(fmt::format("'{}' is no list of texts", member));
      }
      texts.push_back(text.get<std::string>());
    }
    return texts;
  }

  Result<std::vector<stream::Split>> Splits(const Json& object, const char* member) const {
    LW_ASSIGN(const Json* array, Array(object, member));
    std::vector<stream::Split> splits;
    for (const Json& json : *array) {
      stream::Split split;
      LW_ASSIGN(split.id, json::GetString(json, "id", what_));
      LW_ASSIGN(split.spec, json::GetString(json, "spec", what_));
      LW_ASSIGN(split.position, json::GetString(json, "position", what_));
      splits.push_back(std::move(split));
    }
    return splits;
  }

  Result<SourceCheckpoint> Source(const Json& json) const {
    SourceCheckpoint source;
    LW_ASSIGN(source.operator_id, json::GetString(json, "operator", what_));
    LW_ASSIGN(source.splits, Splits(json, "splits"));
    LW_ASSIGN(source.finished, Texts(json, "finished"));
    LW_ASSIGN(source.open, Splits(json, "open"));
    return source;
  }

  Result<StateHandle> State(const Json& json) const {
    StateHandle state;
    LW_ASSIGN(state.operator_id, json::GetString(json, "operator", what_));
    LW_ASSIGN(const int64_t subtask, json::GetInt64(json, "subtask", what_));
    state.subtask = static_cast<int>(subtask);
    LW_ASSIGN(state.path, json::GetString(json, "path", what_));
    LW_ASSIGN(state.size_bytes, json::GetInt64(json, "size", what_));
    LW_ASSIGN(const int64_t crc, json::GetInt64(json, "crc32c", what_));
    state.crc = static_cast<uint32_t>(crc);
    return state;
  }

  Result<SinkCheckpoint> Sink(const Json& json) const {
    SinkCheckpoint sink;
    LW_ASSIGN(sink.operator_id, json::GetString(json, "operator", what_));
    LW_ASSIGN(sink.request.sink_id, json::GetString(json, "sinkId", what_));
    LW_ASSIGN(sink.request.checkpoint_id, json::GetInt64(json, "checkpoint", what_));
    LW_ASSIGN(std::vector<std::string> payloads, Texts(json, "committables"));
    for (std::string& payload : payloads) {
      sink.request.committables.push_back({std::move(payload)});
    }
    return sink;
  }

  Status Damaged(std::string_view why) const {
    return MakeError(ErrorKind::kCorruptData, fmt::format("{}: {}", what_, why),
                     "The file was changed after it was written. Put back the original, or remove "
                     "its folder to start from an older checkpoint.");
  }

 private:
  std::string_view what_;
};

Status ReadLists(const MetadataReader& reader, const Json& body, CheckpointMetadata* metadata) {
  LW_ASSIGN(const Json* sources, reader.Array(body, "sources"));
  for (const Json& json : *sources) {
    LW_ASSIGN(SourceCheckpoint source, reader.Source(json));
    metadata->sources.push_back(std::move(source));
  }
  LW_ASSIGN(metadata->finished_operators, reader.Texts(body, "finishedOperators"));
  LW_ASSIGN(const Json* states, reader.Array(body, "states"));
  for (const Json& json : *states) {
    LW_ASSIGN(StateHandle state, reader.State(json));
    metadata->states.push_back(std::move(state));
  }
  LW_ASSIGN(const Json* sinks, reader.Array(body, "sinks"));
  for (const Json& json : *sinks) {
    LW_ASSIGN(SinkCheckpoint sink, reader.Sink(json));
    metadata->sinks.push_back(std::move(sink));
  }
  return Status::OK();
}

}  // namespace

void SourceCheckpoint::Advance(const SourceProgress& progress) {
  std::unordered_set<std::string> taken_up(progress.finished.begin(), progress.finished.end());
  for (const stream::Split& split : progress.open) {
    taken_up.insert(split.id);
  }
  std::erase_if(open, [&](const stream::Split& split) { return taken_up.contains(split.id); });
  open.insert(open.end(), progress.open.begin(), progress.open.end());
  finished.insert(finished.end(), progress.finished.begin(), progress.finished.end());
}

std::vector<stream::Split> SourceCheckpoint::Unread() const {
  const std::unordered_set<std::string> done(finished.begin(), finished.end());
  std::unordered_map<std::string, const stream::Split*> begun;
  for (const stream::Split& split : open) {
    begun.emplace(split.id, &split);
  }
  std::vector<stream::Split> unread;
  for (const stream::Split& split : splits) {
    if (done.contains(split.id)) {
      continue;
    }
    const auto found = begun.find(split.id);
    unread.push_back(found == begun.end() ? split : *found->second);
  }
  return unread;
}

Result<std::string> WriteMetadata(const CheckpointMetadata& metadata) {
  Json body{{"format", kFormatVersion},       {"checkpoint", metadata.checkpoint_id},
            {"attempt", metadata.attempt_id}, {"sealed", metadata.sealed},
            {"finished", metadata.finished},  {"commit", metadata.commit},
            {"sources", Json::array()},       {"finishedOperators", metadata.finished_operators},
            {"states", Json::array()},        {"sinks", Json::array()}};
  for (const SourceCheckpoint& source : metadata.sources) {
    LW_ASSIGN(Json json, ToJson(source));
    body["sources"].push_back(std::move(json));
  }
  for (const StateHandle& state : metadata.states) {
    body["states"].push_back(ToJson(state));
  }
  for (const SinkCheckpoint& sink : metadata.sinks) {
    LW_ASSIGN(Json json, ToJson(sink));
    body["sinks"].push_back(std::move(json));
  }
  const std::string checksum = Checksum(body);
  return json::Write(Json{{"crc32c", checksum}, {"body", std::move(body)}});
}

Result<CheckpointMetadata> ReadMetadata(std::string_view text, std::string_view what) {
  const MetadataReader reader(what);
  LW_ASSIGN(const Json document, json::Parse(text, what));
  LW_ASSIGN(const std::string checksum, json::GetString(document, "crc32c", what));
  const Json* body = json::Find(document, "body");
  if (body == nullptr || Checksum(*body) != checksum) {
    return reader.Damaged("the checksum does not fit the content");
  }
  LW_ASSIGN(const int64_t version, json::GetInt64(*body, "format", what));
  if (version != kFormatVersion) {
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("{}: checkpoint format {} is not known here", what, version),
                     "Use the version of Lakeward that wrote it, or a newer one.");
  }
  CheckpointMetadata metadata;
  LW_ASSIGN(metadata.checkpoint_id, json::GetInt64(*body, "checkpoint", what));
  LW_ASSIGN(metadata.attempt_id, json::GetString(*body, "attempt", what));
  LW_ASSIGN(metadata.sealed, json::GetBool(*body, "sealed", what));
  LW_ASSIGN(metadata.finished, json::GetBool(*body, "finished", what));
  LW_ASSIGN(metadata.commit, json::GetBool(*body, "commit", what));
  LW_TRY(ReadLists(reader, *body, &metadata));
  return metadata;
}

}  // namespace lakeward::runtime
