#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "fmt/format.h"
#include "lakeward/fs/faulty.h"

namespace lakeward::fs {
namespace {

constexpr std::array<std::pair<std::string_view, Operation>, 14> kOperations{{
    {"put", Operation::kPut},
    {"open-output", Operation::kOpenOutput},
    {"write", Operation::kWrite},
    {"close", Operation::kClose},
    {"stage", Operation::kStage},
    {"publish", Operation::kPublish},
    {"discard", Operation::kDiscard},
    {"open-input", Operation::kOpenInput},
    {"read", Operation::kRead},
    {"stat", Operation::kStat},
    {"list", Operation::kList},
    {"remove", Operation::kRemove},
    {"abort-pending-writes", Operation::kAbortPendingWrites},
    {"*", Operation::kAny},
}};

constexpr std::array<std::pair<std::string_view, Fault>, 10> kFaults{{
    {"fail", Fault::kFail},
    {"fail-after", Fault::kFailAfter},
    {"permission", Fault::kPermission},
    {"disk-full", Fault::kDiskFull},
    {"throttle", Fault::kThrottle},
    {"already-exists", Fault::kAlreadyExists},
    {"delay", Fault::kDelay},
    {"cut-read", Fault::kCutRead},
    {"short-list", Fault::kShortList},
    {"hole-in-list", Fault::kHoleInList},
}};

template <typename Table>
auto Lookup(const Table& table, std::string_view word)
    -> std::optional<decltype(table.begin()->second)> {
  for (const auto& [name, value] : table) {
    if (name == word) {
      return value;
    }
  }
  return std::nullopt;
}

bool ParseCount(std::string_view text, int64_t* count) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *count);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && *count >= 0;
}

bool ParseWhich(std::string_view text, FaultRule* rule) {
  if (text == "*") {
    rule->last = INT64_MAX;
    return true;
  }
  const bool is_open_ended = text.ends_with('+');
  if (!ParseCount(is_open_ended ? text.substr(0, text.size() - 1) : text, &rule->first) ||
      rule->first == 0) {
    return false;
  }
  rule->last = is_open_ended ? INT64_MAX : rule->first;
  return true;
}

Result<FaultRule> ParseRule(std::string_view text) {
  const auto malformed = [&](std::string_view reason) {
    return MakeError(ErrorKind::kConfig, fmt::format("Fault rule '{}': {}", text, reason),
                     "Write operation:path part:which:fault[=amount], for example "
                     "put:_delta_log:2:disk-full.");
  };
  // The path part may hold colons: it is what stands between the first and the last but one.
  const size_t first = text.find(':');
  const size_t last = text.rfind(':');
  const size_t middle =
      last == 0 || last == std::string_view::npos ? last : text.rfind(':', last - 1);
  if (first == std::string_view::npos || middle == std::string_view::npos || middle <= first) {
    return malformed("it has not four parts");
  }
  FaultRule rule;
  rule.path_part = text.substr(first + 1, middle - first - 1);
  const auto operation = Lookup(kOperations, text.substr(0, first));
  if (!operation.has_value()) {
    return malformed("no such operation");
  }
  rule.operation = *operation;
  if (!ParseWhich(text.substr(middle + 1, last - middle - 1), &rule)) {
    return malformed("which call must be a number from 1, such a number and '+', or '*'");
  }
  std::string_view fault_text = text.substr(last + 1);
  const size_t equals = fault_text.find('=');
  if (equals != std::string_view::npos) {
    if (!ParseCount(fault_text.substr(equals + 1), &rule.amount)) {
      return malformed("the amount must be a number");
    }
    fault_text = fault_text.substr(0, equals);
  }
  const auto fault = Lookup(kFaults, fault_text);
  if (!fault.has_value()) {
    return malformed("no such fault");
  }
  rule.fault = *fault;
  return rule;
}

}  // namespace

FaultPlan::FaultPlan(std::vector<FaultRule> rules) {
  for (FaultRule& rule : rules) {
    Add(std::move(rule));
  }
}

Result<std::shared_ptr<FaultPlan>> FaultPlan::Parse(std::string_view text) {
  auto plan = std::make_shared<FaultPlan>();
  while (!text.empty()) {
    const size_t comma = std::min(text.size(), text.find(','));
    LW_ASSIGN(FaultRule rule, ParseRule(text.substr(0, comma)));
    plan->Add(std::move(rule));
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
  return plan;
}

void FaultPlan::Add(FaultRule rule) {
  MutexLock lock(&mutex_);
  rules_.push_back({std::move(rule)});
}

void FaultPlan::Clear() {
  MutexLock lock(&mutex_);
  rules_.clear();
}

std::optional<FaultRule> FaultPlan::Strike(Operation operation, std::string_view path) {
  MutexLock lock(&mutex_);
  std::optional<FaultRule> striking;
  for (Counted& counted : rules_) {
    const FaultRule& rule = counted.rule;
    const bool matches = (rule.operation == Operation::kAny || rule.operation == operation) &&
                         path.find(rule.path_part) != std::string_view::npos;
    if (!matches) {
      continue;
    }
    ++counted.calls;
    if (!striking.has_value() && counted.calls >= rule.first && counted.calls <= rule.last) {
      striking = rule;
      ++strike_count_;
    }
  }
  return striking;
}

int64_t FaultPlan::strike_count() const {
  MutexLock lock(&mutex_);
  return strike_count_;
}

}  // namespace lakeward::fs
