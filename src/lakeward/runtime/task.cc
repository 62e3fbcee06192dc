#include "lakeward/runtime/task.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace lakeward::runtime {

using stream::Batch;
using stream::GateEvent;
using stream::PollKind;

/// The end of a chain that writes: feeds the sink's writer.
class Task::WriterEnd final : public stream::Output {
 public:
  WriterEnd(std::string name, Counter* rows) : name_(std::move(name)), rows_(rows) {}
  ~WriterEnd() override { Abort(); }

  Status Open(const SinkSpec& sink, stream::WriterContext context) {
    next_checkpoint_id_ = context.current_checkpoint();
    context.current_checkpoint = [this] { return next_checkpoint_id_; };
    auto writer = sink.sink->MakeWriter(context);
    LW_TRY(Named(writer.status()));
    writer_ = std::move(writer).ValueUnsafe();
    return Status::OK();
  }

  Status Restore(const state::OperatorState& state) { return Named(writer_->Restore(state)); }

  Status Emit(Batch batch) override {
    rows_->Add(batch.row_count());
    is_prepared_ = false;
    return Named(writer_->Write(batch));
  }

  Result<std::vector<stream::Committable>> PrepareCommit(int64_t checkpoint_id) {
    auto committables = writer_->PrepareCommit(checkpoint_id);
    LW_TRY(Named(committables.status()));
    is_prepared_ = true;
    next_checkpoint_id_ = checkpoint_id + 1;
    return committables;
  }

  Result<state::OperatorState> Snapshot() {
    auto state = writer_->Snapshot();
    LW_TRY(Named(state.status()));
    return state;
  }

  /// The number in the names of files that are opened now.
  int64_t next_checkpoint_id() const { return next_checkpoint_id_; }

 private:
  void Abort() {
    if (writer_ != nullptr && !is_prepared_) {
      writer_->Abort();
    }
  }

  Status Named(const Status& status) const {
    if (status.ok() || KindOf(status) == ErrorKind::kCancelled ||
        status.message().find(name_) != std::string::npos) {
      return status;
    }
    return WithContext(status, fmt::format("sink {}", name_));
  }

  const std::string name_;
  Counter* const rows_;
  std::unique_ptr<stream::Writer> writer_;
  int64_t next_checkpoint_id_ = 1;
  bool is_prepared_ = true;
};

Task::Task(TaskSpec spec) : spec_(std::move(spec)) {}
Task::~Task() = default;

std::string Task::name() const {
  return fmt::format("{} ({}/{})", spec_.vertex->name, spec_.subtask + 1,
                     spec_.vertex->parallelism);
}

void Task::Run() {
  const Status status = Work();
  // What is open is given up here, on the task's own thread.
  writer_.reset();
  chain_.reset();
  reader_.reset();
  if (!status.ok()) {
    spec_.listener->OnFailed(status);
  }
}

Status Task::Work() {
  LW_TRY(Prepare());
  return reader_.has_value() ? ReadSource() : ReadGate();
}

stream::TaskContext Task::ContextOf(const std::string& id, const std::string& name) const {
  stream::TaskContext context = spec_.context;
  context.operator_id = id;
  context.operator_name = name;
  context.subtask = spec_.subtask;
  context.parallelism = spec_.vertex->parallelism;
  return context;
}

Status Task::Prepare() {
  const JobVertex& vertex = *spec_.vertex;
  if (vertex.source.has_value()) {
    source_context_ = ContextOf(vertex.source->id, vertex.source->name);
    reader_.emplace(vertex.source->name, vertex.source->source.get(), spec_.assigner,
                    &*source_context_);
  }
  LW_TRY(PrepareWriter());
  std::vector<stream::OperatorChain::Member> members;
  for (const OperatorSpec& op : vertex.operators) {
    LW_ASSIGN(std::unique_ptr<stream::Operator> made, op.make());
    members.push_back({std::move(made), ContextOf(op.id, op.name), spec_.had_finished(op.id)});
  }
  stream::Output* end = spec_.exchange.get();
  if (writer_ != nullptr) {
    end = writer_.get();
  }
  chain_ = std::make_unique<stream::OperatorChain>(std::move(members), end);
  LW_TRY(chain_->Open());
  return RestoreState();
}

