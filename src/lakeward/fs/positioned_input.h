#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "arrow/io/interfaces.h"
#include "lakeward/base/status.h"

namespace lakeward::fs {

/// An arrow::io::RandomAccessFile of which only ReadBytesAt is left to write. Positioned reads are
/// thread-safe when ReadBytesAt is; the sequential ones are for one thread.
class PositionedInput : public arrow::io::RandomAccessFile {
 public:
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t nbytes, void* out) override;
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t nbytes, bool allow_short_read,
                                void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t nbytes) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t nbytes,
                                                       bool allow_short_read) override;
  arrow::Result<int64_t> Read(int64_t nbytes, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t nbytes) override;
  arrow::Status Seek(int64_t position) override;
  arrow::Result<int64_t> Tell() const override;
  arrow::Result<int64_t> GetSize() override;
  arrow::Status Close() override;
  bool closed() const override;

 protected:
  /// `path` is for errors.
  PositionedInput(std::string path, int64_t size_bytes);

  /// Reads `length` bytes at `offset`; fewer only at the end of the file. Both are not negative.
  virtual Result<int64_t> ReadBytesAt(int64_t offset, int64_t length, uint8_t* target) = 0;

  const std::string& path() const { return path_; }

 private:
  Status CheckRange(int64_t position, int64_t nbytes) const;

  const std::string path_;
  const int64_t size_bytes_;
  int64_t position_ = 0;
  std::atomic<bool> closed_{false};
};

}  // namespace lakeward::fs
