#include "lakeward/connector/file_split_reader.h"

#include <charconv>

namespace lakeward::connector {

Result<stream::PollResult> FileSplitReader::Poll() {
  LW_ASSIGN(std::shared_ptr<arrow::RecordBatch> records, reader_->Next());
  stream::PollResult result;
  if (records == nullptr) {
    result.kind = stream::PollKind::kSplitEnd;
    return result;
  }
  result.kind = stream::PollKind::kBatch;
  result.batch.records = std::move(records);
  return result;
}

Result<std::optional<int64_t>> ParseFilePosition(const stream::Split& split) {
  if (split.position.empty()) {
    return std::optional<int64_t>();
  }
  int64_t position = 0;
  const char* end = split.position.data() + split.position.size();
  const auto parsed = std::from_chars(split.position.data(), end, position);
  if (parsed.ec != std::errc() || parsed.ptr != end || position < 0) {
    return MakeError(
        ErrorKind::kCorruptData,
        "The position '" + split.position + "' of split '" + split.id + "' is not a number",
        "The checkpoint was written by another version or is damaged.");
  }
  return std::optional<int64_t>(position);
}

}  // namespace lakeward::connector