std::vector<Intent> Task::AnnouncedFiles() const {
  return intents_ == nullptr ? std::vector<Intent>() : intents_->Announced();
}

Status Task::PrepareWriter() {
  const std::optional<SinkSpec>& sink = spec_.vertex->sink;
  if (!sink.has_value()) {
    return Status::OK();
  }
  intents_ =
      std::make_unique<TaskIntentLog>(spec_.store, sink->id, fmt::format("task{}", spec_.number));
  stream::WriterContext context;
  context.task = ContextOf(sink->id, sink->name);
  context.sink_id = sink->sink_id;
  context.intents = intents_.get();
  context.current_checkpoint = [first = spec_.first_checkpoint_id] { return first; };
  writer_ = std::make_unique<WriterEnd>(sink->name, spec_.rows_out);
  return writer_->Open(*sink, std::move(context));
}

Status Task::RestoreState() {
  std::vector<state::OperatorState> states;
  for (const OperatorSpec& op : spec_.vertex->operators) {
    LW_ASSIGN(state::OperatorState state, spec_.find_state(op.id));
    states.push_back(std::move(state));
  }
  LW_TRY(chain_->Restore(states));
  if (writer_ != nullptr) {
    LW_ASSIGN(const state::OperatorState state, spec_.find_state(spec_.vertex->sink->id));
    if (!state.empty()) {
      LW_TRY(writer_->Restore(state));
    }
  }
  return Status::OK();
}

Status Task::ReadSource() {
  while (true) {
    const SourceControl::Request request = spec_.control->Current();
    if (request.closed) {
      return Status::OK();
    }
    if (request.checkpoint_id > answered_checkpoint_id_) {
      LW_TRY(HandleBarrier(request.checkpoint_id));
      if (request.stop) {
        return AwaitTeardown();
      }
    }
    LW_ASSIGN(stream::PollResult polled, reader_->Poll());
    switch (polled.kind) {
      case PollKind::kBatch:
        spec_.rows_in->Add(polled.batch.row_count());
        LW_TRY(ProcessInParts(polled.batch));
        break;
      case PollKind::kSplitEnd:
        return Finish();
      case PollKind::kIdle: {
        const int64_t until_flush_us = MicrosUntilFlush();
        const int64_t wait_us =
            until_flush_us < 0 ? polled.wait_us : std::min(polled.wait_us, until_flush_us);
        spec_.control->WaitForNews(answered_checkpoint_id_, wait_us);
        break;
      }
    }
    LW_TRY(FlushWhenDue());
  }
}

Status Task::ProcessInParts(const Batch& batch) {
  const int64_t row_count = batch.records->num_rows();
  if (row_count <= spec_.batch_rows_max || batch.selection != nullptr) {
    return chain_->Process(batch);
  }
  for (int64_t begin = 0; begin < row_count; begin += spec_.batch_rows_max) {
    const int64_t length = std::min(spec_.batch_rows_max, row_count - begin);
    Batch part;
    part.records = batch.records->Slice(begin, length);
    if (batch.row_kinds != nullptr) {
      part.row_kinds =
          std::static_pointer_cast<arrow::Int8Array>(batch.row_kinds->Slice(begin, length));
    }
    const bool is_last = begin + length == row_count;
    for (const stream::WatermarkEntry& entry : batch.watermarks) {
      // One that stands behind the last row belongs to the last part.
      if (entry.row_offset >= begin && (entry.row_offset < begin + length || is_last)) {
        part.watermarks.push_back({entry.row_offset - begin, entry.watermark_ms});
      }
    }
    LW_TRY(chain_->Process(part));
  }
  return Status::OK();
}

