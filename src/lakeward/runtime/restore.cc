#include "lakeward/runtime/restore.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/ids.h"
#include "lakeward/base/log.h"

namespace lakeward::runtime {
namespace {

constexpr std::string_view kComponent = "runtime/restore";

Status OtherJob(const CheckpointStore& store, std::string_view why) {
  return MakeError(
      ErrorKind::kValidation,
      fmt::format("the checkpoints in {} belong to another statement: {}", store.uri(), why),
      "Run the statement that wrote them, or give this one a state directory of its "
      "own.");
}

Status RivalFound(const CheckpointStore& store, int64_t checkpoint_id) {
  return MakeError(ErrorKind::kAlreadyExists,
                   fmt::format("checkpoint {} appeared in {} while the job was starting",
                               checkpoint_id, store.uri()),
                   "Another process runs this job on the same state directory. Stop one of them.");
}

}  // namespace

Result<std::unique_ptr<JobRestore>> JobRestore::Open(const std::string& checkpoint_uri,
                                                     const fs::FileSystems& file_systems,
                                                     const config::Configuration& settings,
                                                     Random* random) {
  std::unique_ptr<JobRestore> restore(new JobRestore(random));
  if (!checkpoint_uri.empty()) {
    const std::string attempt_id = MakeUuid(random).substr(0, 8);
    LW_ASSIGN(restore->store_,
              CheckpointStore::Open(checkpoint_uri, file_systems, settings, attempt_id));
    LW_TRY(restore->FindNewest());
  }
  return restore;
}

Status JobRestore::FindNewest() {
  LW_ASSIGN(const CheckpointListing listing, store_->List());
  newest_number_ = listing.newest_number;
  for (auto n = listing.with_metadata.rbegin(); n != listing.with_metadata.rend(); ++n) {
    LW_ASSIGN(CheckpointMetadata metadata, store_->Read(*n));
    sealed_up_to_ = std::max(sealed_up_to_, *n);
    if (!metadata.sealed) {
      checkpoint_ = std::move(metadata);
      return Status::OK();
    }
  }
  return Status::OK();
}

Result<SourceCheckpoint> JobRestore::FindSplits(const std::string& operator_id,
                                                stream::Source* source, int parallelism) const {
  SourceCheckpoint start;
  start.operator_id = operator_id;
  if (finished()) {
    return start;
  }
  if (!restored()) {
    LW_ASSIGN(start.splits, source->Enumerate(parallelism));
    return start;
  }
  for (const SourceCheckpoint& saved : checkpoint_->sources) {
    if (saved.operator_id == operator_id) {
      return saved;
    }
  }
  return OtherJob(*store_, fmt::format("they know no source '{}'", operator_id));
}

Status JobRestore::Resume(const std::string& job_name, TableAhead table_ahead, JobGraph* graph) {
  LW_TRY(ClaimIdentity(job_name, graph));
  LW_TRY(MakeCommitters(*graph));
  if (store_ == nullptr) {
    return Status::OK();
  }
  LW_TRY(FenceOff());
  LW_TRY(CommitRestored());
  if (finished()) {
    return Status::OK();
  }
  LW_ASSIGN(const int64_t mark, CheckMarks(table_ahead));
  LW_TRY(SealUpTo(mark));
  first_checkpoint_id_ = std::max({newest_number_, sealed_up_to_, mark}) + 1;
  LW_TRY(RemoveOrphans());
  return ReadStates(*graph);
}

Status JobRestore::ClaimIdentity(const std::string& job_name, JobGraph* graph) {
  JobIdentity identity;
  identity.job_name = job_name;
  std::set<std::string> operator_ids;
  for (const JobVertex& vertex : graph->vertices) {
    if (vertex.sink.has_value()) {
      identity.sink_ids[vertex.sink->id] = MakeUuid(random_);
      operator_ids.insert(vertex.sink->id);
    }
  }
  if (store_ != nullptr) {
    LW_ASSIGN(identity, store_->ClaimIdentity(identity));
    if (identity.job_name != job_name) {
      return OtherJob(*store_,
                      fmt::format("their job is '{}', not '{}'", identity.job_name, job_name));
    }
    std::set<std::string> known_ids;
    for (const auto& [operator_id, sink_id] : identity.sink_ids) {
      known_ids.insert(operator_id);
    }
    if (known_ids != operator_ids) {
      return OtherJob(*store_, "its sinks are not the same");
    }
  }
  for (JobVertex& vertex : graph->vertices) {
    if (vertex.sink.has_value()) {
      vertex.sink->sink_id = identity.sink_ids[vertex.sink->id];
    }
  }
  return Status::OK();
}

Status JobRestore::MakeCommitters(const JobGraph& graph) {
  for (const JobVertex& vertex : graph.vertices) {
    if (!vertex.sink.has_value()) {
      continue;
    }
    LW_ASSIGN(std::shared_ptr<stream::Committer> committer, vertex.sink->sink->MakeCommitter());
    sinks_.push_back({vertex.sink->id, vertex.sink->sink_id, std::move(committer)});
    sink_names_[vertex.sink->id] = vertex.sink->name;
  }
  return Status::OK();
}

Status JobRestore::FenceOff() {
  if (newest_number_ <= restored_id()) {
    return Status::OK();
  }
  // Another process may still be alive. The number of its next put is at most one above the newest
  // `_metadata`: once that one is sealed too, it can make nothing durable any more, and its files
  // are orphans.
  return SealUpTo(std::max(newest_number_, sealed_up_to_ + 1));
}

int64_t JobRestore::restored_id() const { return restored() ? checkpoint_->checkpoint_id : 0; }

Status JobRestore::SealUpTo(int64_t checkpoint_id) {
  for (int64_t n = sealed_up_to_ + 1; n <= checkpoint_id; ++n) {
    LW_ASSIGN(const bool is_sealed, store_->Seal(n));
    if (!is_sealed) {
      return RivalFound(*store_, n);
    }
    sealed_up_to_ = n;
  }
  return Status::OK();
}

Status JobRestore::ExplainFailure(const Status& cause) const {
  if (store_ == nullptr || KindOf(cause) == ErrorKind::kCommitUnknown) {
    return cause;
  }
  const auto rival = store_->FindRival(first_checkpoint_id_);
  if (!rival.ok() || !rival->has_value()) {
    return cause;
  }
  return MakeError(ErrorKind::kAlreadyExists,
                   fmt::format("another process works at checkpoint {} in {} ({})", **rival,
                               store_->uri(), cause.message()),
                   "Two processes run this job on one state directory. This one has stopped and "
                   "committed nothing more; keep only the other, or start again if both stopped.");
}

Result<const CoordinatedSink*> JobRestore::FindSink(const std::string& operator_id) const {
  for (const CoordinatedSink& sink : sinks_) {
    if (sink.operator_id == operator_id && sink.committer != nullptr) {
      return &sink;
    }
  }
  return OtherJob(*store_, fmt::format("they hold rows for a sink '{}'", operator_id));
}

Status JobRestore::CommitRestored() {
  if (!restored() || !checkpoint_->commit) {
    return Status::OK();
  }
  for (const SinkCheckpoint& saved : checkpoint_->sinks) {
    LW_ASSIGN(const CoordinatedSink* sink, FindSink(saved.operator_id));
    LW_TRY(sink->committer->Commit(saved.request));
  }
  return Status::OK();
}

Result<int64_t> JobRestore::CheckMarks(TableAhead table_ahead) {
  int64_t newest = 0;
  for (const CoordinatedSink& sink : sinks_) {
    if (sink.committer == nullptr) {
      continue;
    }
    LW_ASSIGN(const int64_t mark, sink.committer->CommittedCheckpoint(sink.sink_id));
    newest = std::max(newest, mark);
    if (mark <= restored_id()) {
      continue;
    }
    const std::string fact = fmt::format(
        "table {} already shows checkpoint {} of this job, but the newest checkpoint "
        "in {} is {}",
        sink_names_[sink.operator_id], mark, store_->uri(), restored_id());
    if (table_ahead == TableAhead::kFail) {
      return MakeError(
          ErrorKind::kCommitConflict, fact,
          fmt::format("The state directory is older than the table; put back its newest content. "
                      "To go on and write the rows in between a second time, set '{}' = "
                      "'accept-duplicates'.",
                      TableAheadOption().key()));
    }
    Log(LogLevel::kWarn, kComponent, fact + "; rows in between are written a second time");
  }
  return newest;
}

Status JobRestore::RemoveOrphans() {
  // Higher numbers may belong to a process that started meanwhile.
  LW_ASSIGN(const std::vector<Intent> intents,
            store_->IntentsBetween(restored_id(), sealed_up_to_));
  std::vector<stream::CommitRequest> requests;
  if (restored()) {
    for (const SinkCheckpoint& saved : checkpoint_->sinks) {
      requests.push_back(saved.request);
    }
  }
  std::set<std::pair<std::string, std::string>> done;
  for (const Intent& intent : intents) {
    if (!done.emplace(intent.folder_uri, intent.file_prefix).second) {
      continue;
    }
    LW_ASSIGN(const CoordinatedSink* sink, FindSink(intent.operator_id));
    LW_TRY(
        sink->committer->RemoveOrphans(intent.folder_uri, intent.file_prefix, requests).status());
  }
  return Status::OK();
}

Status JobRestore::ReadStates(const JobGraph& graph) {
  if (!restored()) {
    return Status::OK();
  }
  std::set<std::string> known;
  for (const JobVertex& vertex : graph.vertices) {
    for (const OperatorSpec& op : vertex.operators) {
      known.insert(op.id);
    }
    if (vertex.sink.has_value()) {
      known.insert(vertex.sink->id);
    }
  }
  for (const StateHandle& handle : checkpoint_->states) {
    if (!known.contains(handle.operator_id)) {
      return OtherJob(*store_,
                      fmt::format("they hold state of an operator '{}'", handle.operator_id));
    }
    LW_ASSIGN(const std::string bytes, store_->ReadState(handle));
    auto state = state::ParseState(bytes);
    if (!state.ok()) {
      return WithContext(state.status(), handle.path);
    }
    states_[handle.operator_id].push_back(std::move(state).ValueUnsafe());
  }
  return Status::OK();
}

std::map<std::string, std::vector<stream::Committable>> JobRestore::pending() const {
  std::map<std::string, std::vector<stream::Committable>> pending;
  if (restored() && !checkpoint_->commit) {
    for (const SinkCheckpoint& saved : checkpoint_->sinks) {
      pending[saved.operator_id] = saved.request.committables;
    }
  }
  return pending;
}

std::vector<std::string> JobRestore::finished_operators() const {
  return restored() ? checkpoint_->finished_operators : std::vector<std::string>{};
}

Result<state::OperatorState> JobRestore::FindState(const std::string& operator_id, int subtask,
                                                   int parallelism) const {
  const auto found = states_.find(operator_id);
  if (found == states_.end()) {
    return state::OperatorState{};
  }
  return state::Redistribute(found->second, subtask, parallelism);
}

}  // namespace lakeward::runtime
