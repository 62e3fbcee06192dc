#include "lakeward/runtime/checkpoint_coordinator.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/crash_point.h"
#include "lakeward/base/log.h"

namespace lakeward::runtime {
namespace {

constexpr std::string_view kComponent = "runtime/checkpoint";

Status RivalFound(int64_t checkpoint_id, std::string_view uri) {
  return MakeError(ErrorKind::kAlreadyExists,
                   fmt::format("another process has taken checkpoint {} or a later one in {}",
                               checkpoint_id, uri),
                   "Two processes run this job on one state directory. This one has stopped and "
                   "committed nothing more; keep only the other.");
}

}  // namespace

CheckpointCoordinator::CheckpointCoordinator(Parts parts,
                                             std::function<void(const Status&)> on_task_failed)
    : parts_(std::move(parts)),
      on_task_failed_(std::move(on_task_failed)),
      task_states_(parts_.tasks.size()),
      pending_(parts_.pending),
      next_checkpoint_id_(parts_.plan.first_checkpoint_id) {}

Result<CheckpointCoordinator::Outcome> CheckpointCoordinator::Run() {
  MutexLock lock(&mutex_);
  next_trigger_us_ = parts_.clock->MonotonicMicros() + parts_.plan.interval_us;
  while (true) {
    const int64_t now_us = parts_.clock->MonotonicMicros();
    int64_t wait_us = -1;
    switch (NextStep(now_us, &wait_us)) {
      case Step::kWait:
        if (wait_us < 0) {
          changed_.Wait(&mutex_);
        } else {
          changed_.WaitForMicros(&mutex_, wait_us);
        }
        break;
      case Step::kTrigger:
        Trigger(now_us);
        break;
      case Step::kAbandon:
        LW_TRY(Abandon());
        break;
      case Step::kComplete: {
        const bool is_final = AllFinished();
        const bool stops = in_flight_.has_value() && in_flight_->stops;
        LW_TRY(Complete());
        if (!interrupted_ && (is_final || stops)) {
          return is_final ? Outcome::kFinished : Outcome::kStopped;
        }
        break;
      }
      case Step::kEnd:
        return Outcome::kInterrupted;
    }
  }
}

CheckpointCoordinator::Step CheckpointCoordinator::NextStep(int64_t now_us, int64_t* wait_us) {
  if (interrupted_) {
    return Step::kEnd;
  }
  if (AllFinished()) {
    return Step::kComplete;
  }
  if (in_flight_.has_value()) {
    if (AllTasks([](const TaskState& task) {
          return task.snapshot.has_value() || task.last.has_value();
        })) {
      return Step::kComplete;
    }
    *wait_us = std::max<int64_t>(0, in_flight_->started_us + parts_.plan.timeout_us - now_us);
    return *wait_us == 0 ? Step::kAbandon : Step::kWait;
  }
  // Without a source to send a barrier the job is about to end by itself.
  if (!AnySourceRuns()) {
    return Step::kWait;
  }
  if (stop_requested_) {
    return Step::kTrigger;
  }
  if (parts_.plan.interval_us > 0) {
    *wait_us = std::max<int64_t>(0, next_trigger_us_ - now_us);
    return *wait_us == 0 ? Step::kTrigger : Step::kWait;
  }
  return Step::kWait;
}

bool CheckpointCoordinator::AllTasks(bool (*holds)(const TaskState&)) const {
  return std::all_of(task_states_.begin(), task_states_.end(), holds);
}

bool CheckpointCoordinator::AllFinished() const {
  return AllTasks([](const TaskState& task) { return task.last.has_value(); });
}

bool CheckpointCoordinator::AnySourceRuns() const {
  for (size_t t = 0; t < parts_.tasks.size(); ++t) {
    if (parts_.tasks[t].control != nullptr && !task_states_[t].last.has_value()) {
      return true;
    }
  }
  return false;
}

void CheckpointCoordinator::Trigger(int64_t now_us) {
  in_flight_ = InFlight{next_checkpoint_id_++, now_us, stop_requested_};
  next_trigger_us_ = now_us + parts_.plan.interval_us;
  for (const CoordinatedTask& task : parts_.tasks) {
    if (task.control != nullptr) {
      task.control->RequestCheckpoint(in_flight_->checkpoint_id, in_flight_->stops);
    }
  }
}

Status CheckpointCoordinator::Abandon() {
  Log(LogLevel::kWarn, kComponent,
      fmt::format("checkpoint {} took longer than {} ms and is given up; what it would have "
                  "committed joins the next one",
                  in_flight_->checkpoint_id, parts_.plan.timeout_us / 1'000));
  DropSnapshots();
  const int64_t checkpoint_id = in_flight_->checkpoint_id;
  in_flight_.reset();
  if (parts_.store == nullptr) {
    return Status::OK();
  }
  // Numbers with a `_metadata` have no gaps: see CheckpointStore.
  mutex_.Unlock();
  const Result<bool> is_sealed = parts_.store->Seal(checkpoint_id);
  mutex_.Lock();
  LW_TRY(is_sealed.status());
  return *is_sealed ? Status::OK() : RivalFound(checkpoint_id, parts_.store->uri());
}

void CheckpointCoordinator::DropSnapshots() {
  for (size_t t = 0; t < task_states_.size(); ++t) {
    if (task_states_[t].snapshot.has_value()) {
      AddPending(parts_.tasks[t], &*task_states_[t].snapshot);
      task_states_[t].snapshot.reset();
    }
  }
}

void CheckpointCoordinator::AddPending(const CoordinatedTask& task, TaskReport* report) {
  std::vector<stream::Committable>& pending = pending_[task.sink_id];
  for (stream::Committable& committable : report->committables) {
    pending.push_back(std::move(committable));
  }
  report->committables.clear();
}

CheckpointMetadata CheckpointCoordinator::Collect(std::vector<FinalState>* final_states) {
  CheckpointMetadata metadata;
  metadata.sources = parts_.sources;
  std::map<std::string, SourceProgress> progress;  // by the source's operator id
  std::set<std::string> finished;
  std::set<std::string> running;
  for (size_t t = 0; t < task_states_.size(); ++t) {
    const CoordinatedTask& task = parts_.tasks[t];
    TaskState& state = task_states_[t];
    // A task that answered the barrier and finished afterwards counts with its answer: what it did
    // in between belongs to the next checkpoint.
    const bool by_snapshot = state.snapshot.has_value();
    TaskReport& report = by_snapshot ? *state.snapshot : *state.last;
    if (report.progress.has_value()) {
      progress[task.source_id].Add(*report.progress);
    }
    metadata.states.insert(metadata.states.end(), report.states.begin(), report.states.end());
    final_states->insert(final_states->end(), report.final_states.begin(),
                         report.final_states.end());
    for (const std::string& operator_id : task.operator_ids) {
      (by_snapshot ? running : finished).insert(operator_id);
    }
    AddPending(task, &report);
    state.snapshot.reset();
  }
  for (SourceCheckpoint& source : metadata.sources) {
    source.Advance(progress[source.operator_id]);
  }
  for (const std::string& operator_id : parts_.finished_operators) {
    finished.insert(operator_id);
    running.erase(operator_id);
  }
  std::set_difference(finished.begin(), finished.end(), running.begin(), running.end(),
                      std::back_inserter(metadata.finished_operators));
  for (const CoordinatedSink& sink : parts_.sinks) {
    const auto found = pending_.find(sink.operator_id);
    if (found != pending_.end() && !found->second.empty()) {
      metadata.sinks.push_back({sink.operator_id, {sink.sink_id, 0, found->second}});
    }
  }
  return metadata;
}

Status CheckpointCoordinator::Complete() {
  const bool is_final = AllFinished();
  const int64_t checkpoint_id =
      in_flight_.has_value() ? in_flight_->checkpoint_id : next_checkpoint_id_++;
  if (is_final) {
    // The last reports say everything; a checkpoint still in flight becomes the final one.
    DropSnapshots();
  }
  std::vector<FinalState> final_states;
  CheckpointMetadata metadata = Collect(&final_states);
  metadata.checkpoint_id = checkpoint_id;
  metadata.finished = is_final;
  metadata.commit = is_final || parts_.plan.commits_each;
  for (SinkCheckpoint& sink : metadata.sinks) {
    sink.request.checkpoint_id = checkpoint_id;
  }
  in_flight_.reset();
  mutex_.Unlock();
  const Status status = CompleteUnlocked(&metadata, final_states);
  mutex_.Lock();
  LW_TRY(status);
  if (interrupted_) {
    return Status::OK();
  }
  ++progress_.completed;
  progress_.last_checkpoint_id = checkpoint_id;
  if (metadata.commit) {
    pending_.clear();
    if (!metadata.sinks.empty()) {
      progress_.last_commit_time_ms = parts_.clock->NowMillis();
    }
  }
  return Status::OK();
}

Status CheckpointCoordinator::CompleteUnlocked(CheckpointMetadata* metadata,
                                               const std::vector<FinalState>& final_states) {
  if (metadata->finished) {
    CrashPoint("job.before-final-checkpoint");
  }
  LW_TRY(MakeDurable(metadata, final_states));
  if (metadata->commit) {
    LW_TRY(Commit(*metadata));
  }
  if (metadata->finished) {
    CrashPoint("job.after-final-checkpoint");
  }
  RemoveOld(metadata->checkpoint_id);
  return Status::OK();
}

Status CheckpointCoordinator::MakeDurable(CheckpointMetadata* metadata,
                                          const std::vector<FinalState>& final_states) {
  if (parts_.store == nullptr || interrupted()) {
    return Status::OK();
  }
  for (const FinalState& state : final_states) {
    LW_ASSIGN(StateHandle handle, parts_.store->PutState(metadata->checkpoint_id, state.operator_id,
                                                         state.subtask, state.bytes));
    metadata->states.push_back(std::move(handle));
  }
  metadata->attempt_id = parts_.store->attempt_id();
  LW_TRY(parts_.store->PutMetadata(*metadata));
  // A process that slept through the deletion of its number finds the number free again; then there
  // are newer ones.
  LW_ASSIGN(const CheckpointListing listing, parts_.store->List());
  if (listing.with_metadata.empty() || listing.with_metadata.back() != metadata->checkpoint_id) {
    return RivalFound(metadata->checkpoint_id, parts_.store->uri());
  }
  return Status::OK();
}

Status CheckpointCoordinator::Commit(const CheckpointMetadata& metadata) {
  for (const SinkCheckpoint& sink : metadata.sinks) {
    if (interrupted()) {
      return Status::OK();
    }
    const auto found = std::find_if(
        parts_.sinks.begin(), parts_.sinks.end(),
        [&sink](const CoordinatedSink& s) { return s.operator_id == sink.operator_id; });
    LW_CHECK(found != parts_.sinks.end() && found->committer != nullptr);
    LW_TRY(found->committer->Commit(sink.request));
  }
  return Status::OK();
}

void CheckpointCoordinator::RemoveOld(int64_t checkpoint_id) {
  if (parts_.store == nullptr || interrupted()) {
    return;
  }
  const auto remove = [&]() -> Status {
    LW_ASSIGN(const CheckpointListing listing, parts_.store->List());
    const auto count = static_cast<int64_t>(listing.with_metadata.size());
    if (count <= parts_.plan.retained) {
      return Status::OK();
    }
    return parts_.store->RemoveBefore(listing.with_metadata[count - parts_.plan.retained]);
  };
  const Status status = remove();
  if (!status.ok()) {
    // Old checkpoints only cost space; the next one tries again.
    Log(LogLevel::kWarn, kComponent,
        fmt::format("checkpoints before {} could not be removed: {}", checkpoint_id,
                    status.message()));
  }
}

void CheckpointCoordinator::RequestStop() {
  MutexLock lock(&mutex_);
  stop_requested_ = true;
  changed_.NotifyAll();
}

void CheckpointCoordinator::Interrupt() {
  MutexLock lock(&mutex_);
  interrupted_ = true;
  changed_.NotifyAll();
}

bool CheckpointCoordinator::interrupted() const {
  MutexLock lock(&mutex_);
  return interrupted_;
}

CheckpointCoordinator::Progress CheckpointCoordinator::progress() const {
  MutexLock lock(&mutex_);
  return progress_;
}

void CheckpointCoordinator::OnSnapshot(TaskReport report) {
  MutexLock lock(&mutex_);
  const int task = report.task;
  if (in_flight_.has_value() && report.checkpoint_id == in_flight_->checkpoint_id) {
    task_states_[task].snapshot = std::move(report);
    changed_.NotifyAll();
  } else {
    // The answer to a checkpoint that was given up meanwhile.
    AddPending(parts_.tasks[task], &report);
  }
}

void CheckpointCoordinator::OnFinished(TaskReport report) {
  MutexLock lock(&mutex_);
  const int task = report.task;
  LW_CHECK(!task_states_[task].last.has_value());
  task_states_[task].last = std::move(report);
  changed_.NotifyAll();
}

void CheckpointCoordinator::OnFailed(const Status& cause) { on_task_failed_(cause); }

}  // namespace lakeward::runtime
