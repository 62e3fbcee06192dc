#include "lakeward/base/status.h"

#include <cstdio>
#include <cstdlib>

namespace lakeward {
namespace {

constexpr char kErrorInfoTypeId[] = "lakeward::ErrorInfo";

const ErrorInfo* InfoOf(const Status& status) {
  const auto& detail = status.detail();
  if (detail == nullptr || std::string_view(detail->type_id()) != kErrorInfoTypeId) {
    return nullptr;
  }
  return static_cast<const ErrorInfo*>(detail.get());
}

arrow::StatusCode CodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kSyntax:
    case ErrorKind::kValidation:
    case ErrorKind::kConfig:
    case ErrorKind::kCorruptData:
      return arrow::StatusCode::Invalid;
    case ErrorKind::kUnsupported:
      return arrow::StatusCode::NotImplemented;
    case ErrorKind::kNotFound:
      return arrow::StatusCode::KeyError;
    case ErrorKind::kAlreadyExists:
      return arrow::StatusCode::AlreadyExists;
    case ErrorKind::kPermission:
    case ErrorKind::kIo:
    case ErrorKind::kThrottled:
      return arrow::StatusCode::IOError;
    case ErrorKind::kCancelled:
      return arrow::StatusCode::Cancelled;
    case ErrorKind::kCommitConflict:
    case ErrorKind::kCommitUnknown:
    case ErrorKind::kInternal:
      return arrow::StatusCode::UnknownError;
  }
  return arrow::StatusCode::UnknownError;
}

}  // namespace

const char* ErrorInfo::type_id() const { return kErrorInfoTypeId; }

std::string ErrorInfo::ToString() const {
  std::string text(TreatmentOf(kind_).name);
  if (!hint_.empty()) {
    text += ": " + hint_;
  }
  return text;
}

Status MakeError(ErrorKind kind, std::string message, std::string hint,
                 std::optional<SqlPosition> position) {
  return Status(CodeOf(kind), std::move(message),
                std::make_shared<ErrorInfo>(kind, std::move(hint), position));
}

ErrorKind KindOf(const Status& status) {
  LW_CHECK(!status.ok());
  if (const ErrorInfo* info = InfoOf(status)) {
    return info->kind();
  }
  switch (status.code()) {
    case arrow::StatusCode::IOError:
      return ErrorKind::kIo;
    case arrow::StatusCode::NotImplemented:
      return ErrorKind::kUnsupported;
    case arrow::StatusCode::Cancelled:
      return ErrorKind::kCancelled;
    case arrow::StatusCode::AlreadyExists:
      return ErrorKind::kAlreadyExists;
    case arrow::StatusCode::Invalid:
    case arrow::StatusCode::TypeError:
    case arrow::StatusCode::SerializationError:
      return ErrorKind::kCorruptData;
    default:
      return ErrorKind::kInternal;
  }
}

std::string HintOf(const Status& status) {
  const ErrorInfo* info = InfoOf(status);
  return info == nullptr ? "" : info->hint();
}

std::optional<SqlPosition> PositionOf(const Status& status) {
  const ErrorInfo* info = InfoOf(status);
  return info == nullptr ? std::nullopt : info->position();
}

Status WithContext(const Status& status, std::string_view context) {
  if (status.ok()) {
    return status;
  }
  return Status(status.code(), std::string(context) + ": " + status.message(), status.detail());
}

Status WithHint(const Status& status, std::string hint) {
  if (status.ok() || hint.empty()) {
    return status;
  }
  return Status(status.code(), status.message(),
                std::make_shared<ErrorInfo>(KindOf(status), std::move(hint), PositionOf(status)));
}

Status WithPosition(const Status& status, SqlPosition position) {
  if (status.ok() || PositionOf(status).has_value()) {
    return status;
  }
  return Status(status.code(), status.message(),
                std::make_shared<ErrorInfo>(KindOf(status), HintOf(status), position));
}

std::string Describe(const Status& status) {
  const std::string hint = HintOf(status);
  return hint.empty() ? status.message() : status.message() + "\n" + hint;
}

namespace internal {

void CheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr,
               "lakeward: broken invariant at %s:%d: %s\n"
               "The process ends so that nothing wrong is committed; start it again to recover.\n",
               file, line, condition);
  std::abort();
}

}  // namespace internal
}  // namespace lakeward
