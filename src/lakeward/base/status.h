#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arrow/result.h"
#include "arrow/status.h"

namespace lakeward {

/// Errors are Arrow's Status and Result, so that calls into Arrow and Parquet need no conversion;
/// what Lakeward knows besides travels in an ErrorInfo attached as the Status' detail.
using Status = arrow::Status;
template <typename T>
using Result = arrow::Result<T>;

/// What went wrong, as far as a program needs to know. error_kind.cc holds the one table that maps
/// a kind to its treatment (retry, restart, HTTP status, Flink exception name).
enum class ErrorKind : uint8_t {
  kSyntax,          ///< the SQL text cannot be parsed
  kValidation,      ///< the statement parses but makes no sense (unknown column, type mismatch)
  kUnsupported,     ///< understood, but not implemented or not possible here
  kNotFound,        ///< a table, file, function … that does not exist
  kAlreadyExists,   ///< a thing that must not exist yet does (also: put-if-absent lost the race)
  kPermission,      ///< the store, catalog or operating system said no
  kConfig,          ///< a setting is missing, malformed or contradicts another
  kIo,              ///< reading or writing failed; may succeed when tried again
  kThrottled,       ///< the other side asks for a pause
  kCommitConflict,  ///< another writer's commit makes this one impossible
  kCommitUnknown,   ///< a commit was sent and its outcome could not be determined
  kCorruptData,     ///< bytes that break their format's rules
  kCancelled,       ///< stopped by request
  kInternal,        ///< a defect in Lakeward
};

/// Where in a statement's text an error lies. Lines and columns count from 1; columns count
/// characters (code points), not bytes.
struct SqlPosition {
  int line = 0;
  int column = 0;
  friend bool operator==(const SqlPosition&, const SqlPosition&) = default;
};

/// The detail that every Lakeward error carries. The Status' message names object and cause; `hint`
/// is the remedy, a full sentence addressed to the person.
class ErrorInfo final : public arrow::StatusDetail {
 public:
  ErrorInfo(ErrorKind kind, std::string hint, std::optional<SqlPosition> position = std::nullopt)
      : kind_(kind), hint_(std::move(hint)), position_(position) {}

  const char* type_id() const override;
  /// The kind's name and the hint, for logs.
  std::string ToString() const override;

  ErrorKind kind() const { return kind_; }
  const std::string& hint() const { return hint_; }
  const std::optional<SqlPosition>& position() const { return position_; }

 private:
  ErrorKind kind_;
  std::string hint_;
  std::optional<SqlPosition> position_;
};

/// How each kind of error is treated, everywhere.
struct ErrorTreatment {
  std::string_view name;             ///< "CommitConflict"
  bool retryable;                    ///< the same call may succeed when sent again
  bool restarts_job;                 ///< restarting the job from a checkpoint may help
  int http_status;                   ///< of REST answers
  std::string_view flink_exception;  ///< the class name that Flink's clients expect
};

const ErrorTreatment& TreatmentOf(ErrorKind kind);

/// Makes an error: `message` names object and cause, `hint` the remedy (may be empty).
Status MakeError(ErrorKind kind, std::string message, std::string hint = "",
                 std::optional<SqlPosition> position = std::nullopt);

/// The kind of any non-ok Status; one made by Arrow or Parquet is mapped by its code.
ErrorKind KindOf(const Status& status);
/// The remedy, empty where none was given.
std::string HintOf(const Status& status);
std::optional<SqlPosition> PositionOf(const Status& status);

/// The same error with "`context`: " before its message; kind, hint and position are kept.
Status WithContext(const Status& status, std::string_view context);
/// The same error with another remedy; keeps an existing one when `hint` is empty.
Status WithHint(const Status& status, std::string hint);
/// The same error placed in the statement's text; an existing position is kept.
Status WithPosition(const Status& status, SqlPosition position);

/// What a person reads: message and, on a line of its own, the remedy. No position, no kind name.
std::string Describe(const Status& status);

namespace internal {
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);
}  // namespace internal

}  // namespace lakeward

/// Returns from the calling function when `expression` (a Status) is an error.
#define LW_TRY(expression)                     \
  do {                                         \
    ::arrow::Status lw_status_ = (expression); \
    if (!lw_status_.ok()) [[unlikely]] {       \
      return lw_status_;                       \
    }                                          \
  } while (false)

#define LW_CONCATENATE_INNER(a, b) a##b
#define LW_CONCATENATE(a, b) LW_CONCATENATE_INNER(a, b)
#define LW_ASSIGN_INNER(result_name, target, ...) \
  auto&& result_name = (__VA_ARGS__);             \
  if (!result_name.ok()) [[unlikely]] {           \
    return result_name.status();                  \
  }                                               \
  target = std::move(result_name).ValueUnsafe();

/// `LW_ASSIGN(auto x, F());` gives x the value of a Result or returns its error.
#define LW_ASSIGN(target, ...) \
  LW_ASSIGN_INNER(LW_CONCATENATE(lw_result_, __COUNTER__), target, __VA_ARGS__)

/// Ends the process when an invariant is broken whose breach would commit wrong data: recovery from
/// the last checkpoint is then the only safe way on. Always compiled in.
#define LW_CHECK(condition)                                              \
  do {                                                                   \
    if (!(condition)) [[unlikely]] {                                     \
      ::lakeward::internal::CheckFailed(__FILE__, __LINE__, #condition); \
    }                                                                    \
  } while (false)

#ifdef NDEBUG
#define LW_DCHECK(condition) \
  do {                       \
  } while (false)
#else
#define LW_DCHECK(condition) LW_CHECK(condition)
#endif