Status Task::AwaitTeardown() {
  while (true) {
    spec_.control->WaitForNews(answered_checkpoint_id_, /*timeout_us=*/-1);
    const SourceControl::Request request = spec_.control->Current();
    if (request.closed) {
      return Status::OK();
    }
    LW_TRY(HandleBarrier(request.checkpoint_id));
  }
}

Status Task::ReadGate() {
  while (true) {
    stream::GateResult next = spec_.gate->Next(MicrosUntilFlush());
    switch (next.event) {
      case GateEvent::kBatch:
        LW_TRY(chain_->Process(next.batch));
        break;
      case GateEvent::kBarrier:
        LW_TRY(HandleBarrier(next.checkpoint_id));
        break;
      case GateEvent::kEnd:
        return Finish();
      case GateEvent::kClosed:
        return Status::OK();
      case GateEvent::kTimeout:
        break;
    }
    LW_TRY(FlushWhenDue());
  }
}

Status Task::HandleBarrier(int64_t checkpoint_id) {
  answered_checkpoint_id_ = checkpoint_id;
  TaskReport report;
  report.task = spec_.number;
  report.checkpoint_id = checkpoint_id;
  if (reader_.has_value()) {
    report.progress = reader_->Progress();
  }
  LW_ASSIGN(const std::vector<state::OperatorState> states, chain_->Snapshot());
  state::OperatorState writer_state;
  if (writer_ != nullptr) {
    LW_ASSIGN(report.committables, writer_->PrepareCommit(checkpoint_id));
    LW_ASSIGN(writer_state, writer_->Snapshot());
    intents_->ForgetBefore(checkpoint_id);
  } else {
    // Before the state is written, so that the tasks behind can begin with theirs.
    LW_TRY(spec_.exchange->SendBarrier(checkpoint_id));
  }
  for (size_t i = 0; i < states.size(); ++i) {
    LW_TRY(SaveState(spec_.vertex->operators[i].id, states[i], &report));
  }
  if (writer_ != nullptr) {
    LW_TRY(SaveState(spec_.vertex->sink->id, writer_state, &report));
  }
  spec_.listener->OnSnapshot(std::move(report));
  return Status::OK();
}

Status Task::SaveState(const std::string& operator_id, const state::OperatorState& state,
                       TaskReport* report) {
  if (spec_.store == nullptr || state.empty()) {
    return Status::OK();
  }
  LW_ASSIGN(const std::string bytes, state::SerializeState(state));
  LW_ASSIGN(StateHandle handle,
            spec_.store->PutState(report->checkpoint_id, operator_id, spec_.subtask, bytes));
  report->states.push_back(std::move(handle));
  return Status::OK();
}

Status Task::Finish() {
  LW_TRY(chain_->Finish());
  TaskReport report;
  report.task = spec_.number;
  if (reader_.has_value()) {
    report.progress = reader_->Progress();
  }
  if (writer_ != nullptr) {
    LW_ASSIGN(report.committables, writer_->PrepareCommit(writer_->next_checkpoint_id()));
    LW_ASSIGN(const state::OperatorState state, writer_->Snapshot());
    if (spec_.store != nullptr && !state.empty()) {
      LW_ASSIGN(std::string bytes, state::SerializeState(state));
      report.final_states.push_back({spec_.vertex->sink->id, spec_.subtask, std::move(bytes)});
    }
  } else {
    LW_TRY(spec_.exchange->SendEnd());
  }
  spec_.listener->OnFinished(std::move(report));
  return Status::OK();
}

int64_t Task::MicrosUntilFlush() const {
  if (spec_.exchange == nullptr) {
    return -1;
  }
  const int64_t deadline_us = spec_.exchange->FlushDeadlineMicros();
  return deadline_us < 0
             ? -1
             : std::max<int64_t>(0, deadline_us - spec_.context.clock->MonotonicMicros());
}

Status Task::FlushWhenDue() {
  return MicrosUntilFlush() == 0 ? spec_.exchange->Flush() : Status::OK();
}

}  // namespace lakeward::runtime
