#include "lakeward/stream/operator_chain.h"

#include <utility>

namespace lakeward::stream {
namespace {

/// The same error, with the operator's name in front of it. What a row did wrong (kValidation) is
/// said in the statement's own words already, and cancellation is nobody's fault.
Status In(const TaskContext& context, const Status& status) {
  if (status.ok() || KindOf(status) == ErrorKind::kCancelled ||
      KindOf(status) == ErrorKind::kValidation) {
    return status;
  }
  return WithContext(status, context.operator_name);
}

}  // namespace

/// Feeds one operator. An error from further down the chain comes back through every link and is
/// named only once, by the operator that it arose in.
class OperatorChain::Link final : public Output {
 public:
  Link(Member* member, Output* next) : member_(member), next_(next) {}

  Status Emit(Batch batch) override {
    return Named(member_->op->ProcessBatch(0, batch, &counted_));
  }

  Status Finish() { return Named(member_->op->Finish(&counted_)); }

 private:
  /// Remembers that an error came from below.
  class Downstream final : public Output {
   public:
    explicit Downstream(Output* next) : next_(next) {}
    Status Emit(Batch batch) override {
      Status status = next_->Emit(std::move(batch));
      failed_ = failed_ || !status.ok();
      return status;
    }
    bool failed() const { return failed_; }

   private:
    Output* next_;
    bool failed_ = false;
  };

  Status Named(const Status& status) {
    return counted_.failed() ? status : In(member_->context, status);
  }

  Member* member_;
  Output* next_;
  Downstream counted_{next_};
};

OperatorChain::OperatorChain(std::vector<Member> members, Output* end)
    : members_(std::move(members)), end_(end) {
  links_.resize(members_.size());
  Output* next = end_;
  for (size_t i = members_.size(); i-- > 0;) {
    links_[i] = std::make_unique<Link>(&members_[i], next);
    next = links_[i].get();
  }
}

OperatorChain::~OperatorChain() = default;

Status OperatorChain::Open() {
  for (Member& member : members_) {
    LW_TRY(In(member.context, member.op->Open(member.context)));
  }
  return Status::OK();
}

Status OperatorChain::Restore(const std::vector<state::OperatorState>& states) {
  LW_CHECK(states.size() == members_.size());
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!states[i].empty()) {
      LW_TRY(In(members_[i].context, members_[i].op->Restore(states[i])));
    }
  }
  return Status::OK();
}

Status OperatorChain::Process(const Batch& batch) {
  return members_.empty() ? end_->Emit(batch) : links_[0]->Emit(batch);
}

Result<std::vector<state::OperatorState>> OperatorChain::Snapshot() {
  std::vector<state::OperatorState> states;
  states.reserve(members_.size());
  for (Member& member : members_) {
    auto state = member.op->Snapshot();
    if (!state.ok()) {
      return In(member.context, state.status());
    }
    states.push_back(std::move(state).ValueUnsafe());
  }
  return states;
}

Status OperatorChain::Finish() {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!members_[i].finished) {
      LW_TRY(links_[i]->Finish());
    }
  }
  return Status::OK();
}

}  // namespace lakeward::stream
