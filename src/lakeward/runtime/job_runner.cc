#include "lakeward/runtime/job_runner.h"

#include <algorithm>
#include <set>
#include <utility>

#include "arrow/memory_pool.h"
#include "fmt/format.h"
#include "lakeward/base/ids.h"
#include "lakeward/base/log.h"
#include "lakeward/runtime/translate.h"

namespace lakeward::runtime {
namespace {

constexpr std::string_view kComponent = "runtime/job";
/// How often jobs take checkpoints of which nobody has said how often.
constexpr int64_t kDefaultIntervalMs = 10'000;

bool IsEnd(JobState state) {
  return state == JobState::kFailed || state == JobState::kCanceled || state == JobState::kFinished;
}

/// "bucket" of "s3://bucket/t"; empty for paths.
std::string_view PlaceOf(std::string_view uri) {
  constexpr std::string_view kSeparator = "://";
  const size_t separator = uri.find(kSeparator);
  if (separator == std::string_view::npos) {
    return "";
  }
  uri.remove_prefix(separator + kSeparator.size());
  return uri.substr(0, uri.find('/'));
}

const plan::PhysicalNode* FindCollect(const plan::PhysicalPlan& plan) {
  for (const plan::PhysicalNodePtr& root : plan.roots) {
    if (root->kind == plan::PhysicalKind::kCollect) {
      return root.get();
    }
  }
  return nullptr;
}

}  // namespace

/// Reads the queue that the collect sink fills; at its end, asks the job how it went.
class JobRunner::QueueResultStream final : public ResultStream {
 public:
  QueueResultStream(types::RowSchema schema, std::shared_ptr<ResultQueue> queue, JobRunner* job)
      : schema_(std::move(schema)), queue_(std::move(queue)), job_(job) {}

  const types::RowSchema& schema() const override { return schema_; }

  Result<std::optional<stream::Batch>> Next(int64_t timeout_us) override {
    if (timeout_us < 0) {
      std::optional<stream::Batch> batch = queue_->Pop();
      if (!batch.has_value()) {
        LW_TRY(job_->Await());
      }
      return batch;
    }
    const int64_t deadline_us = job_->engine_->clock->MonotonicMicros() + timeout_us;
    int64_t left_us = timeout_us;
    bool was_closed = false;
    while (!was_closed) {
      // Asked before the queue is: one that is closed later may have got more rows until then.
      was_closed = queue_->closed();
      std::optional<stream::Batch> batch = queue_->PopFor(left_us);
      if (batch.has_value()) {
        return batch;
      }
      if (left_us == 0 && !was_closed) {
        return stream::Batch{};
      }
      left_us = std::max<int64_t>(deadline_us - job_->engine_->clock->MonotonicMicros(), 0);
    }
    if (!job_->WaitForMicros(left_us)) {
      return stream::Batch{};
    }
    LW_TRY(job_->Await());
    return std::nullopt;
  }

