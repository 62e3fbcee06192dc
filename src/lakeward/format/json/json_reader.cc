#include "lakeward/format/json/json_reader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "lakeward/format/json/json_number.h"
#include "lakeward/format/json/json_options.h"
#include "lakeward/format/json/json_row_decoder.h"
#include "lakeward/format/json/json_string.h"
#include "lakeward/format/json/line_blocks.h"
#include "lakeward/format/json/structural_index.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::format {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
static_assert(LineBlocks::kPadding >= static_cast<int64_t>(StructuralIndex::kPadding));

class JsonReader final : public FileReader {
 public:
  JsonReader(LineBlocks blocks, JsonRowDecoder decoder, const FileRange& range,
             const ReadSettings& settings, const JsonOptions& options)
      : blocks_(std::move(blocks)),
        decoder_(std::move(decoder)),
        schema_(types::ToArrowSchema(settings.schema)),
        file_name_(range.file.uri),
        batch_rows_max_(std::max<int64_t>(settings.batch_rows_max, 1)),
        batch_bytes_aim_(std::max<int64_t>(settings.batch_bytes_aim, 1)),
        ignore_parse_errors_(options.ignore_parse_errors) {}

  Status Start() {
    LW_TRY(blocks_.Start());
    position_ = blocks_.block_offset();
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override;
  int64_t position() const override { return position_; }
  int64_t skipped_records() const override { return skipped_records_; }

 private:
  Result<bool> NextBlock();
  Status AppendLines(int64_t batch_start);
  Status AppendLineAlone(const char* line_end);
  Status Refuse(const char* line, std::string_view cause);

  LineBlocks blocks_;
  JsonRowDecoder decoder_;
  StructuralIndex block_index_;
  StructuralIndex line_index_;
  std::shared_ptr<arrow::Schema> schema_;
  std::string file_name_;
  int64_t batch_rows_max_;
  int64_t batch_bytes_aim_;
  bool ignore_parse_errors_;

  int64_t position_ = 0;
  int64_t skipped_records_ = 0;
  int64_t rows_expected_ = 0;  ///< as many as the batch before had
  // The block: lines from line_ to block_end_ are still to be read.
  const char* block_ = nullptr;
  const char* block_end_ = nullptr;
  const char* line_ = nullptr;
  bool block_is_indexed_ = false;         ///< else its lines are indexed one by one
  const uint32_t* next_token_ = nullptr;  ///< of the indexed block
};

/// Moves to the next block of lines; false at the end.
Result<bool> JsonReader::NextBlock() {
  LW_ASSIGN(const std::string_view block, blocks_.Next());
  block_ = block.data();
  block_end_ = block.data() + block.size();
  line_ = block_;
  if (block.empty()) {
    return false;
  }
  std::string_view text = block;
  if (blocks_.block_offset() == 0 && text.starts_with(kByteOrderMark)) {
    line_ += kByteOrderMark.size();
    text.remove_prefix(kByteOrderMark.size());
    block_ = line_;
  }
  block_is_indexed_ = block_index_.Index(block_, text.size()) == StructuralIndex::Outcome::kOk;
  next_token_ = block_index_.positions();
  return true;
}

Result<std::shared_ptr<arrow::RecordBatch>> JsonReader::Next() {
  decoder_.Reserve(std::min(rows_expected_, batch_rows_max_));
  const int64_t batch_start = position_;
  const auto is_full = [&] {
    return decoder_.row_count() >= batch_rows_max_ ||
           (decoder_.row_count() > 0 && position_ - batch_start >= batch_bytes_aim_);
  };
  while (!is_full()) {
    if (line_ == block_end_) {
      LW_ASSIGN(const bool more, NextBlock());
      if (!more) {
        break;
      }
    }
    LW_TRY(AppendLines(batch_start));
  }
  const int64_t rows = decoder_.row_count();
  if (rows == 0) {
    return nullptr;
  }
  rows_expected_ = rows + rows / 8;
  LW_ASSIGN(std::vector<std::shared_ptr<arrow::Array>> arrays, decoder_.Finish());
  return arrow::RecordBatch::Make(schema_, rows, std::move(arrays));
}

/// Reads lines of the block until it ends or the batch is full.
Status JsonReader::AppendLines(int64_t batch_start) {
  const int64_t block_position = blocks_.block_offset();
  const char* const first = blocks_.block_text();
  while (line_ < block_end_) {
    const auto left = static_cast<size_t>(block_end_ - line_);
    const void* newline = std::memchr(line_, '\n', left);
    const char* const line_end =
        newline == nullptr ? block_end_ : static_cast<const char*>(newline);
    bool done = false;
    if (block_is_indexed_) {
      const char* const token = block_ + *next_token_;
      if (token >= line_end) {
        done = true;  // nothing but white space
      } else {
        const uint32_t* after = decoder_.AppendRow(block_, next_token_);
        if (after != nullptr && block_ + after[-1] < line_end && block_ + *after >= line_end)
            [[likely]] {
          next_token_ = after;
          done = true;
        } else if (after != nullptr) {
          decoder_.RemoveLastRow();
        }
      }
    }
    if (!done) [[unlikely]] {
      LW_TRY(AppendLineAlone(line_end));
      while (block_is_indexed_ && block_ + *next_token_ < line_end) {
        ++next_token_;
      }
    }
    line_ = line_end == block_end_ ? line_end : line_end + 1;
    position_ = block_position + (line_ - first);
    if (decoder_.row_count() >= batch_rows_max_ || position_ - batch_start >= batch_bytes_aim_) {
      break;
    }
  }
  return Status::OK();
}

/// Reads the line at line_ by itself, so that what is wrong with it can be told and touches no
/// other line.
Status JsonReader::AppendLineAlone(const char* line_end) {
  const auto size = static_cast<size_t>(line_end - line_);
  const char* text = line_;
  StructuralIndex::Outcome outcome = line_index_.Index(text, size);
  std::string escaped;
  if (outcome == StructuralIndex::Outcome::kControlCharacter) {
    // Flink accepts raw control characters in strings.
    escaped = EscapeControlCharacters({text, size});
    const size_t escaped_size = escaped.size();
    escaped.resize(escaped_size + StructuralIndex::kPadding, ' ');
    text = escaped.data();
    outcome = line_index_.Index(text, escaped_size);
  }
  switch (outcome) {
    case StructuralIndex::Outcome::kOk:
      break;
    case StructuralIndex::Outcome::kInvalidUtf8:
      return Refuse(line_, "not valid UTF-8");
    case StructuralIndex::Outcome::kUnclosedString:
      return Refuse(line_, "not valid JSON: a string does not end");
    case StructuralIndex::Outcome::kControlCharacter:
      return Refuse(line_, "not valid JSON");
  }
  if (line_index_.count() == 0) {
    return Status::OK();
  }
  const uint32_t* const tokens = line_index_.positions();
  const uint32_t* after = decoder_.AppendRow(text, tokens);
  if (after == nullptr) {
    return Refuse(line_, decoder_.failure());
  }
  if (after != tokens + line_index_.count()) {
    decoder_.RemoveLastRow();
    return Refuse(line_, "something follows the JSON object");
  }
  return Status::OK();
}

Status JsonReader::Refuse(const char* line, std::string_view cause) {
  if (ignore_parse_errors_) {
    ++skipped_records_;
    return Status::OK();
  }
  LW_ASSIGN(const int64_t number,
            blocks_.LineNumberAt(blocks_.block_offset() + (line - blocks_.block_text())));
  return MakeError(ErrorKind::kCorruptData,
                   fmt::format("{} line {}: {}", file_name_, number, cause),
                   "Correct the record, or set 'json.ignore-parse-errors' = 'true' to skip such "
                   "records.");
}

bool IsCompressed(std::string_view head) {
  return head.starts_with("\x1F\x8B") || head.starts_with("\x28\xB5\x2F\xFD");
}

/// Refuses what is not text at all before it gives a confusing parse error.
Status CheckHead(arrow::io::RandomAccessFile* file, const std::string& name) {
  char head[4] = {};
  LW_ASSIGN(const int64_t count, file->ReadAt(0, sizeof(head), head));
  if (IsCompressed({head, static_cast<size_t>(count)})) {
    return MakeError(ErrorKind::kUnsupported,
                     name +
                         ": the file is compressed (gzip or zstd), which the json format does "
                         "not read yet",
                     "Decompress the file.");
  }
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<FileReader>> OpenJsonReader(const FileRange& range,
                                                   const ReadSettings& settings) {
  LW_ASSIGN(const JsonOptions options, JsonOptions::Parse(settings.options));
  LW_ASSIGN(JsonRowDecoder decoder, JsonRowDecoder::Make(settings.schema, options));
  LW_ASSIGN(std::shared_ptr<arrow::io::RandomAccessFile> file,
            range.file.file_system->OpenInput(range.file.path));
  LW_ASSIGN(const int64_t file_size, file->GetSize());
  LW_TRY(CheckHead(file.get(), range.file.uri));
  const int64_t end = range.length < 0 ? file_size : range.offset + range.length;
  const bool resumes = settings.resume_position.has_value();
  const int64_t begin = resumes ? *settings.resume_position : range.offset;
  LineBlocks blocks(std::move(file), range.file.uri, file_size, begin, end,
                    resumes || range.offset == 0);
  auto reader =
      std::make_unique<JsonReader>(std::move(blocks), std::move(decoder), range, settings, options);
  LW_TRY(reader->Start());
  return std::unique_ptr<FileReader>(std::move(reader));
}

}  // namespace lakeward::format
