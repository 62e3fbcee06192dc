#include "lakeward/fs/positioned_input.h"

#include <algorithm>
#include <utility>

#include "arrow/buffer.h"
#include "fmt/format.h"

namespace lakeward::fs {
namespace {

Status CheckComplete(const std::string& path, int64_t count, int64_t wanted, bool short_is_fine) {
  if (short_is_fine || count == wanted) {
    return Status::OK();
  }
  return MakeError(
      ErrorKind::kIo,
      fmt::format("Cannot read {}: {} bytes came where {} were expected", path, count, wanted));
}

}  // namespace

PositionedInput::PositionedInput(std::string path, int64_t size_bytes)
    : path_(std::move(path)), size_bytes_(size_bytes) {}

Status PositionedInput::CheckRange(int64_t position, int64_t nbytes) const {
  if (closed()) {
    return MakeError(ErrorKind::kInternal, fmt::format("Cannot read {}: it is closed", path_));
  }
  if (position < 0 || nbytes < 0) {
    return MakeError(ErrorKind::kInternal, fmt::format("Cannot read {}: no range at {} of {} bytes",
                                                       path_, position, nbytes));
  }
  return Status::OK();
}

arrow::Result<int64_t> PositionedInput::ReadAt(int64_t position, int64_t nbytes, void* out) {
  LW_TRY(CheckRange(position, nbytes));
  return ReadBytesAt(position, nbytes, static_cast<uint8_t*>(out));
}

arrow::Result<int64_t> PositionedInput::ReadAt(int64_t position, int64_t nbytes,
                                               bool allow_short_read, void* out) {
  LW_ASSIGN(const int64_t count, ReadAt(position, nbytes, out));
  LW_TRY(CheckComplete(path_, count, nbytes, allow_short_read));
  return count;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> PositionedInput::ReadAt(int64_t position,
                                                                      int64_t nbytes) {
  LW_TRY(CheckRange(position, nbytes));
  // Callers may ask for far more than there is; only what the file holds is allocated.
  const int64_t available = std::clamp<int64_t>(size_bytes_ - position, 0, nbytes);
  LW_ASSIGN(auto buffer, arrow::AllocateResizableBuffer(available));
  LW_ASSIGN(const int64_t count, ReadBytesAt(position, available, buffer->mutable_data()));
  if (count < available) {
    LW_TRY(buffer->Resize(count));
  }
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

arrow::Result<std::shared_ptr<arrow::Buffer>> PositionedInput::ReadAt(int64_t position,
                                                                      int64_t nbytes,
                                                                      bool allow_short_read) {
  LW_ASSIGN(auto buffer, ReadAt(position, nbytes));
  LW_TRY(CheckComplete(path_, buffer->size(), nbytes, allow_short_read));
  return buffer;
}

arrow::Result<int64_t> PositionedInput::Read(int64_t nbytes, void* out) {
  LW_ASSIGN(const int64_t count, ReadAt(position_, nbytes, out));
  position_ += count;
  return count;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> PositionedInput::Read(int64_t nbytes) {
  LW_ASSIGN(auto buffer, ReadAt(position_, nbytes));
  position_ += buffer->size();
  return buffer;
}

arrow::Status PositionedInput::Seek(int64_t position) {
  LW_TRY(CheckRange(position, 0));
  position_ = position;
  return Status::OK();
}

arrow::Result<int64_t> PositionedInput::Tell() const { return position_; }

arrow::Result<int64_t> PositionedInput::GetSize() { return size_bytes_; }

arrow::Status PositionedInput::Close() {
  closed_ = true;
  return Status::OK();
}

bool PositionedInput::closed() const { return closed_; }

}  // namespace lakeward::fs