 private:
  const types::RowSchema schema_;
  const std::shared_ptr<ResultQueue> queue_;
  JobRunner* const job_;
};

JobRunner::JobRunner(JobDescription description, JobSettings settings,
                     const catalog::EngineContext* engine)
    : description_(std::move(description)),
      settings_(std::move(settings)),
      engine_(engine),
      id_(MakeJobId(engine->random)) {
  if (const plan::PhysicalNode* collect = FindCollect(description_.plan)) {
    result_queue_ = std::make_shared<ResultQueue>(kResultBatchesMax);
    results_ = std::make_unique<QueueResultStream>(collect->schema, result_queue_, this);
  }
}

JobRunner::~JobRunner() {
  Cancel();
  thread_.Join();
}

Status JobRunner::Start() {
  const ScopedWorkContext context(ContextOf("start"));
  start_time_ms_ = engine_->clock->NowMillis();
  LW_ASSIGN(restore_, JobRestore::Open(description_.checkpoint_uri, *engine_->file_systems,
                                       description_.settings, engine_->random));
  TranslateOptions options;
  options.parallelism = settings_.parallelism;
  options.find_splits = [this](const std::string& operator_id, stream::Source* source) {
    return restore_->FindSplits(operator_id, source, settings_.parallelism);
  };
  if (result_queue_ != nullptr) {
    options.collect_sink = MakeCollectSink(result_queue_);
  }
  LW_ASSIGN(graph_, Translate(description_.plan, options));
  LW_TRY(restore_->Resume(description_.name, settings_.table_ahead, &graph_));
  if (restore_->finished()) {
    EndAs(JobState::kFinished, Status::OK());
    return Status::OK();
  }
  if (restore_->store() == nullptr) {
    Log(LogLevel::kInfo, kComponent,
        fmt::format("{}: checkpoints live in this process only; with --state-dir the job survives "
                    "its end",
                    description_.name));
  }
  BuildGates();
  BuildCoordinator();
  BuildTasks();
  state_ = JobState::kRunning;
  thread_ = Thread("job", [this] { Run(); });
  return Status::OK();
}

CheckpointPlan JobRunner::PlanCheckpoints() const {
  CheckpointPlan plan;
  plan.timeout_us = settings_.checkpoint_timeout_ms * 1'000;
  plan.retained = settings_.retained_checkpoints;
  plan.first_checkpoint_id = restore_->first_checkpoint_id();
  const bool has_folder = restore_->store() != nullptr;
  const bool writes_tables =
      std::any_of(graph_.vertices.begin(), graph_.vertices.end(), [](const JobVertex& vertex) {
        return vertex.sink.has_value() && vertex.sink->writes_tables;
      });
  if (settings_.checkpoint_interval_ms.has_value()) {
    plan.interval_us = *settings_.checkpoint_interval_ms * 1'000;
    plan.commits_each = plan.interval_us > 0 || !graph_.bounded;
    if (plan.interval_us == 0 && !graph_.bounded && writes_tables) {
      Log(LogLevel::kWarn, kComponent,
          fmt::format("{}: '{}' is 0, so nothing is committed until the job is stopped",
                      description_.name, CheckpointIntervalOption().key()));
    }
  } else if (graph_.bounded) {
    plan.interval_us = has_folder ? kDefaultIntervalMs * 1'000 : 0;
    plan.commits_each = false;
  } else if (writes_tables || has_folder) {
    plan.interval_us = kDefaultIntervalMs * 1'000;
  }
  return plan;
}

void JobRunner::BuildGates() {
  const size_t vertex_count = graph_.vertices.size();
  std::vector<std::vector<int>> channel_counts(vertex_count);
  for (size_t v = 0; v < vertex_count; ++v) {
    channel_counts[v].assign(graph_.vertices[v].parallelism, 0);
  }
  for (const JobEdge& edge : graph_.edges) {
    const int senders = graph_.vertices[edge.from].parallelism;
    const int receivers = graph_.vertices[edge.to].parallelism;
    std::vector<int>& first = first_channels_.emplace_back(channel_counts[edge.to]);
    LW_CHECK(static_cast<int>(first.size()) == receivers);
    for (int sender = 0; sender < senders; ++sender) {
      for (int receiver = 0; receiver < receivers; ++receiver) {
        if (edge.routing != EdgeRouting::kForward || sender % receivers == receiver) {
          ++channel_counts[edge.to][receiver];
        }
      }
    }
  }
  gates_.resize(vertex_count);
  controls_.resize(vertex_count);
  assigners_.resize(vertex_count);
  for (size_t v = 0; v < vertex_count; ++v) {
    const JobVertex& vertex = graph_.vertices[v];
    if (vertex.source.has_value()) {
      assigners_[v] = std::make_unique<SplitAssigner>(vertex.source->start.Unread(),
                                                      vertex.source->bounded, vertex.parallelism);
    }
    for (int subtask = 0; subtask < vertex.parallelism; ++subtask) {
      if (vertex.source.has_value()) {
        controls_[v].push_back(std::make_unique<SourceControl>());
      } else {
        gates_[v].push_back(std::make_unique<stream::InputGate>(channel_counts[v][subtask]));
      }
    }
  }
}

std::unique_ptr<stream::Exchange> JobRunner::MakeExchange(int vertex_number, int subtask) {
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    const JobEdge& edge = graph_.edges[e];
    if (edge.from != vertex_number) {
      continue;
    }
    const int receivers = graph_.vertices[edge.to].parallelism;
    stream::ExchangeOptions options;
    options.key_columns = edge.key_columns;
    options.buffer_timeout_us = settings_.buffer_timeout_ms * 1'000;
    options.clock = engine_->clock;
    options.pool = arrow::default_memory_pool();
    std::vector<stream::ChannelEnd> targets;
    if (edge.routing == EdgeRouting::kForward) {
      const int receiver = subtask % receivers;
      targets.push_back(
          {gates_[edge.to][receiver].get(), first_channels_[e][receiver] + subtask / receivers});
    } else {
      options.routing =
          edge.routing == EdgeRouting::kHash ? stream::Routing::kHash : stream::Routing::kRebalance;
      for (int receiver = 0; receiver < receivers; ++receiver) {
        targets.push_back(
            {gates_[edge.to][receiver].get(), first_channels_[e][receiver] + subtask});
      }
    }
    return stream::Exchange::Make(std::move(options), std::move(targets));
  }
  return nullptr;
}

