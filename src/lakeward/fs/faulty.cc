#include "lakeward/fs/faulty.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "lakeward/fs/positioned_input.h"

namespace lakeward::fs {
namespace {

// What decides, before and after each call, whether it fails.
class FaultSource {
 public:
  FaultSource(std::shared_ptr<FaultPlan> plan, Clock* clock)
      : plan_(std::move(plan)), clock_(clock) {}

  std::optional<FaultRule> Strike(Operation operation, std::string_view path) const {
    return plan_->Strike(operation, path);
  }

  // The error of a fault that keeps the call from being made; waits for a delay. `doing` is the
  // verb of the operating system's message.
  Status Before(const std::optional<FaultRule>& struck, std::string_view doing,
                std::string_view path) const {
    if (!struck.has_value()) {
      return Status::OK();
    }
    const auto error = [&](ErrorKind kind, std::string_view reason, std::string hint = "") {
      return MakeError(kind, fmt::format("Cannot {} {}: {}", doing, path, reason), std::move(hint));
    };
    switch (struck->fault) {
      case Fault::kFail:
        return error(ErrorKind::kIo, "Input/output error");
      case Fault::kPermission:
        return error(ErrorKind::kPermission, "Permission denied",
                     "Give the user that runs Lakeward access to this path and to every folder "
                     "above it, or choose another path.");
      case Fault::kDiskFull:
        return error(ErrorKind::kIo, "No space left on device",
                     "The disk is full: free space on it or choose a path on another disk.");
      case Fault::kThrottle:
        return error(ErrorKind::kThrottled, "the store asks for a pause");
      case Fault::kAlreadyExists:
        return error(ErrorKind::kAlreadyExists, "File exists");
      case Fault::kDelay:
        clock_->SleepForMicros(std::max<int64_t>(struck->amount, 0) * 1'000);
        return Status::OK();
      case Fault::kFailAfter:
      case Fault::kCutRead:
      case Fault::kShortList:
      case Fault::kHoleInList:
        return Status::OK();
    }
    return Status::OK();
  }

  // Takes away the answer of a call that was made.
  static Status After(const std::optional<FaultRule>& struck, std::string_view doing,
                      std::string_view path) {
    if (!struck.has_value() || struck->fault != Fault::kFailAfter) {
      return Status::OK();
    }
    return MakeError(ErrorKind::kIo, fmt::format("Cannot {} {}: the connection was lost before the "
                                                 "answer came",
                                                 doing, path));
  }

  // `call` with the faults of `operation` round it.
  template <typename Call>
  auto Around(Operation operation, std::string_view doing, const std::string& path, Call call) const
      -> decltype(call()) {
    const std::optional<FaultRule> struck = Strike(operation, path);
    LW_TRY(Before(struck, doing, path));
    auto outcome = call();
    if (outcome.ok()) {
      LW_TRY(After(struck, doing, path));
    }
    return outcome;
  }

 private:
  const std::shared_ptr<FaultPlan> plan_;
  Clock* const clock_;
};

class FaultyOutputFile final : public OutputFile {
 public:
  FaultyOutputFile(std::shared_ptr<OutputFile> inner, std::string path, FaultSource faults)
      : inner_(std::move(inner)), path_(std::move(path)), faults_(std::move(faults)) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    return faults_.Around(Operation::kWrite, "write", path_,
                          [&] { return inner_->Write(data, nbytes); });
  }
  using OutputFile::Write;

  arrow::Result<int64_t> Tell() const override { return inner_->Tell(); }

  arrow::Status Close() override {
    if (inner_->closed()) {
      return Status::OK();
    }
    const Status status =
        faults_.Around(Operation::kClose, "write", path_, [&] { return inner_->Close(); });
    if (!status.ok() && !inner_->closed()) {
      LW_TRY(inner_->Abort());
    }
    return status;
  }

  arrow::Status Abort() override { return inner_->Abort(); }

  bool closed() const override { return inner_->closed(); }

 private:
  const std::shared_ptr<OutputFile> inner_;
  const std::string path_;
  const FaultSource faults_;
};

class FaultyStagedFile final : public StagedFile {
 public:
  FaultyStagedFile(std::shared_ptr<StagedFile> inner, std::string path, FaultSource faults)
      : inner_(std::move(inner)), path_(std::move(path)), faults_(std::move(faults)) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    return faults_.Around(Operation::kWrite, "write", path_,
                          [&] { return inner_->Write(data, nbytes); });
  }
  using StagedFile::Write;

  arrow::Result<int64_t> Tell() const override { return inner_->Tell(); }

  Result<std::string> Stage() override {
    return faults_.Around(Operation::kStage, "write", path_, [&] { return inner_->Stage(); });
  }

  arrow::Status Close() override { return inner_->Close(); }

  arrow::Status Abort() override { return inner_->Abort(); }

  bool closed() const override { return inner_->closed(); }

 private:
  const std::shared_ptr<StagedFile> inner_;
  const std::string path_;
  const FaultSource faults_;
};

class FaultyInputFile final : public PositionedInput {
 public:
  FaultyInputFile(std::shared_ptr<arrow::io::RandomAccessFile> inner, const std::string& path,
                  int64_t size_bytes, FaultSource faults)
      : PositionedInput(path, size_bytes), inner_(std::move(inner)), faults_(std::move(faults)) {
    set_mode(arrow::io::FileMode::READ);
  }

