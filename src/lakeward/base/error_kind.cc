#include <array>

#include "lakeward/base/status.h"

namespace lakeward {
namespace {

constexpr std::string_view kValidationException = "org.apache.flink.table.api.ValidationException";
constexpr std::string_view kTableException = "org.apache.flink.table.api.TableException";
constexpr std::string_view kRuntimeException = "org.apache.flink.util.FlinkRuntimeException";

struct Row {
  ErrorKind kind;
  ErrorTreatment treatment;
};

constexpr std::array<Row, 14> kTreatments{{
    {ErrorKind::kSyntax,
     {"Syntax", false, false, 400, "org.apache.flink.table.api.SqlParserException"}},
    {ErrorKind::kValidation, {"Validation", false, false, 400, kValidationException}},
    {ErrorKind::kUnsupported, {"Unsupported", false, false, 501, kTableException}},
    {ErrorKind::kNotFound, {"NotFound", false, false, 404, kValidationException}},
    {ErrorKind::kAlreadyExists, {"AlreadyExists", false, false, 409, kValidationException}},
    {ErrorKind::kPermission, {"Permission", false, false, 403, kTableException}},
    {ErrorKind::kConfig, {"Config", false, false, 400, kValidationException}},
    {ErrorKind::kIo, {"Io", true, true, 502, "java.io.IOException"}},
    {ErrorKind::kThrottled, {"Throttled", true, true, 503, "java.io.IOException"}},
    {ErrorKind::kCommitConflict, {"CommitConflict", false, false, 409, kRuntimeException}},
    {ErrorKind::kCommitUnknown, {"CommitUnknown", false, true, 500, kRuntimeException}},
    {ErrorKind::kCorruptData, {"CorruptData", false, false, 422, "java.io.IOException"}},
    {ErrorKind::kCancelled, {"Cancelled", false, false, 409, kRuntimeException}},
    {ErrorKind::kInternal, {"Internal", false, true, 500, kRuntimeException}},
}};

}  // namespace

const ErrorTreatment& TreatmentOf(ErrorKind kind) {
  for (const Row& row : kTreatments) {
    if (row.kind == kind) {
      return row.treatment;
    }
  }
  LW_CHECK(false && "every ErrorKind has a row in kTreatments");
  return kTreatments[0].treatment;
}

}  // namespace lakeward