void JobRunner::BuildCoordinator() {
  CheckpointCoordinator::Parts parts;
  parts.plan = PlanCheckpoints();
  commits_at_end_only_ = !parts.plan.commits_each;
  parts.sinks = restore_->sinks();
  parts.finished_operators = restore_->finished_operators();
  parts.pending = restore_->pending();
  parts.store = restore_->store();
  parts.clock = engine_->clock;
  for (size_t v = 0; v < graph_.vertices.size(); ++v) {
    const JobVertex& vertex = graph_.vertices[v];
    if (vertex.source.has_value()) {
      parts.sources.push_back(vertex.source->start);
    }
    for (int subtask = 0; subtask < vertex.parallelism; ++subtask) {
      CoordinatedTask task;
      if (vertex.source.has_value()) {
        task.source_id = vertex.source->id;
        task.control = controls_[v][subtask].get();
      }
      if (vertex.sink.has_value()) {
        task.sink_id = vertex.sink->id;
      }
      for (const OperatorSpec& op : vertex.operators) {
        task.operator_ids.push_back(op.id);
      }
      parts.tasks.push_back(std::move(task));
    }
  }
  coordinator_ = std::make_unique<CheckpointCoordinator>(
      std::move(parts), [this](const Status& cause) { OnTaskFailed(cause); });
}

stream::TaskContext JobRunner::TaskContextTemplate() const {
  stream::TaskContext context;
  context.evaluation.zone = settings_.zone;
  context.evaluation.clock = engine_->clock;
  context.evaluation.random = engine_->random;
  context.evaluation.query_start_us = start_time_ms_ * 1'000;
  context.evaluation.batch_mode = description_.plan.batch_mode;
  context.evaluation.memory_pool = arrow::default_memory_pool();
  context.clock = engine_->clock;
  context.random = engine_->random;
  return context;
}

void JobRunner::BuildTasks() {
  const std::vector<std::string> finished = restore_->finished_operators();
  for (size_t v = 0; v < graph_.vertices.size(); ++v) {
    const JobVertex& vertex = graph_.vertices[v];
    for (int subtask = 0; subtask < vertex.parallelism; ++subtask) {
      TaskSpec spec;
      spec.number = static_cast<int>(tasks_.size());
      spec.vertex = &vertex;
      spec.subtask = subtask;
      spec.context = TaskContextTemplate();
      if (vertex.source.has_value()) {
        spec.assigner = assigners_[v].get();
        spec.control = controls_[v][subtask].get();
      } else {
        spec.gate = gates_[v][subtask].get();
      }
      spec.exchange = MakeExchange(static_cast<int>(v), subtask);
      spec.store = restore_->store();
      spec.listener = coordinator_.get();
      spec.first_checkpoint_id = restore_->first_checkpoint_id();
      spec.find_state = [this, subtask, parallelism = vertex.parallelism](const std::string& id) {
        return restore_->FindState(id, subtask, parallelism);
      };
      spec.had_finished = [finished](const std::string& id) {
        return std::find(finished.begin(), finished.end(), id) != finished.end();
      };
      spec.batch_rows_max = settings_.batch_rows_max;
      spec.rows_in = &rows_in_;
      spec.rows_out = &rows_out_;
      tasks_.push_back(std::make_unique<Task>(std::move(spec)));
    }
  }
}

WorkContext JobRunner::ContextOf(std::string task) const {
  return {description_.name, std::move(task), requests_};
}

void JobRunner::Run() {
  const ScopedWorkContext context(ContextOf("coordinator"));
  std::vector<Thread> threads;
  threads.reserve(tasks_.size());
  for (const std::unique_ptr<Task>& task : tasks_) {
    threads.emplace_back("task", [this, &task] {
      const ScopedWorkContext task_context(ContextOf(task->name()));
      task->Run();
    });
  }
  const Result<CheckpointCoordinator::Outcome> outcome = coordinator_->Run();
  const bool is_complete = outcome.ok() && *outcome != CheckpointCoordinator::Outcome::kInterrupted;
  if (!outcome.ok()) {
    OnTaskFailed(outcome.status());
  }
  CloseChannels();
  threads.clear();
  std::vector<Intent> announced;
  for (const std::unique_ptr<Task>& task : tasks_) {
    const std::vector<Intent> of_task = task->AnnouncedFiles();
    announced.insert(announced.end(), of_task.begin(), of_task.end());
  }
  tasks_.clear();

  JobState end = JobState::kFinished;
  Status cause;
  {
    MutexLock lock(&mutex_);
    cause = root_cause_;
    if (!cause.ok()) {
      end = JobState::kFailed;
    } else if (!is_complete) {
      end = JobState::kCanceled;
    }
  }
  if (!cause.ok()) {
    cause = restore_->ExplainFailure(cause);
  }
  // A commit of unknown outcome may still arrive: its files stay.
  const bool may_arrive = !cause.ok() && KindOf(cause) == ErrorKind::kCommitUnknown;
  if (end != JobState::kFinished && restore_->store() == nullptr && !may_arrive) {
    RemoveUncommitted(announced);
  }
  {
    MutexLock lock(&mutex_);
    stopped_ = outcome.ok() && *outcome == CheckpointCoordinator::Outcome::kStopped;
  }
  EndAs(end, cause);
}

