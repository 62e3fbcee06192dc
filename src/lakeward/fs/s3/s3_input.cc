#include "lakeward/fs/s3/s3_input.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "lakeward/base/mutex.h"
#include "lakeward/fs/positioned_input.h"

namespace lakeward::fs {
namespace {

constexpr int64_t kBeginningBytes = 64 << 10;
// Pieces of one file that are fetched at the same time.
constexpr int kPiecesMax = 4;

// A piece of the object, fetched or being fetched.
struct Piece {
  int64_t offset = 0;
  int64_t size_bytes = 0;
  std::unique_ptr<char[]> bytes;
  Status status;
  bool is_done = false;

  int64_t end() const { return offset + size_bytes; }
};

// What the executor's work writes to; may outlive the input.
struct Shared {
  Mutex mutex;
  CondVar changed;
};

class S3Input final : public PositionedInput {
 public:
  S3Input(std::shared_ptr<S3Client> client, std::shared_ptr<Executor> executor, std::string key,
          const std::string& path, S3Beginning beginning)
      : PositionedInput(path, beginning.info.size_bytes),
        client_(std::move(client)),
        executor_(std::move(executor)),
        key_(std::move(key)),
        etag_(std::move(beginning.info.etag)),
        size_bytes_(beginning.info.size_bytes),
        beginning_(std::move(beginning.bytes)),
        piece_bytes_(client_->settings().transfer.read_ahead_bytes),
        shared_(std::make_shared<Shared>()) {}

 protected:
  Result<int64_t> ReadBytesAt(int64_t offset, int64_t length, uint8_t* target) override {
    length = std::clamp<int64_t>(size_bytes_ - offset, 0, length);
    int64_t done = CopyBeginning(offset, length, target);
    while (done < length) {
      LW_ASSIGN(const int64_t count,
                ReadSome(offset + done, length - done, reinterpret_cast<char*>(target) + done));
      done += count;
    }
    if (length > 0) {
      MutexLock lock(&shared_->mutex);
      last_end_ = offset + length;
    }
    return length;
  }

 private:
  int64_t CopyBeginning(int64_t offset, int64_t length, uint8_t* target) const {
    const int64_t count = std::clamp<int64_t>(std::ssize(beginning_) - offset, 0, length);
    if (count > 0) {
      std::memcpy(target, beginning_.data() + offset, static_cast<size_t>(count));
    }
    return count;
  }

  // At least one byte, from a piece that is read ahead or by a request of its own.
  Result<int64_t> ReadSome(int64_t offset, int64_t length, char* target) {
    if (piece_bytes_ <= 0) {
      LW_TRY(client_->GetRange(key_, etag_, offset, length, target));
      return length;
    }
    std::shared_ptr<Piece> piece;
    {
      MutexLock lock(&shared_->mutex);
      piece = PieceAt(offset);
      const bool is_going_on = piece != nullptr || offset == last_end_;
      if (is_going_on && (piece != nullptr || length < piece_bytes_)) {
        ReadAhead(offset);
        piece = PieceAt(offset);
      }
      while (piece != nullptr && !piece->is_done) {
        shared_->changed.Wait(&shared_->mutex);
      }
    }
    if (piece != nullptr) {
      LW_TRY(piece->status);
      const int64_t count = std::min(length, piece->end() - offset);
      std::memcpy(target, piece->bytes.get() + (offset - piece->offset),
                  static_cast<size_t>(count));
      return count;
    }
    if (length >= 2 * piece_bytes_) {
      return ReadSplit(offset, length, target);
    }
    LW_TRY(client_->GetRange(key_, etag_, offset, length, target));
    return length;
  }

  // Needs the mutex.
  std::shared_ptr<Piece> PieceAt(int64_t offset) const {
    for (const auto& piece : pieces_) {
      if (offset >= piece->offset && offset < piece->end()) {
        return piece;
      }
    }
    return nullptr;
  }

  // Needs the mutex. Lets go of what lies before `offset` and sees to it that the following pieces
  // are on their way.
  void ReadAhead(int64_t offset) {
    if (PieceAt(offset) == nullptr) {
      pieces_.clear();
    }
    while (!pieces_.empty() && pieces_.front()->end() <= offset) {
      if (pieces_.front().use_count() == 1) {  // nobody writes it or copies from it
        spare_ = std::move(pieces_.front()->bytes);
      }
      pieces_.pop_front();
    }
    int64_t next = pieces_.empty() ? offset : pieces_.back()->end();
    while (pieces_.size() < kPiecesMax && next < size_bytes_) {
      const auto piece = std::make_shared<Piece>();
      piece->offset = next;
      piece->size_bytes = std::min(piece_bytes_, size_bytes_ - next);
      piece->bytes = TakeBuffer();
      next = piece->end();
      pieces_.push_back(piece);
      executor_->Submit([client = client_, shared = shared_, key = key_, etag = etag_, piece] {
        const Status status =
            client->GetRange(key, etag, piece->offset, piece->size_bytes, piece->bytes.get());
        MutexLock lock(&shared->mutex);
        piece->status = status;
        piece->is_done = true;
        shared->changed.NotifyAll();
      });
    }
  }

  // Needs the mutex. Fresh memory of this size costs a page fault every 4 KiB; so the last piece's
  // is used again.
  std::unique_ptr<char[]> TakeBuffer() {
    return spare_ != nullptr
               ? std::move(spare_)
               : std::make_unique_for_overwrite<char[]>(static_cast<size_t>(piece_bytes_));
  }

  // The first of as many bytes as may be fetched at once, side by side.
  Result<int64_t> ReadSplit(int64_t offset, int64_t length, char* target) {
    const int64_t count = std::min(length, kPiecesMax * piece_bytes_);
    int active = 0;
    Status first_error;
    for (int64_t start = 0; start < count; start += piece_bytes_) {
      {
        MutexLock lock(&shared_->mutex);
        ++active;
      }
      executor_->Submit([this, &active, &first_error, offset, start, target,
                         bytes = std::min(piece_bytes_, count - start)] {
        const Status status = client_->GetRange(key_, etag_, offset + start, bytes, target + start);
        MutexLock lock(&shared_->mutex);
        if (first_error.ok()) {
          first_error = status;
        }
        --active;
        shared_->changed.NotifyAll();
      });
    }
    MutexLock lock(&shared_->mutex);
    while (active > 0) {
      shared_->changed.Wait(&shared_->mutex);
    }
    LW_TRY(first_error);
    return count;
  }

  const std::shared_ptr<S3Client> client_;
  const std::shared_ptr<Executor> executor_;
  const std::string key_;
  const std::string etag_;
  const int64_t size_bytes_;
  const std::string beginning_;
  const int64_t piece_bytes_;
  const std::shared_ptr<Shared> shared_;
  std::deque<std::shared_ptr<Piece>> pieces_;  // in order of their offsets
  std::unique_ptr<char[]> spare_;              // of a piece that has been read
  int64_t last_end_ = -1;
};

}  // namespace

Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenS3Input(std::shared_ptr<S3Client> client,
                                                                 std::shared_ptr<Executor> executor,
                                                                 const std::string& key,
                                                                 const std::string& path) {
  LW_ASSIGN(S3Beginning beginning, client->GetBeginning(key, kBeginningBytes));
  return std::make_shared<S3Input>(std::move(client), std::move(executor), key, path,
                                   std::move(beginning));
}

}  // namespace lakeward::fs
