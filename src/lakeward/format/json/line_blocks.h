#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/io/interfaces.h"
#include "lakeward/base/status.h"

namespace lakeward::format {

/// Reads the lines of a range of a file in blocks of whole lines. One thread at a time; blocks on
/// storage.
class LineBlocks {
 public:
  static constexpr int64_t kBlockBytes = 1 << 20;
  /// Longer lines are refused.
  static constexpr int64_t kLineBytesMax = 128 << 20;

  /// The lines that begin in [`begin`, `end`); `begin` is a line's start exactly when
  /// `begins_at_line`. `name` is the file's, for errors.
  LineBlocks(std::shared_ptr<arrow::io::RandomAccessFile> file, std::string name, int64_t file_size,
             int64_t begin, int64_t end, bool begins_at_line);

  /// Finds the start of the first line. Once, before Next().
  Status Start();

  /// The next whole lines, the newline of each included (the file's last may lack it); empty at the
  /// end. Followed by a newline and readable kPadding bytes beyond its end; valid until the next
  /// call. kCorruptData for a line that is too long.
  Result<std::string_view> Next();

  /// The first byte of the block that Next() gave.
  const char* block_text() const { return buffer_.data(); }
  /// Where the block that Next() gave begins in the file; before the first call the first line.
  int64_t block_offset() const { return block_offset_; }

  /// The number of the line that begins at `offset`, from 1; reads the file up to there.
  Result<int64_t> LineNumberAt(int64_t offset);

  static constexpr int64_t kPadding = 64;

 private:
  Result<int64_t> ReadInto(int64_t offset, int64_t length, char* target);

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::string name_;
  int64_t file_size_;
  int64_t end_;
  bool begins_at_line_;
  int64_t block_offset_;
  int64_t block_size_ = 0;     ///< of whole lines at the front of buffer_
  int64_t buffered_ = 0;       ///< bytes read into buffer_
  char byte_after_block_ = 0;  ///< what the newline after the block stands in for
  std::vector<char> buffer_;
};

}  // namespace lakeward::format
