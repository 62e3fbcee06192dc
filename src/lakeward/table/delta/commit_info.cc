#include "lakeward/table/delta/commit_info.h"

#include <utility>

#include "lakeward/base/version.h"

// Source: protocol, "Commit Provenance Information"; the members are those that Delta's own engines
// write, so that DESCRIBE HISTORY shows them.

namespace lakeward::delta {
namespace {

using json::Json;

Json Common(int64_t now_ms, const std::string& operation, Json parameters) {
  Json info = Json::object();
  info["timestamp"] = now_ms;
  info["operation"] = operation;
  info["operationParameters"] = std::move(parameters);
  return info;
}

void Finish(const std::string& commit_id, Json* info) {
  (*info)["isBlindAppend"] = true;
  (*info)["engineInfo"] = "lakeward/" + std::string(Version());
  (*info)["txnId"] = commit_id;
}

}  // namespace

json::Json AppendCommitInfo(const AppendCommit& commit,
                            const std::vector<std::string>& partition_columns, int64_t read_version,
                            int64_t now_ms, const std::string& commit_id) {
  Json parameters = Json::object();
  parameters["mode"] = "Append";
  parameters["partitionBy"] = json::Write(Json(partition_columns));
  for (const auto& [key, value] : commit.operation_parameters) {
    parameters[key] = value;
  }
  int64_t bytes = 0;
  for (const AddFile& file : commit.files) {
    bytes += file.size_bytes;
  }
  Json info = Common(now_ms, commit.operation, std::move(parameters));
  info["readVersion"] = read_version;
  Json metrics = Json::object();
  metrics["numAddedFiles"] = std::to_string(commit.files.size());
  metrics["numOutputBytes"] = std::to_string(bytes);
  info["operationMetrics"] = std::move(metrics);
  Finish(commit_id, &info);
  return info;
}

json::Json CreateCommitInfo(const Metadata& metadata, int64_t now_ms,
                            const std::string& commit_id) {
  Json properties = Json::object();
  for (const auto& [key, value] : metadata.configuration) {
    properties[key] = value;
  }
  Json parameters = Json::object();
  parameters["isManaged"] = "false";
  parameters["description"] =
      metadata.description.empty() ? Json(nullptr) : Json(metadata.description);
  parameters["partitionBy"] = json::Write(Json(metadata.partition_columns));
  parameters["properties"] = json::Write(properties);
  Json info = Common(now_ms, "CREATE TABLE", std::move(parameters));
  info["operationMetrics"] = Json::object();
  Finish(commit_id, &info);
  return info;
}

std::string CommitIdOf(const Actions& actions) {
  if (!actions.commit_info.has_value()) {
    return "";
  }
  const Json* id = json::Find(*actions.commit_info, "txnId");
  return id != nullptr && id->is_string() ? id->get<std::string>() : "";
}

}  // namespace lakeward::delta
