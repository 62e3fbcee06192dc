#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lakeward/base/crash_point.h"
#include "lakeward/runtime/checkpoint_store.h"
#include "lakeward/stream/sink.h"

namespace lakeward::runtime {

/// One writer's announcements in the checkpoint folder. One thread. Without a folder they live in
/// this process only: a killed process' files then stay until the table is vacuumed.
class TaskIntentLog final : public stream::IntentLog {
 public:
  /// `store` may be null; outlives the log. `task` is a file name.
  TaskIntentLog(CheckpointStore* store, std::string operator_id, std::string task)
      : store_(store), operator_id_(std::move(operator_id)), task_(std::move(task)) {}

  Status Announce(int64_t checkpoint_id, const std::string& folder_uri,
                  const std::string& file_prefix) override {
    if (!announced_.emplace(checkpoint_id, folder_uri, file_prefix).second || store_ == nullptr) {
      return Status::OK();
    }
    CrashPoint("sink.before-intent");
    LW_TRY(store_->PutIntent(checkpoint_id, task_, number_++,
                             {operator_id_, folder_uri, file_prefix}));
    CrashPoint("sink.after-intent");
    return Status::OK();
  }

  /// What was announced and not forgotten.
  std::vector<Intent> Announced() const {
    std::vector<Intent> intents;
    for (const auto& [checkpoint_id, folder_uri, file_prefix] : announced_) {
      intents.push_back({operator_id_, folder_uri, file_prefix});
    }
    return intents;
  }

  /// Forgets what was announced for checkpoints before this one.
  void ForgetBefore(int64_t checkpoint_id) {
    announced_.erase(announced_.begin(), announced_.lower_bound({checkpoint_id, "", ""}));
  }

 private:
  CheckpointStore* const store_;
  const std::string operator_id_;
  const std::string task_;
  int number_ = 0;
  std::set<std::tuple<int64_t, std::string, std::string>> announced_;
};

}  // namespace lakeward::runtime