 protected:
  Result<int64_t> ReadBytesAt(int64_t offset, int64_t length, uint8_t* target) override {
    const std::optional<FaultRule> struck = faults_.Strike(Operation::kRead, path());
    LW_TRY(faults_.Before(struck, "read", path()));
    if (struck.has_value() && struck->fault == Fault::kCutRead) {
      length = struck->amount < 0 ? length / 2 : std::min(length, struck->amount);
    }
    LW_ASSIGN(const int64_t count, inner_->ReadAt(offset, length, target));
    LW_TRY(FaultSource::After(struck, "read", path()));
    return count;
  }

 private:
  const std::shared_ptr<arrow::io::RandomAccessFile> inner_;
  const FaultSource faults_;
};

class FaultyFileSystem final : public FileSystem {
 public:
  FaultyFileSystem(std::shared_ptr<FileSystem> inner, FaultSource faults)
      : inner_(std::move(inner)), faults_(std::move(faults)) {}

  std::string_view type_name() const override { return inner_->type_name(); }

  Status Put(const std::string& path, std::string_view bytes,
             const WriteOptions& options) override {
    return faults_.Around(Operation::kPut, "write", path,
                          [&] { return inner_->Put(path, bytes, options); });
  }

  Result<std::shared_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                 const WriteOptions& options) override {
    const auto open = [&] { return inner_->OpenOutput(path, options); };
    LW_ASSIGN(auto file, faults_.Around(Operation::kOpenOutput, "create", path, open));
    return std::make_shared<FaultyOutputFile>(std::move(file), path, faults_);
  }

  Result<std::shared_ptr<StagedFile>> OpenStaged(const std::string& path) override {
    const auto open = [&] { return inner_->OpenStaged(path); };
    LW_ASSIGN(auto file, faults_.Around(Operation::kOpenOutput, "create", path, open));
    return std::make_shared<FaultyStagedFile>(std::move(file), path, faults_);
  }

  Status Publish(const std::string& token) override {
    return faults_.Around(Operation::kPublish, "publish", token,
                          [&] { return inner_->Publish(token); });
  }

  Status Discard(const std::string& token) override {
    return faults_.Around(Operation::kDiscard, "remove", token,
                          [&] { return inner_->Discard(token); });
  }

  Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInput(const std::string& path) override {
    const auto open = [&] { return inner_->OpenInput(path); };
    LW_ASSIGN(auto file, faults_.Around(Operation::kOpenInput, "open", path, open));
    LW_ASSIGN(const int64_t size_bytes, file->GetSize());
    return std::make_shared<FaultyInputFile>(std::move(file), path, size_bytes, faults_);
  }

  Result<FileInfo> Stat(const std::string& path) override {
    return faults_.Around(Operation::kStat, "find", path, [&] { return inner_->Stat(path); });
  }

  Result<std::vector<FileInfo>> List(const std::string& path) override {
    return ListWith(path, [&] { return inner_->List(path); });
  }

  Result<std::vector<FileInfo>> ListDirectly(const std::string& path,
                                             const std::string& start_after) override {
    return ListWith(path, [&] { return inner_->ListDirectly(path, start_after); });
  }

  Status Remove(const std::string& path) override {
    return faults_.Around(Operation::kRemove, "remove", path, [&] { return inner_->Remove(path); });
  }

  Result<int64_t> AbortPendingWrites(const std::string& path_prefix) override {
    return faults_.Around(Operation::kAbortPendingWrites, "remove", path_prefix,
                          [&] { return inner_->AbortPendingWrites(path_prefix); });
  }

 private:
  template <typename Call>
  Result<std::vector<FileInfo>> ListWith(const std::string& path, Call call) {
    const std::optional<FaultRule> struck = faults_.Strike(Operation::kList, path);
    LW_TRY(faults_.Before(struck, "list", path));
    LW_ASSIGN(std::vector<FileInfo> files, call());
    LW_TRY(FaultSource::After(struck, "list", path));
    if (struck.has_value() && struck->fault == Fault::kShortList) {
      const size_t lacking = struck->amount < 0 ? 1 : static_cast<size_t>(struck->amount);
      files.resize(files.size() - std::min(files.size(), lacking));
    }
    if (struck.has_value() && struck->fault == Fault::kHoleInList) {
      const size_t before_last = struck->amount < 0 ? 1 : static_cast<size_t>(struck->amount);
      if (before_last < files.size()) {
        files.erase(files.end() - static_cast<std::ptrdiff_t>(before_last) - 1);
      }
    }
    return files;
  }

  const std::shared_ptr<FileSystem> inner_;
  const FaultSource faults_;
};

}  // namespace

std::shared_ptr<FileSystem> MakeFaultyFileSystem(std::shared_ptr<FileSystem> inner,
                                                 std::shared_ptr<FaultPlan> plan, Clock* clock) {
  return std::make_shared<FaultyFileSystem>(std::move(inner), FaultSource(std::move(plan), clock));
}

}  // namespace lakeward::fs