void JobRunner::RemoveUncommitted(const std::vector<Intent>& announced) {
  std::set<std::pair<std::string, std::string>> done;
  for (const Intent& intent : announced) {
    const auto sink = std::find_if(
        restore_->sinks().begin(), restore_->sinks().end(),
        [&intent](const CoordinatedSink& s) { return s.operator_id == intent.operator_id; });
    if (sink == restore_->sinks().end() || sink->committer == nullptr ||
        !done.emplace(intent.folder_uri, intent.file_prefix).second ||
        !requests_->MayHoldAnything(PlaceOf(intent.folder_uri))) {
      continue;
    }
    const Status status =
        sink->committer->RemoveOrphans(intent.folder_uri, intent.file_prefix, {}).status();
    if (!status.ok()) {
      Log(LogLevel::kWarn, kComponent,
          fmt::format("{}: files that were not committed stay in {}: {}", description_.name,
                      intent.folder_uri, status.message()));
    }
  }
}

void JobRunner::CloseChannels() {
  for (const auto& gates : gates_) {
    for (const auto& gate : gates) {
      gate->Close();
    }
  }
  for (const auto& controls : controls_) {
    for (const auto& control : controls) {
      control->Close();
    }
  }
  if (result_queue_ != nullptr) {
    result_queue_->Close();
  }
}

void JobRunner::OnTaskFailed(const Status& cause) {
  {
    MutexLock lock(&mutex_);
    // Later failures are consequences of the first one or of the teardown.
    if (state_ == JobState::kRunning) {
      state_ = JobState::kFailing;
      root_cause_ = cause;
    }
  }
  coordinator_->Interrupt();
}

void JobRunner::EndAs(JobState state, const Status& cause) {
  if (result_queue_ != nullptr) {
    result_queue_->Close();
  }
  MutexLock lock(&mutex_);
  state_ = state;
  root_cause_ = cause;
  end_time_ms_ = engine_->clock->NowMillis();
  state_changed_.NotifyAll();
}

ResultStream* JobRunner::results() { return results_.get(); }

JobStatus JobRunner::status() const {
  JobStatus status;
  status.id = id_;
  status.name = description_.name;
  status.start_time_ms = start_time_ms_;
  status.rows_in = rows_in_.value();
  status.rows_out = rows_out_.value();
  status.restored = restore_->restored();
  if (coordinator_ != nullptr) {
    const CheckpointCoordinator::Progress progress = coordinator_->progress();
    status.completed_checkpoints = progress.completed;
    status.last_checkpoint_id = progress.last_checkpoint_id;
    status.last_commit_time_ms = progress.last_commit_time_ms;
  }
  MutexLock lock(&mutex_);
  status.state = state_;
  status.root_cause = root_cause_;
  status.end_time_ms = end_time_ms_;
  status.stopped = stopped_;
  return status;
}

bool JobRunner::WaitForMicros(int64_t timeout_us) {
  const int64_t deadline_us = engine_->clock->MonotonicMicros() + timeout_us;
  MutexLock lock(&mutex_);
  while (!IsEnd(state_)) {
    if (timeout_us < 0) {
      state_changed_.Wait(&mutex_);
      continue;
    }
    const int64_t left_us = deadline_us - engine_->clock->MonotonicMicros();
    if (left_us <= 0) {
      return false;
    }
    state_changed_.WaitForMicros(&mutex_, left_us);
  }
  return true;
}

Status JobRunner::Await() {
  WaitForMicros(/*timeout_us=*/-1);
  MutexLock lock(&mutex_);
  switch (state_) {
    case JobState::kFailed:
      return root_cause_;
    case JobState::kCanceled:
      return MakeError(ErrorKind::kCancelled,
                       fmt::format("job {} was cancelled", description_.name));
    default:
      return Status::OK();
  }
}

void JobRunner::Cancel() {
  {
    MutexLock lock(&mutex_);
    if (IsEnd(state_) || coordinator_ == nullptr) {
      return;
    }
    if (state_ == JobState::kRunning) {
      state_ = JobState::kCancelling;
    }
  }
  coordinator_->Interrupt();
}

void JobRunner::Stop() {
  if (coordinator_ == nullptr) {
    return;
  }
  if (commits_at_end_only_ && restore_->store() == nullptr) {
    Cancel();
  } else {
    coordinator_->RequestStop();
  }
}

}  // namespace lakeward::runtime
