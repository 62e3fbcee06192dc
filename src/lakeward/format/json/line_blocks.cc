#include "lakeward/format/json/line_blocks.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"

namespace lakeward::format {

LineBlocks::LineBlocks(std::shared_ptr<arrow::io::RandomAccessFile> file, std::string name,
                       int64_t file_size, int64_t begin, int64_t end, bool begins_at_line)
    : file_(std::move(file)),
      name_(std::move(name)),
      file_size_(file_size),
      end_(std::min(end, file_size)),
      begins_at_line_(begins_at_line),
      block_offset_(begin) {}

Result<int64_t> LineBlocks::ReadInto(int64_t offset, int64_t length, char* target) {
  return file_->ReadAt(offset, length, target);
}

Status LineBlocks::Start() {
  if (begins_at_line_) {
    return Status::OK();
  }
  // The newline just before the range makes the range's first byte a line's start.
  buffer_.resize(static_cast<size_t>(64 << 10));
  for (int64_t offset = block_offset_ - 1; offset < end_;) {
    LW_ASSIGN(const int64_t count,
              ReadInto(offset, static_cast<int64_t>(buffer_.size()), buffer_.data()));
    if (count == 0) {
      break;
    }
    const void* newline = std::memchr(buffer_.data(), '\n', static_cast<size_t>(count));
    if (newline != nullptr) {
      block_offset_ = offset + (static_cast<const char*>(newline) - buffer_.data()) + 1;
      return Status::OK();
    }
    offset += count;
  }
  block_offset_ = end_;
  return Status::OK();
}

Result<std::string_view> LineBlocks::Next() {
  if (block_size_ > 0) {
    buffer_[static_cast<size_t>(block_size_)] = byte_after_block_;
    block_offset_ += block_size_;
    buffered_ -= block_size_;
    std::memmove(buffer_.data(), buffer_.data() + block_size_, static_cast<size_t>(buffered_));
    block_size_ = 0;
  }
  if (block_offset_ >= end_) {
    return std::string_view();
  }
  for (int64_t wanted = kBlockBytes;; wanted *= 2) {
    wanted = std::min(wanted, file_size_ - block_offset_);
    if (static_cast<int64_t>(buffer_.size()) < wanted + kPadding) {
      buffer_.resize(static_cast<size_t>(wanted + kPadding));
    }
    while (buffered_ < wanted) {
      LW_ASSIGN(const int64_t count, ReadInto(block_offset_ + buffered_, wanted - buffered_,
                                              buffer_.data() + buffered_));
      if (count == 0) {
        return MakeError(ErrorKind::kIo,
                         fmt::format("{}: the file ends at byte {} although it had {} bytes", name_,
                                     block_offset_ + buffered_, file_size_),
                         "Do not shorten or replace files while they are read.");
      }
      buffered_ += count;
    }
    // The last line of the range begins before end_ and may go on after it.
    const int64_t owned = std::min(wanted, end_ - block_offset_);
    const bool at_range_end = block_offset_ + wanted >= end_;
    const bool at_file_end = block_offset_ + wanted == file_size_;
    const char* const text = buffer_.data();
    if (at_range_end) {
      const void* newline =
          std::memchr(text + owned - 1, '\n', static_cast<size_t>(wanted - owned + 1));
      if (newline != nullptr) {
        block_size_ = static_cast<const char*>(newline) - text + 1;
        break;
      }
      if (at_file_end) {
        block_size_ = wanted;
        break;
      }
    }
    const void* newline = ::memrchr(text, '\n', static_cast<size_t>(owned));
    if (newline != nullptr) {
      block_size_ = static_cast<const char*>(newline) - text + 1;
      break;
    }
    if (wanted >= kLineBytesMax) {
      return MakeError(ErrorKind::kCorruptData,
                       fmt::format("{}: the line at byte {} is longer than {} MiB", name_,
                                   block_offset_, kLineBytesMax >> 20),
                       "The json format expects one record a line; check that the file is "
                       "newline-delimited JSON.");
    }
  }
  char& after = buffer_[static_cast<size_t>(block_size_)];
  byte_after_block_ = after;
  after = '\n';
  return std::string_view(buffer_.data(), static_cast<size_t>(block_size_));
}

Result<int64_t> LineBlocks::LineNumberAt(int64_t offset) {
  std::vector<char> buffer(static_cast<size_t>(kBlockBytes));
  int64_t line = 1;
  for (int64_t at = 0; at < offset;) {
    LW_ASSIGN(const int64_t count, ReadInto(at, std::min(kBlockBytes, offset - at), buffer.data()));
    if (count == 0) {
      break;
    }
    line += std::count(buffer.data(), buffer.data() + count, '\n');
    at += count;
  }
  return line;
}

}  // namespace lakeward::format
